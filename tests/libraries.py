"""Real libraries as their source distributions, with their own tests; fetched once, kept elsewhere."""

import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from sections import GOLDEN

KEPT_IN = Path.home() / ".cache" / "regreen-tests"
FETCH_TIMEOUT_S = 180


@dataclass(frozen=True, kw_only=True)
class Library:
    """A release, by the digest of its archive, as ``golden/libraries.toml`` has it."""

    name: str
    version: str
    sha256: str
    module: str
    kind: str = ""
    passing: int = 0


@dataclass(frozen=True, kw_only=True)
class Broken(Library):
    """One with a line of ``module`` that is changed."""

    before: str
    after: str
    command: str
    directory: str = "."
    environment: dict[str, str] = field(default_factory=dict, hash=False)


_RELEASES = tomllib.loads((GOLDEN / "libraries.toml").read_text("utf-8"))
TESTED = [Library(**row) for row in _RELEASES["tested"]]
BROKEN = [Broken(**row) for row in _RELEASES["broken"]]


class NotFetched(Exception):
    """The package index does not answer."""


@cache
def index_answers() -> bool:
    """Whether a small package can be downloaded; tried once a process."""
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries", "0"]
        command += ["--disable-pip-version-check", "--timeout", "10", "-d", directory, "six==1.17.0"]
        done = subprocess.run(command, capture_output=True, timeout=FETCH_TIMEOUT_S, check=False)
    return done.returncode == 0


def fetch(library: Library, directory: Path) -> Path:
    """The library's source tree, unpacked below ``directory``.

    Raises:
        NotFetched: it is not kept here and cannot be downloaded.
    """
    from benchmarks.libraries.sources import Release  # most tests fetch nothing
    from bot.errors import MachineError

    release = Release(name=library.name, version=library.version, sha256=library.sha256, cache=KEPT_IN)
    try:
        return release.lay_out(directory / release.directory_name)
    except MachineError as error:
        raise NotFetched(str(error)) from error
