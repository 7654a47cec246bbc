"""The base version of a project: a directory, a diff taken back, or a commit read from git's objects.

Nothing of git is run, as in ``bot.environments.checkout``. What cannot be read gives a reason, never an
error: a repair goes on without its base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchedFile, PatchSet

from bot.environments.git_files import UnreadableRepository, opened_repository, place_in_repository, top_of
from bot.environments.revisions import commit_named
from bot.internal_errors import guarded
from bot.patch.text import decode, encode, split_lines

if TYPE_CHECKING:
    from dulwich.repo import Repo

AUTO, NONE = "auto", "none"
MAX_FILES = 2_000
MAX_BYTES = 2_000_000
MAX_DIFF, MAX_HUNKS = 8_000_000, 10_000
MAX_TREES = 256
DEFAULT_BRANCHES = tuple(
    f"refs/{place}/{branch}" for place in ("remotes/origin", "heads") for branch in ("HEAD", "main", "master")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseVersion:
    """The Python files that the base has otherwise, by path; ``name`` says which version it is.

    ``problem`` says in one sentence why there is none, ``note`` what else the name could have meant. What it
    was read from is one of ``directory``, ``diff`` and ``commit`` (its id).
    """

    name: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    note: str = ""
    directory: Path | None = None
    diff: str = ""
    commit: str = ""


def base_version(project: Path, wanted: str, head: Mapping[str, str], *, diff: str = "") -> BaseVersion:
    """The version that ``wanted`` names: a directory, a file with a diff, or a git revision of ``project``.

    ``auto`` and no name stand for ``diff`` taken back, where there is one; ``auto`` else for what a checkout
    shows, if it is one. ``none`` is no version. A name is that of a revision before that of a path, as
    neither may hide the other; one that begins with a dot or a slash is a path's.
    """
    with guarded("the base version"):
        return _base_version(project, wanted, head, diff)
    return BaseVersion()


def _base_version(project: Path, wanted: str, head: Mapping[str, str], diff: str) -> BaseVersion:
    if wanted in {"", AUTO}:
        if diff:
            return of_diff(diff, head)
        return of_checkout(project, "", head) if wanted and top_of(project) else BaseVersion()
    if wanted == NONE:
        return BaseVersion()
    place = Path(wanted)
    if place.is_absolute() or wanted.startswith("."):
        return _of_path(place, head)
    if not place.exists():
        return of_checkout(project, wanted, head)
    found = of_checkout(project, wanted, head) if top_of(project) else BaseVersion(problem="no checkout")
    if found.problem:
        return _of_path(place, head)
    note = f"{wanted} is a revision and a path: the revision is taken; write ./{wanted} for the path"
    return replace(found, name=f"{found.name}, the revision and not the path", note=note)


def _of_path(place: Path, head: Mapping[str, str]) -> BaseVersion:
    if place.is_dir():
        return of_directory(place, head)
    if not place.is_file():
        return BaseVersion(problem=f"{place} is neither a directory nor a file")
    return of_diff(decode(place.read_bytes()), head)


def of_diff(diff: str, head: Mapping[str, str]) -> BaseVersion:
    """``head`` without ``diff``; of a hunk whose new lines are not there, nothing is taken back."""
    if len(diff) > MAX_DIFF or diff.count("\n@@") > MAX_HUNKS:
        return BaseVersion(problem="the diff is too large to be read")
    try:
        texts, _ = taken_back(diff, head.get)
    except ValueError as error:
        return BaseVersion(problem=str(error))
    sources = {
        path: "".join(lines)
        for path, lines in texts.items()
        if lines is not None and path in head and path.endswith(".py")
    }
    return replace(_version("the suspected change's base", sources, head), diff=diff)


def taken_back(diff: str, text_of: Callable[[str], str | None]) -> tuple[dict[str, list[str] | None], bool]:
    """The lines before ``diff`` by path, None for a file that was not there; and whether all of it applied.

    ``text_of`` gives the text after it. Of a hunk whose new lines are not there, nothing is taken back.

    Raises:
        ValueError: the diff cannot be read.
    """
    try:
        parts = list(PatchSet(diff))
    except (UnidiffParseError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"the diff cannot be read: {error}") from error
    texts: dict[str, list[str] | None] = {}
    whole = "Binary files " not in diff and "GIT binary patch" not in diff
    # A file that has more than one part was changed in turn.
    for part in reversed(parts):
        whole = _take_back(part, text_of, texts) and whole
    return texts, whole


def _take_back(
    part: PatchedFile, text_of: Callable[[str], str | None], texts: dict[str, list[str] | None]
) -> bool:
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
        text = text_of(path)
        if text is None:
            return False
        lines = split_lines(text)
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


def of_directory(directory: Path, head: Mapping[str, str]) -> BaseVersion:
    """The files of ``head`` as they are in ``directory``."""
    sources: dict[str, str] = {}
    for path in head:
        file = directory / path
        try:
            if not file.is_symlink() and file.is_file() and file.stat().st_size <= MAX_BYTES:
                sources[path] = decode(file.read_bytes())
        except OSError:
            continue
    if not sources:
        return BaseVersion(problem=f"{directory} has none of the project's Python files")
    return replace(_version(str(directory), sources, head), directory=directory)


def of_checkout(project: Path, revision: str, head: Mapping[str, str]) -> BaseVersion:
    """The files of ``head`` as the commit ``revision`` has them, in the git checkout of ``project``.

    Without a ``revision``: HEAD where files differ from it, else where HEAD's branch left the default branch,
    else HEAD's parent.
    """
    try:
        with opened_repository(project, alone=not revision) as repository:
            for commit, name in _commits(repository, revision):
                sources = dict(_files(repository, commit, place_in_repository(project), head))
                found = replace(_version(name, sources, head), commit=commit.decode())
                if found.sources or revision:
                    return found
    except UnreadableRepository as error:
        return BaseVersion(problem=str(error))
    return BaseVersion(problem="the checkout has no version to compare with")


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


def _files(
    repository: Repo, commit: bytes, prefix: tuple[str, ...], head: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    from dulwich.object_store import tree_lookup_path
    from dulwich.objects import Blob
    from dulwich.objectspec import parse_commit

    from bot.environments.git_objects import TooLargeError

    tree = parse_commit(repository, commit).tree
    trees = lru_cache(MAX_TREES)(repository.__getitem__)
    for path in head:
        name = "/".join((*prefix, path)).encode("utf-8", "surrogateescape")
        try:
            mode, blob = tree_lookup_path(trees, tree, name)
        except KeyError:
            continue  # a new file, or one that a shallow clone has not
        if mode & 0o170000 != 0o100000 or blob == Blob.from_string(encode(head[path])).id:
            continue
        try:
            found = repository[blob]
        except TooLargeError:
            continue
        if isinstance(found, Blob) and len(found.data) <= MAX_BYTES:
            yield path, decode(found.data)


def _version(name: str, sources: Mapping[str, str], head: Mapping[str, str]) -> BaseVersion:
    changed = {path: text for path, text in sources.items() if text != head[path]}
    if len(changed) > MAX_FILES:
        return BaseVersion(problem=f"{len(changed)} files differ from {name}: too many to compare")
    return BaseVersion(name=name, sources=changed)
