"""Opens the repository of a checkout. Its own files are looked at first: a pipe would be waited for.

Nothing of git is run: no command, no hook, no filter, no configuration. The repository may be damaged or
hostile.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import RegreenError

if TYPE_CHECKING:
    from dulwich.objects import Commit
    from dulwich.repo import Repo

MAX_ENTRIES = 200_000
MAX_BYTES = 1_000_000
"""Of the configuration, and of files that name another directory."""
MAX_WHOLE = 32_000_000
"""Of a file that a library reads as a whole, such as the one with all references."""


_WAITED_FOR = frozenset({stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFLNK})
# Packs are mapped, other objects are measured before they are read (``git_objects``), the rest is not read.
MAX_STEPS = 100_000
_STEPS = re.compile(r"(?P<name>[^~^]+)(?P<steps>(?:[~^]\d{0,6})+)")
_STEP = re.compile(r"([~^])(\d*)")
_NOT_WHOLE = re.compile(r"objects/(?:pack|[0-9a-f]{2})|(?:logs|lfs|modules|worktrees|rr-cache)(?:/.*)?")


def top_of(project: Path) -> Path | None:
    """The directory at or above ``project`` that holds a ``.git``; None where there is none."""
    return next((place for place in (project, *project.parents) if os.path.lexists(place / ".git")), None)


def place_in_repository(project: Path) -> tuple[str, ...]:
    """The parts of the path from the top of the work tree to ``project``, which is a checkout."""
    top = top_of(project)
    assert top is not None
    return project.resolve().relative_to(top.resolve()).parts


class UnreadableRepository(Exception):
    """A repository, or a version in it, is not read; the message says why."""


@contextmanager
def opened_repository(project: Path, *, alone: bool = False) -> Iterator[Repo]:
    """The repository that ``project`` is a checkout of; its objects are read within limits.

    It has to consist of regular files and directories. With ``alone`` it lies in the checkout, and takes
    nothing from another repository, which may be the user's own.

    Raises:
        UnreadableRepository: it is not read, or it lacks what is asked of it.
    """
    top = top_of(project)
    if top is None:
        raise UnreadableRepository(f"{project} is no git checkout")
    if problem := _why_unreadable(top, alone=alone):
        raise UnreadableRepository(f"the repository is not read: {problem}")
    from bot.environments.versions.git_objects import DAMAGED, LimitError, opened

    try:
        with opened(top) as repository:
            yield repository
    except (RegreenError, UnreadableRepository):
        raise
    except LimitError as error:
        raise UnreadableRepository(f"git's objects are too large: {error}") from error
    except Exception as error:  # the library raises anything, for damaged packs and for bad names
        known = isinstance(error, DAMAGED)
        reason = "git's objects cannot be read" if known else "git has no such version, as in a shallow clone"
        raise UnreadableRepository(f"{reason}: {type(error).__name__}: {str(error)[:200]}") from error


def commit_named(repository: Repo, name: str) -> Commit:
    """The commit that ``name`` stands for, with git's ways to say which before it: ``main~3``, ``v1^2~1``.

    Raises:
        Exception: there is none, or it cannot be read; the library raises anything.
    """
    from dulwich.objects import Commit
    from dulwich.objectspec import parse_commit

    match = _STEPS.fullmatch(name)
    if match is None:
        return parse_commit(repository, name.encode())
    found = parse_commit(repository, match["name"].encode())
    for sign, number in _STEP.findall(match["steps"]):
        count = int(number or 1)
        for place in [0] * min(count, MAX_STEPS) if sign == "~" else [count - 1] * bool(count):
            parent = repository[found.parents[place]]
            if not isinstance(parent, Commit):
                raise ValueError(f"{name!a} has a parent that is no commit")  # noqa: TRY004 - data
            found = parent
    return found


def _why_unreadable(top: Path, *, alone: bool) -> str:
    """Why the repository at ``top`` is not read; empty where it may be."""
    try:
        places = repository_places(top / ".git")
        if alone and (places != [top / ".git"] or (places[0] / "objects" / "info" / "alternates").exists()):
            return "it takes what it has from another place: name the version with --base"
        return next(filter(None, map(_problem, places)), "")
    except (OSError, ValueError) as error:
        return f"it cannot be read: {error}"


def repository_places(place: Path) -> list[Path]:
    """The directories of the repository at ``place``: a worktree's own, then the one that it shares.

    Raises:
        OSError: they cannot be read.
        ValueError: what names them is no small file.
    """
    if not stat.S_ISDIR(os.lstat(place).st_mode):
        place = place.parent / small_file(place).removeprefix("gitdir:").strip()
    shared = place / "commondir"
    return [place, place / small_file(shared).strip()] if shared.exists() else [place]


def small_file(file: Path) -> str:
    """The text of a plain file; an ``OSError`` or a ``ValueError`` where it is none, or large."""
    status = os.lstat(file)
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
        raise ValueError(f"{file.name} is no small file")
    return file.read_text("utf-8", "surrogateescape")


def _problem(place: Path) -> str:
    count = 0
    for directory, names, files in os.walk(place):
        if directory == str(place):
            names[:] = [name for name in names if name != "hooks"]  # nobody reads these
        count += len(names) + len(files)
        if count > MAX_ENTRIES:
            return f"it has more than {MAX_ENTRIES} files"
        found = {name: os.lstat(f"{directory}/{name}") for name in (*names, *files)}
        if not _WAITED_FOR.isdisjoint(stat.S_IFMT(one.st_mode) for one in found.values()):
            return "it has entries that are no plain files"
        inside = os.path.relpath(directory, place)
        if not _NOT_WHOLE.fullmatch(inside):
            large = [name for name in files if found[name].st_size > MAX_WHOLE and name != "index"]
            if large:
                return f"its file {large[0]!a} is too large"
    config = place / "config"
    if config.exists() and "include" in small_file(config).lower():
        return "its configuration includes other files"
    return ""
