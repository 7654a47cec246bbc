"""The commits between two versions, and which of them is the first that fails.

Git's objects are read, and nothing of git is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.environments.versions.git_files import UnreadableRepository, commit_named, opened_repository
from bot.errors import ConfigurationError, quoted

if TYPE_CHECKING:
    from dulwich.objects import Commit
    from dulwich.repo import Repo

MAX_COMMITS = 20_000
MAX_SUBJECT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitRecord:
    """A commit as people know it: ``id`` and ``parents`` in hexadecimal, the ``date`` as YYYY-MM-DD."""

    id: str
    parents: tuple[str, ...]
    subject: str
    author: str
    date: str


def commits_between(project: Path, wanted: str) -> tuple[CommitRecord, ...]:
    """The commits of ``wanted``, which is ``A..B``: A itself first, then each first parent's child up to B.

    Raises:
        ConfigurationError: there are no such commits, or they cannot be read.
    """
    first, dots, last = wanted.partition("..")
    if not dots or not first or last.startswith("."):
        raise ConfigurationError(f"--commits {quoted(wanted)}: name a range, such as v1.0..HEAD")
    with _opened(project) as repository:
        start, end = (_commit(repository, one) for one in (first, last or "HEAD"))
        found = tuple(_chain(repository, start.id, end.id))
    if len(found) < 2:
        raise ConfigurationError(f"--commits {quoted(wanted)}: there is no commit after {quoted(first)}")
    return found


def merged_commits(project: Path, merge: CommitRecord) -> tuple[CommitRecord, ...]:
    """The commits that ``merge`` brought in with its second parent, after the one where that branch begins.

    Raises:
        ConfigurationError: they cannot be read.
    """
    from dulwich.graph import find_merge_base

    with _opened(project) as repository:
        main, side = (one.encode() for one in merge.parents[:2])
        bases = find_merge_base(repository, [main, side])  # type: ignore[list-item]
        return tuple(_chain(repository, bases[0], side)) if bases else ()


def first_failing(count: int, passes: Callable[[int], bool | None]) -> tuple[int, int]:
    """The last of ``count`` versions that passes and the first one after it that fails, by halving.

    The first version passes and the last one fails. Of what lies between the two that are given, ``passes``
    said None: it cannot be judged.
    """
    low, high = 0, count - 1
    unknown: set[int] = set()
    while True:
        left = [one for one in range(low + 1, high) if one not in unknown]
        if not left:
            return low, high
        middle = min(left, key=lambda one: abs(2 * one - low - high))
        answer = passes(middle)
        if answer is None:
            unknown.add(middle)
        elif answer:
            low = middle
        else:
            high = middle


@contextmanager
def _opened(project: Path) -> Iterator[Repo]:
    try:
        with opened_repository(project) as repository:
            yield repository
    except UnreadableRepository as error:
        raise ConfigurationError(f"--commits: {error}") from error


def _commit(repository: Repo, name: str) -> Commit:
    try:
        return commit_named(repository, name)
    except Exception as error:
        raise ConfigurationError(f"--commits: git has no version {quoted(name)}") from error


def _chain(repository: Repo, start: bytes, end: bytes) -> Sequence[CommitRecord]:
    """From ``start`` to ``end`` by first parents; from where the two meet, if ``start`` lies elsewhere."""
    from dulwich.graph import find_merge_base
    from dulwich.objects import Commit

    meeting = find_merge_base(repository, [start, end])  # type: ignore[list-item]
    found: list[CommitRecord] = []
    current: bytes | None = end
    while current is not None and len(found) <= MAX_COMMITS:
        commit = repository[current]
        if not isinstance(commit, Commit):
            break
        found.append(_record(commit))
        if current == start or current in meeting:
            return found[::-1]
        current = commit.parents[0] if commit.parents else None
    raise ConfigurationError(
        f"--commits: the first parents of {end[:12].decode()} do not lead to {start[:12].decode()}: "
        "name two commits of one branch"
    )


def _record(commit: Commit) -> CommitRecord:
    message = commit.message.decode("utf-8", "replace").strip()
    author = commit.author.decode("utf-8", "replace").partition("<")[0].strip()
    try:
        date = datetime.fromtimestamp(commit.commit_time, UTC).strftime("%Y-%m-%d")
    except (OverflowError, OSError, ValueError):
        date = ""
    return CommitRecord(
        id=commit.id.decode(),
        parents=tuple(one.decode() for one in commit.parents),
        subject=" ".join(message.partition("\n")[0].split())[:MAX_SUBJECT],
        author=" ".join(author.split())[:MAX_SUBJECT],
        date=date,
    )
