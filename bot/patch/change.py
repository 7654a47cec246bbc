"""The change between two versions of a project as a patch, or why no patch can express it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.domain import Patch
from bot.errors import EmptyPatch, InexpressibleChange, PatchError
from bot.patch.apply import apply, from_sources
from bot.patch.replies.diffs import read_diff
from bot.patch.text import decode, is_encodable, one_line

OUTSIDE = "lies outside of the project, whose tests say nothing of it"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A path that two versions have otherwise; None for no plain file there.

    ``problem`` says of the path why no patch can express the change, empty where one can.
    """

    path: str
    before: bytes | None
    after: bytes | None
    problem: str = ""


def file_change(
    path: str, before: bytes | None, after: bytes | None, *, modes: frozenset[object], plain: bool
) -> FileChange:
    """The change of the file at ``path``, which has the ``modes``, and is ``plain`` on both sides."""
    problem = ""
    if not plain:
        problem = "is or was a link or a submodule"
    elif after is None:
        problem = "is deleted"
    elif len(modes) > 1:
        problem = "gets another mode"
    return FileChange(path=path, before=before, after=after, problem=problem)


def patch_of(changes: Iterable[FileChange], files: Mapping[str, bytes]) -> Patch:
    """``changes`` as a patch to ``files``.

    Raises:
        EmptyPatch: nothing changes.
        InexpressibleChange: a file is deleted, a mode changes, or something is no plain file.
        PatchError: ``files`` has something else at a path than the version before.
    """
    old: dict[str, str | None] = {}
    new: dict[str, str] = {}
    for change in changes:
        if change.problem or change.after is None:
            raise InexpressibleChange(
                f"{one_line(change.path)} {change.problem}: only changed and new files are accepted"
            )
        if files.get(change.path) != change.before:
            raise PatchError(f"{one_line(change.path)} is another file than the one that it changes")
        old[change.path] = None if change.before is None else decode(change.before)
        new[change.path] = decode(change.after)
    if not new:
        raise EmptyPatch("it changes nothing")
    return from_sources(old, new)


def patch_in(text: str, files: Mapping[str, bytes], *, above: str = "") -> Patch:
    """The unified diff ``text`` as a patch to ``files``.

    Its paths may begin with ``above``, the project's place in its repository: ``service/``, empty at the top.

    Raises:
        EmptyPatch: nothing changes.
        InexpressibleChange: it deletes or renames a file, changes a mode, holds binary data, or makes a file
            outside of the project.
        PatchError: it is no diff, or does not fit ``files``.
    """
    heads = tuple(f"+++ {side}{above}" for side in ("b/", '"b/', ""))
    above = above if any(line.startswith(heads) for line in text.split("\n")) else ""
    # Of data, which may be large, only what the diff names is decoded; git may write a name in another way.
    quoted = '+++ "' in text
    named = (path for path in files if quoted or path.endswith(".py") or path.rpartition("/")[2] in text)
    sources = {above + path: decode(files[path]) for path in named}
    patch = read_diff(text, sources)
    if patch is None:
        raise PatchError("it holds no patch")
    changed = apply(patch, sources)
    if not changed:
        raise EmptyPatch("it changes nothing")
    for path in (path for path, new in changed.items() if not is_encodable(path + new)):
        raise PatchError(f"the new text for {path!r} is not valid Unicode")
    for path in (path for path in changed if not path.startswith(above)):
        raise InexpressibleChange(f"{one_line(path)} {OUTSIDE}")
    return from_sources(
        {path.removeprefix(above): source for path, source in sources.items()},
        {path.removeprefix(above): source for path, source in changed.items()},
    )
