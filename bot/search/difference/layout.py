"""A part of the change that is taken back, in the old version's own lines and indentation.

The smallest part leaves out what makes no difference to the tests: lines that are only indented otherwise.
"""

from collections.abc import Mapping, Sequence

from bot.domain import SpanEdit
from bot.search.difference.pieces import do_the_same, hunks, overlap, size

MAX_MORE = 2
"""So many times the lines of a part its whole block may have: more of it is layout that was wanted."""


def as_laid_out(
    edits: Sequence[SpanEdit], base: Mapping[str, str], head: Mapping[str, str]
) -> tuple[SpanEdit, ...]:
    """The whole blocks of ``base`` that ``edits`` are parts of, where that is the same code; or ``edits``."""
    paths = {one.path for one in edits}
    old, new = ({path: files[path] for path in paths if path in files} for files in (base, head))
    blocks = tuple(one for one in hunks(old, new) if any(overlap(one, edit) for edit in edits))
    if not blocks or size(blocks, head) > MAX_MORE * size(edits, head):
        return tuple(edits)
    return blocks if do_the_same(edits, blocks, head) else tuple(edits)
