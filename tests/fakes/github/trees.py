"""The files of a commit as a test writes them down."""

from collections.abc import Mapping
from dataclasses import dataclass

from fakes.github.objects import EXECUTABLE, FILE, LINK, SUBMODULE, Leaf, Objects


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link."""

    target: str


@dataclass(frozen=True, slots=True)
class Executable:
    """A file with its mode's bit set."""

    content: bytes


@dataclass(frozen=True, slots=True)
class Submodule:
    """Another repository's commit."""

    sha: str


Tree = Mapping[str, bytes | Link | Executable | Submodule | None]
"""Files by path; None deletes."""


def leaf(objects: Objects, content: bytes | Link | Executable | Submodule) -> Leaf:
    """How Git keeps such a file."""
    match content:
        case Link(target):
            return Leaf(mode=LINK, sha=objects.blob(target.encode("utf-8", "surrogateescape")))
        case Executable(inner):
            return Leaf(mode=EXECUTABLE, sha=objects.blob(inner))
        case Submodule(sha):
            return Leaf(mode=SUBMODULE, sha=sha)
        case _:
            return Leaf(mode=FILE, sha=objects.blob(content))
