"""All that a base version has otherwise than the project, so that tests can be run on it.

Nothing of git is run. What cannot be read is left as the project has it; then the tree is not ``whole``.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchedFile, PatchSet

from bot.environments.versions.git_files import UnreadableRepository, opened_repository, place_in_repository
from bot.patch.text import decode, encode, split_lines
from sandbox.snapshot import SKIPPED_DIRECTORIES, SKIPPED_SUFFIXES, Entry, Snapshot, can_be_made

if TYPE_CHECKING:
    from dulwich.repo import Repo

MAX_FILES, MAX_BYTES, MAX_TOTAL = 2_000, 2_000_000, 50_000_000
MAX_DIFF, MAX_HUNKS = 8_000_000, 10_000
MAX_ENTRIES = 200_000
MAX_RENAMED, SIMILAR = 200, 0.5
DOCUMENTS = (".md", ".rst", ".txt")
MAX_DOCUMENT, MAX_ADDED = 500_000, 400
_LINK_TO_LARGE_FILE = b"version https://git-lfs.github.com/spec/"
_PLAIN, _DIRECTORY, _KIND = 0o100000, 0o040000, 0o170000


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseTree:
    """The contents that the base has otherwise, by path; None for a file that it lacks.

    ``kept`` are files that it lacks as well, and that stay, since a build may have made them. ``whole`` says
    that these are all differences.
    """

    files: Mapping[str, bytes | None] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    whole: bool = False

    @property
    def lacks(self) -> frozenset[str]:
        """The Python files that the base does not have."""
        gone = {path for path, data in self.files.items() if data is None}
        return frozenset(path for path in gone | self.kept if path.endswith(".py"))

    def renamed(self, sources: Mapping[str, str]) -> dict[str, str]:
        """The earlier texts of Python files among ``sources`` that had another name, by the name of today."""
        gone = {
            path: Counter(split_lines(decode(data)))
            for path, data in self.files.items()
            if data is not None and path.endswith(".py") and path not in sources
        }
        found: dict[str, str] = {}
        for path in sorted(self.lacks & sources.keys())[:MAX_RENAMED]:
            lines = Counter(split_lines(sources[path]))
            alike = {old: 2 * (lines & other).total() for old, other in list(gone.items())[:MAX_RENAMED]}
            best = max(alike, key=alike.__getitem__, default="")
            if best and alike[best] >= SIMILAR * (lines + gone[best]).total():
                found[path] = decode(self.files[best] or b"")
                del gone[best]
        return found

    def sources(self, snapshot: Snapshot) -> dict[str, str]:
        """The texts that Python files of ``snapshot`` have in the base, as far as they differ."""
        return {
            path: decode(self.files[path] or b"")
            for path, data in snapshot.files.items()
            if path.endswith(".py") and self.files.get(path, data) not in {data, None}
        }

    def laid_over(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` with the base's files."""
        entries = {entry.path: entry for entry in snapshot.entries}
        for path, data in self.files.items():
            if data is None:
                entries.pop(path, None)
            else:
                entries[path] = replace(entries.get(path, Entry(path=path)), data=data, link=None)
        return Snapshot(entries=tuple(sorted(entries.values(), key=lambda entry: entry.path)))

    def documents(self, snapshot: Snapshot) -> tuple[str, ...]:
        """The lines that the change added to its documents."""
        files, added = snapshot.files, list[str]()
        for path in sorted(self.files):
            new, old = files.get(path, b""), self.files[path] or b""
            if path.endswith(DOCUMENTS) and len(new) <= MAX_DOCUMENT and len(old) <= MAX_DOCUMENT:
                lines = unified_diff(decode(old).splitlines(), decode(new).splitlines(), n=0, lineterm="")
                added += [line[1:] for line in list(lines)[2:] if line.startswith("+")]
        return tuple(added[:MAX_ADDED])


def of_commit(project: Path, commit: str, snapshot: Snapshot) -> BaseTree:
    """What the tree of ``commit`` has otherwise below ``project``; nothing where it cannot be read."""
    try:
        with opened_repository(project) as repository:
            return in_repository(repository, commit.encode(), place_in_repository(project), snapshot)
    except UnreadableRepository:
        return BaseTree()


def in_repository(repository: Repo, commit: bytes, prefix: tuple[str, ...], snapshot: Snapshot) -> BaseTree:
    """The same of an open repository, where the project lies at ``prefix``.

    Raises:
        Exception: a directory cannot be read; the library raises anything.
    """
    from dulwich.objects import Blob

    from bot.environments.versions.git_objects import TooLargeError

    there = dict(blobs(repository, commit, prefix))
    head = repository.head()
    tracked = dict(blobs(repository, head, prefix)) if head != commit else there
    here = snapshot.files
    differing: dict[str, bytes | None] = {one: None for one in tracked if one in here and one not in there}
    links = {entry.path for entry in snapshot.entries if entry.link is not None}
    room, whole = MAX_TOTAL, True
    for path, blob in there.items():
        if path in links or (path in here and Blob.from_string(here[path]).id == blob):
            continue
        try:
            found = repository[blob]
        except (TooLargeError, KeyError):  # a partial clone has not all of them
            whole = False
            continue
        data = found.data if isinstance(found, Blob) else b""
        if data.startswith(_LINK_TO_LARGE_FILE) and path in here:
            whole = whole and hashlib.sha256(here[path]).hexdigest().encode() in data
            continue
        room -= len(data)
        if len(data) > MAX_BYTES or room < 0 or len(differing) >= MAX_FILES:
            whole = False
            continue
        differing[path] = data
    return BaseTree(files=differing, whole=whole)


def blobs(repository: Repo, commit: bytes, prefix: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """The plain files below ``prefix`` in the tree of ``commit``, by path, with their objects' ids.

    Raises:
        ValueError: the tree is no tree, or too large.
        KeyError: an object is not there.
    """
    from dulwich.objects import Commit, Tree

    found = repository[commit]
    if not isinstance(found, Commit):
        raise ValueError("no commit")  # noqa: TRY004 - data, not a mistake of the caller
    waiting = [("", found.tree, prefix)]
    count = 0
    while waiting:
        above, name, within = waiting.pop()
        tree = repository[name]
        if not isinstance(tree, Tree):
            raise ValueError("no tree")  # noqa: TRY004 - as above
        for entry in tree.items():
            count += 1
            if count > MAX_ENTRIES:
                raise ValueError("too many entries")
            part = entry.path.decode("utf-8", "surrogateescape")
            path = part if within else f"{above}{part}"
            if within and part != within[0]:
                continue
            kind = entry.mode & _KIND
            if kind == _DIRECTORY and part not in SKIPPED_DIRECTORIES and _is_name(part, path):
                waiting.append(("" if within else f"{path}/", entry.sha, within[1:]))
            elif (
                kind == _PLAIN and not within and _is_name(part, path) and not path.endswith(SKIPPED_SUFFIXES)
            ):
                yield path, entry.sha


def _is_name(part: str, path: str) -> bool:
    return "/" not in part and part not in {"", ".", ".."} and can_be_made(path)


def of_snapshot(base: Snapshot, snapshot: Snapshot) -> BaseTree:
    """What ``base`` has otherwise than ``snapshot``."""
    here, there = snapshot.files, base.files
    differing = {path: data for path, data in there.items() if here.get(path) != data}
    if len(differing) > MAX_FILES or sum(map(len, differing.values())) > MAX_TOTAL:
        return BaseTree()
    return BaseTree(files=differing, kept=frozenset(here.keys() - there.keys()), whole=True)


def of_diff(diff: str, files: Mapping[str, bytes]) -> BaseTree:
    """``files`` with ``diff`` taken back; of a hunk whose new lines are not there, nothing is.

    Raises:
        ValueError: the diff cannot be read.
    """
    if len(diff) > MAX_DIFF or diff.count("\n@@") > MAX_HUNKS:
        raise ValueError("the diff is too large to be read")
    try:
        parts = list(PatchSet(diff))
    except (UnidiffParseError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"the diff cannot be read: {error}") from error
    texts: dict[str, list[str] | None] = {}
    whole = "Binary files " not in diff and "GIT binary patch" not in diff
    # A file that has more than one part was changed in turn.
    for part in reversed(parts):
        whole = _take_back(part, files, texts) and whole
    differing = {
        path: None if lines is None else encode("".join(lines))
        for path, lines in texts.items()
        if all(_is_name(part, path) for part in path.split("/"))
    }
    return BaseTree(files=differing, whole=whole)


def _take_back(part: PatchedFile, files: Mapping[str, bytes], texts: dict[str, list[str] | None]) -> bool:
    """Take one file's ``part`` back in ``texts``; whether all of it could be."""
    path, old = part.path, part.source_file.removeprefix("a/")
    if part.is_added_file:
        texts[path] = None
        return True
    if part.is_removed_file:
        texts[path] = [line.value for hunk in part for line in hunk.source_lines()]
        return True
    lines = texts.get(path)
    if lines is None:
        if path not in files:
            return False
        lines = split_lines(decode(files[path]))
    complete = True
    for hunk in reversed(part):
        new = [line.value for line in hunk.target_lines()]
        start = hunk.target_start - (1 if new else 0)
        if lines[start : start + len(new)] == new:
            lines[start : start + len(new)] = [line.value for line in hunk.source_lines()]
        else:
            complete = False
    texts[old] = lines
    if old != path:
        texts[path] = None
    return complete
