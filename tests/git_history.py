"""Repositories with a history, made by git itself; the machine's own configuration has no say."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from laying import lay

_PEOPLE = {
    f"GIT_{role}_{part}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")
}
_OWN = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": os.environ.get("PATH", os.defpath),
}


def git(place: Path, *words: object) -> str:
    """What git prints, run in the directory ``place``."""
    argv = ["git", "-C", str(place), "-c", "init.defaultBranch=main", *map(str, words)]
    done = subprocess.run(argv, env=_PEOPLE | _OWN, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(place: Path, files: Mapping[str, str], subject: str = "Change") -> str:
    """Commit ``files`` in the repository at ``place``, which is made where there is none; the commit's id."""
    if not (place / ".git").exists():
        place.mkdir(parents=True, exist_ok=True)
        git(place, "init", "--quiet")
    lay(place, files)
    git(place, "add", "-A")
    git(place, "commit", "--quiet", "-m", subject)
    return git(place, "rev-parse", "HEAD")


def bare_clone(place: Path, clones: Path, repository: str) -> Path:
    """A clone where the benchmarks look for the one of ``repository`` (OWNER/NAME)."""
    clone = clones / repository.replace("/", "+") / "repo"
    clone.parent.mkdir(parents=True)
    git(place, "clone", "--quiet", "--bare", place, clone)
    return clone
