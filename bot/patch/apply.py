"""Patches to sources and back: apply edits, and derive the smallest line edits between two states.

A patch can change and create files; it cannot delete, rename or change modes, on purpose.
"""

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.text import Sources, line_changes, split_lines


def apply(patch: Patch, sources: Sources) -> dict[str, str]:
    """The new sources of the files that ``patch`` changes or creates.

    A file whose text comes out as it was is left out. Insertions at one offset keep the patch's order.

    Raises:
        PatchError: edits overlap, an offset lies outside the text, or a file that does not exist is
            edited anywhere but at its start.
    """
    by_path: defaultdict[str, list[SpanEdit]] = defaultdict(list)
    for edit in patch.edits:
        by_path[edit.path].append(edit)
    changed = {path: _edited(path, edits, sources.get(path)) for path, edits in by_path.items()}
    return {path: source for path, source in changed.items() if sources.get(path) != source}


def from_sources(old: Mapping[str, str | None], new: Mapping[str, str]) -> Patch:
    """The smallest line-based patch from ``old`` to ``new``.

    A path that is None or absent in ``old`` is created; paths that only ``old`` holds are left alone.
    """
    edits: list[SpanEdit] = []
    for path in sorted(new):
        before = old.get(path)
        if before is None:
            edits.append(SpanEdit(path=path, start=0, end=0, replacement=new[path]))
        elif before != new[path]:
            edits.extend(_line_edits(path, before, new[path]))
    return Patch(edits=tuple(edits))


def _edited(path: str, edits: list[SpanEdit], source: str | None) -> str:
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    length = len(source or "")
    for edit in ordered:
        if source is None and (edit.start, edit.end) != (0, 0):
            raise PatchError(f"{path!r} does not exist: it can only be created, by an edit at 0-0")
        if not 0 <= edit.start <= edit.end <= length:
            raise PatchError(
                f"edit {edit.start}-{edit.end} lies outside {path!r}, which has {length} characters"
            )
    for first, second in pairwise(ordered):
        if second.start < first.end:
            raise PatchError(
                f"edits {first.start}-{first.end} and {second.start}-{second.end} of {path!r} overlap"
            )
    pieces: list[str] = []
    position = 0
    for edit in ordered:
        pieces += [(source or "")[position : edit.start], edit.replacement]
        position = edit.end
    return "".join([*pieces, (source or "")[position:]])


def _line_edits(path: str, before: str, after: str) -> list[SpanEdit]:
    old, new = split_lines(before), split_lines(after)
    offsets = [0]
    for line in old:
        offsets.append(offsets[-1] + len(line))
    return [
        SpanEdit(
            path=path,
            start=offsets[change.old_start],
            end=offsets[change.old_end],
            replacement="".join(new[change.new_start : change.new_end]),
        )
        for change in line_changes(old, new)
    ]
