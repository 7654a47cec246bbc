"""The base version of a project: a directory, a diff taken back, or a commit read from git's objects.

What cannot be read gives a reason, never an error: a repair goes on without its base.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bot.environments.versions.base_tree import (
    MAX_BYTES,
    MAX_FILES,
    BaseTree,
    in_repository,
    of_diff,
    of_snapshot,
)
from bot.environments.versions.git_files import (
    UnreadableRepository,
    commit_named,
    opened_repository,
    place_in_repository,
    top_of,
)
from bot.internal_errors import guarded
from bot.patch.text import decode
from sandbox.errors import SandboxError
from sandbox.snapshot import Snapshot, take

if TYPE_CHECKING:
    from dulwich.repo import Repo

AUTO, NONE = "auto", "none"
MAX_MESSAGES, MAX_LINES, MAX_LINE = 50, 400, 1_000
DEFAULT_BRANCHES = tuple(
    f"refs/{place}/{branch}" for place in ("remotes/origin", "heads") for branch in ("HEAD", "main", "master")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseVersion:
    """What the base has otherwise: its ``sources`` are Python files of the project, its ``tree`` all files.

    ``name`` says which version it is, ``problem`` in one sentence why there is none, ``note`` what else the
    name could have meant. ``messages`` are the lines of the commits' messages since it.
    """

    name: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    tree: BaseTree = field(default_factory=BaseTree)
    problem: str = ""
    note: str = ""
    messages: tuple[str, ...] = ()


def base_version(project: Path, wanted: str, snapshot: Snapshot, *, diff: str = "") -> BaseVersion:
    """The version that ``wanted`` names, compared with ``snapshot``, which is ``project``.

    It is a directory, a file with a diff, or a git revision. ``auto`` and no name stand for ``diff`` taken
    back, where there is one; ``auto`` else for what a checkout shows, if it is one. ``none`` is no version. A
    name is that of a revision before that of a path, as neither may hide the other; one that begins with a
    dot or a slash is a path's.
    """
    with guarded("the base version"):
        return _base_version(project, wanted, snapshot, diff)
    return BaseVersion()


def _base_version(project: Path, wanted: str, snapshot: Snapshot, diff: str) -> BaseVersion:
    if wanted in {"", AUTO}:
        if diff:
            return _of_diff(diff, snapshot)
        return _of_checkout(project, "", snapshot) if wanted and top_of(project) else BaseVersion()
    if wanted == NONE:
        return BaseVersion()
    place = Path(wanted)
    if place.is_absolute() or wanted.startswith("."):
        return _of_path(place, snapshot)
    if not place.exists():
        return _of_checkout(project, wanted, snapshot)
    found = _of_checkout(project, wanted, snapshot) if top_of(project) else BaseVersion(problem="no checkout")
    if found.problem:
        return _of_path(place, snapshot)
    note = f"{wanted} is a revision and a path: the revision is taken; write ./{wanted} for the path"
    return replace(found, name=f"{found.name}, the revision and not the path", note=note)


def _of_path(place: Path, snapshot: Snapshot) -> BaseVersion:
    if place.is_dir():
        return _of_directory(place, snapshot)
    if not place.is_file():
        return BaseVersion(problem=f"{place} is neither a directory nor a file")
    return _of_diff(decode(place.read_bytes()), snapshot)


def _of_diff(diff: str, snapshot: Snapshot) -> BaseVersion:
    try:
        return version_of("the suspected change's base", of_diff(diff, snapshot.files), snapshot)
    except ValueError as error:
        return BaseVersion(problem=str(error))


def _of_directory(directory: Path, snapshot: Snapshot) -> BaseVersion:
    try:
        there = take(directory, largest=MAX_BYTES)
    except (OSError, SandboxError) as error:
        return BaseVersion(problem=f"{directory} cannot be read: {error}")
    if not any(path.endswith(".py") for path in there.files.keys() & snapshot.files.keys()):
        return BaseVersion(problem=f"{directory} has none of the project's Python files")
    tree = of_snapshot(there, snapshot)
    if not tree.whole:
        return BaseVersion(problem=f"too many files of {directory} differ to compare")
    return version_of(str(directory), tree, snapshot)


def version_of(name: str, tree: BaseTree, snapshot: Snapshot) -> BaseVersion:
    """The version ``name`` with the files of ``tree``."""
    if not tree.whole and len(tree.files) >= MAX_FILES:
        return BaseVersion(problem=f"more than {MAX_FILES} files differ from {name}: too many to compare")
    return BaseVersion(name=name, tree=tree, sources=tree.sources(snapshot))


def _of_checkout(project: Path, revision: str, snapshot: Snapshot) -> BaseVersion:
    """The commit ``revision`` in the git checkout of ``project``.

    Without a ``revision``: HEAD where files differ from it, else where HEAD's branch left the default branch,
    else HEAD's parent.
    """
    try:
        with opened_repository(project, alone=not revision) as repository:
            for commit, name in _commits(repository, revision):
                tree = in_repository(repository, commit, place_in_repository(project), snapshot)
                found = version_of(name, tree, snapshot)
                if found.sources or revision:
                    return replace(found, messages=_messages(repository, commit))
    except UnreadableRepository as error:
        return BaseVersion(problem=str(error))
    return BaseVersion(problem="the checkout has no version to compare with")


def _messages(repository: Repo, base: bytes) -> tuple[str, ...]:
    """The lines of the messages of the commits from ``base`` to HEAD, as far as they can be read."""
    from dulwich.objects import ObjectID

    found: list[str] = []
    with guarded("the commits' messages"):
        head = repository.head()
        for entry in repository.get_walker([head], exclude=[ObjectID(base)], max_entries=MAX_MESSAGES):
            found += entry.commit.message.decode("utf-8", "replace").splitlines()
    return tuple(line[:MAX_LINE] for line in found[:MAX_LINES])


def _commits(repository: Repo, revision: str) -> Iterator[tuple[bytes, str]]:
    """The commits to compare with, the likeliest first, and their names."""
    from dulwich.graph import find_merge_base
    from dulwich.objectspec import parse_commit
    from dulwich.refs import Ref

    if revision:
        found = commit_named(repository, revision)
        yield found.id, f"{revision} ({found.id[:12].decode()})"
        return
    head = repository.head()
    yield head, "HEAD"
    for reference in DEFAULT_BRANCHES:
        name = Ref(reference.encode())
        if name in repository.refs:
            bases = find_merge_base(repository, [head, repository.refs[name]])
            if bases and bases[0] != head:
                yield bases[0], f"{bases[0][:12].decode()}, where the branch begins"
                return
            break
    commit = parse_commit(repository, head)
    if commit.parents:
        yield commit.parents[0], f"{commit.parents[0][:12].decode()}, the parent of HEAD"
