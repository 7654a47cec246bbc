"""What a job installs before its tests: plain data, and the words of ``pip install`` and its relatives."""

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from sandbox.ci.commands import directory_of
from sandbox.formats import normalised, split_extras
from sandbox.launchers import tool_options

ALL = "*"
"""Stands for every extra or group."""
_PACKAGE_TABLE = re.compile(rb"(?m)^\[(?:project|build-system|tool\.(?:poetry|flit\.metadata|pdm))\]")


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
    pyproject, cfg = (
        files.get(posixpath.join(directory, name), b"") for name in ("pyproject.toml", "setup.cfg")
    )
    return bool(_PACKAGE_TABLE.search(pyproject)) or b"[metadata]" in cfg


_Taker = Callable[[str, str, Mapping[str, bytes], Installs], None]
_INDEXES = {"-i": "--index-url", "--index-url": "--index-url", "--extra-index-url": "--extra-index-url"}
_INDEXES |= {"-f": "--find-links", "--find-links": "--find-links", "--index": "--extra-index-url"}
_LOCAL = re.compile(r"(?P<path>\.{1,2}(?:/[^\[\];\s]*)?|[\w.-]+/[^\[\];\s@]*)(?:\[(?P<extras>[^\]]*)\])?/?$")
_REQUIREMENT = re.compile(r"[A-Za-z0-9][\w.-]*\s*(?:\[[^\]]*\])?\s*(?:[=<>!~;@(].*)?$", re.DOTALL)
# What a build step before made of the project: it is installed as the project itself.
_BUILT = re.compile(r"\.whl\b|\.tar\.gz\b|(?:^|/)dist/")
_EXTRAS_AFTER = re.compile(r"\[([\w ,.-]+)\]$")
_UNKNOWN = re.compile(r"[$`{}]")


def read_words(words: Sequence[str], directory: str, files: Mapping[str, bytes], found: Installs) -> None:
    """Add to ``found`` what ``words``, the arguments after ``install``, name as seen from ``directory``."""
    valued = tool_options("tools")["pip"]
    rest = list(words)
    while rest:
        word = rest.pop(0)
        option, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if word[:2] in {"-r", "-c", "-e", "-i", "-f"} and len(word) > 2 and not word.startswith("--"):
            option, equals, value = word[:2], "=", word[2:].lstrip("=")
        if option in valued:
            rest = rest if equals else rest[1:]
        elif option in _TAKING:
            if not equals and rest:
                value = rest.pop(0)
            _TAKING[option](value.strip(), directory, files, found)
        elif not word.startswith("-"):
            _item(word.strip(), directory, files, found)


def _item(word: str, directory: str, files: Mapping[str, bytes], found: Installs) -> None:
    """A requirement, a directory, or what a build step made."""
    extras = _EXTRAS_AFTER.search(word)
    is_built = (_BUILT.search(word) and "://" not in word) or (word.startswith(".") and "#egg=" in word)
    if is_built or word.startswith("file:"):
        found.local.append(Local(directory, split_extras(extras[1]) if extras else ()))
    elif local := _LOCAL.match(word):
        _directory(local["path"], local["extras"] or "", directory, files, found)
    elif _UNKNOWN.search(word):
        return
    elif word.startswith(("git+", "hg+")) or "://" in word or _REQUIREMENT.match(word):
        found.requirements.append(word)


def _editable(word: str, directory: str, files: Mapping[str, bytes], found: Installs) -> None:
    """A directory, which needs no slash after ``-e``."""
    path, _, extras = word.partition("[")
    place = directory_of(path, base=directory)
    if place and has_package(files, place):
        found.local.append(Local(place, split_extras(extras.rstrip("]"))))
    else:
        _item(word, directory, files, found)


def _directory(path: str, extras: str, base: str, files: Mapping[str, bytes], found: Installs) -> None:
    place = directory_of(path.rstrip("/") or ".", base=base)
    if place is None:
        return
    for one in _matching(place, files):
        found.local.append(Local(one, split_extras(extras)))


def _matching(directory: str, files: Mapping[str, bytes]) -> list[str]:
    """``directory``, or those that match it where it is a pattern."""
    if not any(mark in directory for mark in "*?"):
        return [directory]
    known = {path.rpartition("/")[0] for path in files if path.endswith(("/pyproject.toml", "/setup.py"))}
    near = [one for one in known if one.count("/") == directory.count("/")]
    return sorted(one for one in near if fnmatchcase(one, directory))


def _requirements_file(value: str, directory: str, files: Mapping[str, bytes], found: Installs) -> None:
    path = directory_of(value, base=directory)
    if path is None or path not in files:
        return
    if path.endswith("pyproject.toml"):
        found.local.append(Local(path.rpartition("/")[0] or "."))
    else:
        found.files.append(path)


def _constraints_file(value: str, directory: str, files: Mapping[str, bytes], found: Installs) -> None:
    path = directory_of(value, base=directory)
    if path is not None and path in files:
        found.constraint_files.append(path)


def _group(value: str, directory: str, _files: Mapping[str, bytes], found: Installs) -> None:
    place, _, name = value.rpartition(":")  # pip's form: path/pyproject.toml:name
    inside = directory_of(place.rpartition("/")[0] or ".", base=directory) if place else directory
    found.groups.append(Group(inside or directory, normalised(name)))


def _extra(value: str, directory: str, _files: Mapping[str, bytes], found: Installs) -> None:
    found.local.append(Local(directory, split_extras(value)))


def _index(name: str) -> _Taker:
    """Notes the index or the place for packages that the option ``name`` gives."""

    def take(value: str, _directory: str, _files: Mapping[str, bytes], found: Installs) -> None:
        if not _UNKNOWN.search(value):
            found.options.append(f"{name} {value}")

    return take


_TAKING: dict[str, _Taker] = {
    **dict.fromkeys(("-r", "--requirement", "--requirements", "--with-requirements"), _requirements_file),
    **dict.fromkeys(("-c", "--constraint", "--constraints"), _constraints_file),
    **dict.fromkeys(("-e", "--editable", "--with-editable"), _editable),
    "--group": _group,
    "--extra": _extra,
    **{option: _index(name) for option, name in _INDEXES.items()},
}
