"""The Pythons of this machine: which versions there are to build with, and what one of them already has."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

from sandbox.environment.declared import name_of, normalised
from sandbox.environment.install import without_hashes

OLDEST = (3, 7, 0)  # what the runner speaks
_MINORS = range(7, 16)
_INSTALLATIONS = (
    "~/.pyenv/versions/*/bin/python3",
    "~/.local/share/uv/python/*/bin/python3",
    "/opt/python/*/bin/python3",
)
_WHO = (
    "import sys, os, json\n"
    "base = os.path.join(sys.base_prefix, 'bin', 'python%d.%d' % sys.version_info[:2])\n"
    "print(json.dumps([base if os.path.exists(base) else os.path.realpath(sys.executable), "
    "list(sys.version_info[:3])]))"
)
_WHAT = (
    "import json, sys\n"
    "def version(name):\n"
    "    try:\n        from importlib.metadata import version\n        return version(name)\n"
    "    except ImportError:\n        return None\n"
    "found = {name: version(name) for name in sys.argv[1:]}\n"
    "print(json.dumps([sys.executable, '.'.join(map(str, sys.version_info[:3])), found]))"
)
_TIMEOUT_S = 30
_FETCH_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPython:
    """An interpreter that environments can be made of; never one inside an environment."""

    executable: str
    release: tuple[int, int, int]

    @property
    def version(self) -> str:
        """Like ``3.12``."""
        return f"{self.release[0]}.{self.release[1]}"


def host_pythons() -> tuple[HostPython, ...]:
    """The newest release of each version that is found: our own, on PATH, installed by pyenv or uv."""
    candidates = [sys.executable, "python3", *(f"python3.{minor}" for minor in _MINORS)]
    for pattern in _INSTALLATIONS:
        directory, _, rest = os.path.expanduser(pattern).partition("*")
        if os.path.isdir(directory):
            candidates += [f"{directory}{name}{rest}" for name in sorted(os.listdir(directory))]
    found: dict[str, HostPython] = {}
    asked = set()
    for candidate in candidates:
        path = shutil.which(candidate)
        real = os.path.realpath(path) if path else ""
        # pyenv's shims start a shell to find what is in the list anyway.
        if not path or real in asked or "/shims/" in path:
            continue
        asked.add(real)
        python = _ask(path)
        if (
            python
            and python.release >= OLDEST
            and (python.version not in found or found[python.version].release < python.release)
        ):
            found[python.version] = python
    return tuple(found.values())


def _ask(path: str) -> HostPython | None:
    answer = _run(path, _WHO)
    if not isinstance(answer, list):
        return None
    executable, (major, minor, micro) = answer
    return HostPython(executable=executable, release=(major, minor, micro))


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipped:
    """An interpreter with the ``versions`` of what it has of what was asked for, by normalised name."""

    executable: str
    release: str
    versions: Mapping[str, str]

    @property
    def version(self) -> str:
        """Like ``3.12``."""
        return ".".join(self.release.split(".")[:2])

    def lacks(self, requirements: Sequence[str]) -> str:
        """The first of ``requirements`` that is not there; empty where all are."""
        return next((text for text in requirements if not self._satisfies(text)), "")

    def _satisfies(self, text: str) -> bool:
        try:
            requirement = Requirement(without_hashes(text))
            about = {"python_full_version": self.release, "python_version": self.version, "extra": ""}
            if requirement.marker and not requirement.marker.evaluate(about):
                return True
            version = self.versions.get(name_of(requirement.name))
            # What an extra or an address brings cannot be distinguished from a version number.
            if version is None or requirement.extras or requirement.url:
                return False
            return requirement.specifier.contains(Version(version), prereleases=True)
        except (ValueError, RecursionError):  # they are untrusted
            return False


def equipped(executable: str, names: Sequence[str]) -> Equipped | None:
    """What the interpreter has of the packages ``names``; None where it does not work.

    Only for one that the caller trusts: asking it runs its start-up files.
    """
    path = shutil.which(executable)
    answer = _run(path, _WHAT, *names) if path else None
    if not path or not isinstance(answer, list):
        return None
    executable, release, installed = answer
    return Equipped(
        # What was asked may be a script that starts an interpreter elsewhere, as pyenv's are.
        executable=executable or os.path.abspath(path),
        release=release,
        versions={normalised(name): version for name, version in installed.items() if version},
    )


def _run(executable: str, question: str, *arguments: str) -> object:
    try:
        done = subprocess.run(
            [executable, "-I", "-c", question, *arguments],
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=True,
            env={"PATH": os.environ.get("PATH", os.defpath)},
            cwd="/",
        )
        return json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def fetch_python(version: str) -> str:
    """Have uv install CPython ``version``; the empty string, or why it cannot."""
    uv = uv_program()
    if uv is None:
        return "uv is not here: pip install uv"
    try:
        done = subprocess.run(
            [str(uv), "python", "install", "--no-progress", version],
            capture_output=True,
            timeout=_FETCH_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it does not say why"]
    return "" if done.returncode == 0 else " ".join(line.strip() for line in lines)[:300]


def uv_program() -> Path | None:
    """The uv that came with us, or the one on PATH."""
    try:
        from uv import find_uv_bin

        return Path(find_uv_bin())
    except (ImportError, FileNotFoundError):
        found = shutil.which("uv")
        return Path(found) if found else None
