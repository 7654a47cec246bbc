"""Reads pip's requirements files, with the files that they include, as far as these lie in the project."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sandbox.ci.commands import inside
from sandbox.ci.installs import Local, has_package
from sandbox.environment.declarations.declared import PROJECT, Declared
from sandbox.formats import split_extras, unique

RUNTIME_FILES = (
    *("requirements.txt", "requirements/base.txt", "requirements/requirements.txt", "requirements.in"),
)
_STEMS = "requirements", "reqs"
_GROUP_FILES = (
    *("{stem}-{name}.txt", "{stem}_{name}.txt", "{stem}.{name}.txt", "{stem}/{name}.txt"),
    *("{name}-{stem}.txt", "{name}_{stem}.txt", "{stem}{name}.txt", "{stem}/{stem}-{name}.txt"),
)
_MAX_FILES = 200  # a chain of includes as long as that is no project's
_INCLUDE = re.compile(r"(?P<option>-r|--requirement|-c|--constraint)[\s=]*(?P<path>\S+)")
_EDITABLE = re.compile(r"(?:-e|--editable)[\s=]*(.+)")
_INDEX = re.compile(r"(-i|--index-url|--extra-index-url|-f|--find-links)[\s=]+(\S+)")
_OWN = re.compile(r"\.(?:/)?(?:\[([^\]]*)\])?$")
_LOCAL = re.compile(r"(?:file:)?(?P<path>\.{1,2}/[^\s;\[#]*)(?P<rest>.*)")
_DIRECTORY = re.compile(r"(?:file:)?(?P<path>[^\s;\[#:@]+)(?:\[(?P<extras>[^\]]*)\])?\s*(?:[;#].*)?$")
_COMMENT = re.compile(r"(?:^|\s)#.*$")


@dataclass(slots=True)
class _Reading:
    files: Mapping[str, bytes]
    requirements: list[str] = field(default_factory=list)
    constraints: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    own_extras: list[str] = field(default_factory=list)
    linked: list[Local] = field(default_factory=list)
    own: bool = False
    seen: set[str] = field(default_factory=set)


def read_requirements(files: Mapping[str, bytes], path: str) -> Declared:
    """What the requirements file at ``path`` declares.

    An include that lies outside the project or is not there is left out: the installer would fail on it,
    and the rest may do.
    """
    reading = _Reading(files=files)
    _read(reading, path, constraint=False)
    return Declared(
        source=path,
        runtime=unique(reading.requirements),
        constraints=unique(reading.constraints),
        options=unique(reading.options),
        own_extras=unique(reading.own_extras),
        linked=tuple(dict.fromkeys(reading.linked)),
        packaged=reading.own,
    )


def group_files(files: Mapping[str, bytes], names: tuple[str, ...]) -> tuple[str, ...]:
    """The requirements files named for the groups ``names``: ``requirements-dev.txt`` and its kin."""
    found = []
    for name in names:
        found += [form.format(stem=stem, name=name) for stem in _STEMS for form in _GROUP_FILES]
        found += [f"{name}/requirements.txt"] if name in {"test", "tests"} else []
    return tuple(path for path in unique(found) if path in files)


def _read(reading: _Reading, path: str, *, constraint: bool) -> None:
    if path in reading.seen or path not in reading.files or len(reading.seen) >= _MAX_FILES:
        return
    reading.seen.add(path)
    directory = posixpath.dirname(path)
    for line in _lines(reading.files[path].decode("utf-8-sig", "replace")):
        if include := _INCLUDE.match(line):
            is_constraint = constraint or include["option"] in {"-c", "--constraint"}
            _read(reading, inside(directory, include["path"]), constraint=is_constraint)
        elif index := _INDEX.match(line):
            reading.options.append(f"{index[1]} {index[2]}")
        else:
            _read_requirement(reading, line, directory, constraint=constraint)


def _read_requirement(reading: _Reading, line: str, directory: str, *, constraint: bool) -> None:
    editable = _EDITABLE.match(line)
    wanted = (editable[1] if editable else line).strip()
    if own := _OWN.match(wanted):
        # The project itself: its dependencies are read from its own declaration.
        reading.own = True
        reading.own_extras += split_extras(own[1] or "")
    elif linked := _linked(reading.files, wanted, directory, editable=bool(editable)):
        reading.linked.append(linked)
    elif local := _LOCAL.match(wanted):
        place = inside(directory, local["path"])
        if place == ".":
            reading.own = True
        elif not place.startswith(("..", "/")):
            reading.requirements.append(f"{PROJECT}/{place}{local['rest']}")
    elif editable or not wanted.startswith(("-", "/")):  # no place of this machine's
        (reading.constraints if constraint else reading.requirements).append(wanted)


def _linked(files: Mapping[str, bytes], wanted: str, directory: str, *, editable: bool) -> Local | None:
    """The package of the project that ``wanted`` names; None where it is the name of a package of the index.

    pip reads a path as seen from where it runs, uv from the requirements file in ``directory``.
    """
    match = _DIRECTORY.match(wanted)
    if match is None or not (editable or wanted.startswith((".", "file:"))):
        return None
    for base in ("", directory):
        place = inside(base, match["path"])
        if has_package(files, place):
            return Local(place, split_extras(match["extras"] or ""))
    return None


def _lines(text: str) -> Iterator[str]:
    """Lines joined where they end in a backslash, without comments."""
    for line in text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines():
        bare = " ".join(_COMMENT.sub("", line).split())
        if bare:
            yield bare
