"""The metadata of a package as its ``pyproject.toml`` declares it: for when its own build fails. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sandbox.environment.declarations.pyproject import FILE
from sandbox.formats import normalised, table, toml_table

UNKNOWN_VERSION = "9999.0"
"""Newer than whatever asks for the project at a certain version."""

_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?", re.ASCII)
_VERSION = re.compile(r"[\w.!+-]+", re.ASCII)
_GROUP = re.compile(r"[\w.]+", re.ASCII)
_ENTRY = re.compile(r"[^\s=\[][^=\n\r]*")
_OBJECT = re.compile(r"[\w.]+(?:\s*:\s*[\w.]+)?(?:\s*\[[\w, .-]*\])?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """``entry_points`` is the text of ``entry_points.txt``, of the core metadata's directory."""

    name: str
    version: str
    entry_points: str = ""

    @property
    def directory_name(self) -> str:
        """What the directory in ``site-packages`` is called."""
        name = normalised(self.name).replace("-", "_")
        return f"{name}-{self.version.replace('-', '_')}.dist-info"


def declared_metadata(files: Mapping[str, bytes]) -> Metadata | None:
    """What the ``[project]`` table in ``files`` says; None where it names nothing."""
    project = toml_table(files, FILE, "project")
    name = str(project.get("name", ""))
    if not _NAME.fullmatch(name):
        return None
    found = str(project.get("version", "")) or sdist_version(files)
    return Metadata(
        name=name,
        version=found if _VERSION.fullmatch(found) else UNKNOWN_VERSION,
        entry_points="\n".join(_entry_points(project)),
    )


def sdist_version(files: Mapping[str, bytes]) -> str:
    """The version in a source distribution's ``PKG-INFO``; empty in a plain checkout."""
    match = re.search(rb"^Version: *(\S+)", files.get("PKG-INFO", b""), re.MULTILINE)
    return match[1].decode("ascii", "replace") if match else ""


def _entry_points(project: Mapping[str, object]) -> Iterator[str]:
    named = table(project, "entry-points")
    groups = {"console_scripts": table(project, "scripts"), "gui_scripts": table(project, "gui-scripts")}
    for group, entries in {**groups, **{name: table(named, name) for name in named}}.items():
        if not entries or not _GROUP.fullmatch(group):
            continue
        yield f"[{group}]"
        for name, place in entries.items():
            if _ENTRY.fullmatch(name) and isinstance(place, str) and _OBJECT.fullmatch(place):
                yield f"{name} = {place}"
