"""What a branch changes since it left HEAD, out of git's objects."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot.environments.versions.git_files import (
    UnreadableRepository,
    commit_named,
    opened_repository,
    place_in_repository,
)
from bot.patch.change import OUTSIDE, FileChange, file_change

if TYPE_CHECKING:
    from dulwich.repo import Repo

MAX_FILES = 1_000


def branch_change(project: Path, name: str) -> tuple[FileChange, ...]:
    """The files below ``project`` that the branch, or another version, ``name`` has changed.

    Raises:
        UnreadableRepository: there is no such version, or git's objects cannot be read.
    """
    from dulwich.graph import find_merge_base

    with opened_repository(project) as repository:
        tip, head = commit_named(repository, name).id, repository.head()
        bases = find_merge_base(repository, [head, tip])
        if not bases:
            raise UnreadableRepository(f"{name} and HEAD have no commit in common")
        if bases[0] == tip:
            raise UnreadableRepository(f"HEAD has all of {name} already: check out the version before it")
        return tuple(_changes(repository, (bases[0], tip), place_in_repository(project)))


def _changes(repository: Repo, commits: tuple[bytes, bytes], place: tuple[str, ...]) -> Iterator[FileChange]:
    from dulwich.diff_tree import tree_changes
    from dulwich.objectspec import parse_commit

    above = "".join(f"{part}/" for part in place)
    trees = [parse_commit(repository, commit).tree for commit in commits]
    for count, change in enumerate(tree_changes(repository.object_store, *trees)):
        if count >= MAX_FILES:
            raise UnreadableRepository(f"more than {MAX_FILES} files differ")
        sides = [side for side in (change.old, change.new) if side and side.path]
        path = sides[0].path.decode("utf-8", "surrogateescape")
        if not path.startswith(above):
            yield FileChange(path=path, before=None, after=None, problem=OUTSIDE)
            continue
        before, after = (
            repository[side.sha].as_raw_string() if side in sides and stat.S_ISREG(side.mode) else None
            for side in (change.old, change.new)
        )
        yield file_change(
            path.removeprefix(above),
            before,
            after,
            modes=frozenset(side.mode for side in sides),
            plain=all(stat.S_ISREG(side.mode) for side in sides),
        )
