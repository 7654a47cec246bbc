"""What a job runs, as plain commands: the one form that tools, scripts and targets are expanded to."""

import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

_WORKSPACE = re.compile(r"\$\{\{ *github\.workspace *\}\}|\$\{?GITHUB_WORKSPACE\}?|\$\{?PWD\}?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command with its working directory, relative to the repository, and the variables set for it.

    Of a script's commands, the directory is relative to the script's, or absolute.

    ``fresh`` begins an environment of its own, as tox does: nothing that was installed before counts.
    """

    words: tuple[str, ...]
    directory: str = "."
    environment: tuple[tuple[str, str], ...] = ()
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInvocation:
    """A call of a tool in ``directory`` of the project's ``files``, with the ``variables`` of its job.

    ``python`` is like ``3.12``, and empty where it is not known.
    """

    words: Sequence[str]
    files: Mapping[str, bytes]
    directory: str = "."
    variables: Mapping[str, str] = field(default_factory=dict)
    python: str = ""


def environment_commands(
    tool: str, directory: str, variables: tuple[tuple[str, str], ...], install: Sequence[str]
) -> list[Command]:
    """The commands that make an environment of ``tool`` and ``install`` into it, by the words of pip."""
    made = Command(words=(tool,), directory=directory, environment=variables, fresh=True)
    return [made, *([replace(made, words=("pip", "install", *install), fresh=False)] if install else [])]


def inside(directory: str, name: str) -> str:
    """The path of ``name`` in ``directory``, as the project's files are called."""
    return posixpath.normpath(posixpath.join(directory, name))


def split_words(line: str) -> list[str]:
    """The words of a command line, as far as its quotes can be read."""
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return line.split()


def directory_of(text: str, *, base: str = ".") -> str | None:
    """The directory that ``text`` names, relative to the repository; None where it lies elsewhere."""
    path = _WORKSPACE.sub(".", text.strip()).replace("\\", "/") or "."
    if _WORKSPACE.search(text):
        base = "."
    if path.startswith(("/", "~", "$")):
        return None
    joined = inside(base, path)
    return None if joined == ".." or joined.startswith("../") else joined
