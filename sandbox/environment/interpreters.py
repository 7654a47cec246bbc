"""The Pythons of this machine: which versions there are to build with, and what one of them already has."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

from sandbox.environment.declarations.declared import name_of
from sandbox.environment.install import without_hashes
from sandbox.formats import normalised
from sandbox.interpreter import asked, places
from sandbox.snapshot import read_plain

OLDEST = (3, 7, 0)  # what the runner speaks
ASKED_AT_ONCE = 8
_MINORS = range(7, 16)
_INSTALLATIONS = (
    "~/.pyenv/versions/*/bin/python3",
    "~/.local/share/uv/python/*/bin/python3",
    "/opt/python/*/bin/python3",
)
_RELEASE = re.compile(r"(?:cpython-)?3\.(\d+)\.(\d+)(?:$|-)")  # how pyenv and uv name an installation
_WHO = (
    "base = os.path.join(sys.base_prefix, 'bin', 'python%d.%d' % sys.version_info[:2])\n"
    "path = base if os.path.exists(base) else os.path.realpath(sys.executable)\n"
    "answer = [path, sys.version_info[:3]]"
)
_VERSION = re.compile("^Version: *(.+)$", re.MULTILINE)
_LARGEST_METADATA = 1_000_000
_FETCH_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPython:
    """An interpreter, with the ``versions`` of what is known to be installed, by normalised name."""

    executable: str
    release: tuple[int, int, int]
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """Like ``3.12``."""
        return f"{self.release[0]}.{self.release[1]}"

    def lacks(self, requirements: Sequence[str]) -> str:
        """The first of ``requirements`` that is not there; empty where all are."""
        return next((text for text in requirements if not self._satisfies(text)), "")

    def _satisfies(self, text: str) -> bool:
        try:
            requirement = Requirement(without_hashes(text))
            full = ".".join(map(str, self.release))
            about = {"python_full_version": full, "python_version": self.version, "extra": ""}
            if requirement.marker and not requirement.marker.evaluate(about):
                return True
            version = self.versions.get(name_of(requirement.name))
            # What an extra or an address brings cannot be distinguished from a version number.
            if version is None or requirement.extras or requirement.url:
                return False
            return requirement.specifier.contains(Version(version), prereleases=True)
        except (ValueError, RecursionError):  # they are untrusted
            return False


def host_pythons() -> tuple[HostPython, ...]:
    """The newest release of each version that is found: our own, on PATH, installed by pyenv or uv.

    Environments can be made of them: none lies inside an environment. Only those are started and asked
    whose directory's name is not their release.
    """
    own = HostPython(executable=_base_program(), release=sys.version_info[:3])
    known = {os.path.realpath(own.executable): own}
    asked_for: dict[str, str] = {}
    for path in _programs():
        if python := _by_name(path):
            known.setdefault(os.path.realpath(path), python)
        else:
            asked_for.setdefault(os.path.realpath(path), path)
    unknown = [path for real, path in asked_for.items() if real not in known]
    with ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
        answers = list(pool.map(_ask, unknown))
    found: dict[str, HostPython] = {}
    for python in (*known.values(), *filter(None, answers)):
        if python.release >= OLDEST:
            best = found.get(python.version, python)
            found[python.version] = best if best.release >= python.release else python
    return tuple(found.values())


def _base_program() -> str:
    """The interpreter that our own environment was made with."""
    path = os.path.join(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")
    return path if os.path.exists(path) else os.path.realpath(sys.executable)


def _programs() -> Iterator[str]:
    """The Pythons on PATH, then those that pyenv, uv and others installed."""
    for name in ("python3", *(f"python3.{minor}" for minor in _MINORS)):
        path = shutil.which(name)
        # pyenv's shims start a shell to find what is among its installations anyway.
        if path and "/shims/" not in path:
            yield path
    for pattern in _INSTALLATIONS:
        directory, _, rest = os.path.expanduser(pattern).partition("*")
        if os.path.isdir(directory):
            yield from filter(
                None, (shutil.which(f"{directory}{name}{rest}") for name in sorted(os.listdir(directory)))
            )


def _by_name(path: str) -> HostPython | None:
    """The interpreter at ``path`` where the name of its installation is its release."""
    installation = Path(path).parent.parent
    release = _RELEASE.match(installation.name)
    if release is None:
        return None
    program = installation / "bin" / f"python3.{release[1]}"
    usable = os.access(program, os.X_OK)
    return (
        HostPython(executable=str(program), release=(3, int(release[1]), int(release[2]))) if usable else None
    )


def equipped(executable: str) -> HostPython | None:
    """The interpreter with what is installed for it; None where it does not work.

    Only for one that the caller trusts: asking it runs its start-up files.
    """
    path = shutil.which(executable)
    try:
        found = places(os.path.abspath(path)) if path else None
    except ValueError:
        return None
    if found is None:
        return None
    return HostPython(executable=found.itself, release=found.version, versions=_installed(found.search))


def _installed(search: Sequence[str]) -> dict[str, str]:
    """The versions of what is installed in the directories of ``search``, by normalised name.

    The names of the directories of metadata say it. Only what an old setuptools installed in place has its
    version in a file.
    """
    versions: dict[str, str] = {}
    for place in reversed([path for path in search if os.path.isdir(path)]):
        with suppress(OSError):
            for entry in os.listdir(place):
                if entry.endswith((".dist-info", ".egg-info")):
                    name, version = [*entry.rpartition(".")[0].split("-"), ""][:2]
                    file = os.path.join(place, entry, "PKG-INFO")
                    versions[normalised(name)] = version or _version_in(file)
    return {name: version for name, version in versions.items() if version}


def _version_in(path: str) -> str:
    data = read_plain(path, largest=_LARGEST_METADATA) or b""
    found = _VERSION.search(data.decode("utf-8", "replace"))
    return found[1] if found else ""


def _ask(path: str) -> HostPython | None:
    try:
        executable, (major, minor, micro) = asked(path, _WHO)
    except ValueError:
        return None
    return HostPython(executable=executable, release=(major, minor, micro))


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
    said = " ".join(done.stderr.decode("utf-8", "replace").split()) or "it does not say why"
    return "" if done.returncode == 0 else said[:300]


def uv_program() -> Path | None:
    """The uv that came with us, or the one on PATH."""
    try:
        from uv import find_uv_bin

        return Path(find_uv_bin())
    except (ImportError, FileNotFoundError):
        found = shutil.which("uv")
        return Path(found) if found else None
