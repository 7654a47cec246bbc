"""What a job installs before its tests: plain data, filled in by the readers of single commands."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

ALL = "*"
"""Stands for every extra or group."""
_PACKAGE_TABLE = re.compile(
    rb"^\[(?:project|build-system|tool\.(?:poetry|flit\.metadata|pdm))\]", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Local:
    """A directory of the repository that is installed, with ``extras`` (``ALL`` for all)."""

    directory: str
    extras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A dependency group (``ALL`` for all) that the project in ``directory`` declares."""

    directory: str
    name: str


@dataclass(slots=True)
class Installs:
    """What a job installs.

    ``requirements`` and ``options`` are lines of pip's files; ``files`` are requirements files and
    ``constraint_files`` constraints, by path in the repository. ``local`` are parts of the repository.
    ``without`` are names that are taken away again. ``lock`` names the tool whose lock file holds.
    ``conda_files`` are environment files; ``system`` are packages of the operating system; ``commands`` are
    other commands of the project that may make files for the tests.
    """

    requirements: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    constraint_files: list[str] = field(default_factory=list)
    local: list[Local] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    lock: str = ""
    conda_files: list[str] = field(default_factory=list)
    system: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.requirements or self.files or self.local or self.groups or self.conda_files)


def has_package(files: Mapping[str, bytes], directory: str = "") -> bool:
    """Whether ``directory`` holds a package that can be installed, and not only the settings of tools."""
    if posixpath.join(directory, "setup.py") in files:
        return True
    data = files.get(posixpath.join(directory, "pyproject.toml"), b"")
    return bool(_PACKAGE_TABLE.search(data)) or b"[metadata]" in files.get(
        posixpath.join(directory, "setup.cfg"), b""
    )
