"""Candidates that mix the old and the new version of what makes the tests fail, the smallest mixture first.

One token of the old line in the new one, then more of them, then the whole old part: taking a change back is
the last resort, and says what it is.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate, combinations

from bot.domain import Candidate, Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.syntax import alike, parsed, parsed_once, unreachable
from bot.search.difference.pieces import do_the_same, size
from bot.search.difference.replaced_tokens import with_new_names

MAX_PARTS = 12
MAX_MIXTURES = 64
MAX_TOKENS = 1_200
"""Of a part of the change that is mixed."""
ORIGIN = "base"
TAKES_BACK = "take back this part of the change"
# Odds against an invented change: code that the tests passed with is likelier right. Of a large part that is
# taken back, much was wanted.
MIXED, SMALL_BACK, LARGE_BACK = 20.0, 10.0, 0.5
SMALL = 3
"""Lines of what is taken back as a whole without a doubt."""
_TOKENS = re.compile(r"\w+|\s+|[^\w\s]")


def mixtures(
    edits: Sequence[SpanEdit],
    head: Mapping[str, str],
    *,
    exchanges: Counter[tuple[str, str]] | None = None,
    whole_is_needed: bool = False,
    back: Sequence[SpanEdit] = (),
) -> tuple[Candidate, ...]:
    """Candidates from ``edits``, which turn parts of ``head`` back into an older version.

    First they are with the new names of ``exchanges`` (see ``replaced_tokens``). All of them together are
    the last one, but for a change that tests of its own need: as ``back``, where that is the same code.
    """
    found: dict[Patch, Candidate] = {}
    renamed = _renamed(edits, exchanges or Counter())
    if renamed and _is_code(renamed, head):
        why = f"use the old version with the new names: {_shown(renamed.edits, head)}"
        found[renamed] = _candidate(renamed, why, MIXED)
    for patch in _patches(edits, head):
        if len(found) >= MAX_MIXTURES:
            break
        if patch not in found and _is_code(patch, head):
            why = f"use part of the old version: {_shown(patch.edits, head)}"
            found[patch] = _candidate(patch, why, MIXED)
    whole = Patch(edits=tuple(edits))
    found.pop(whole, None)
    if not whole_is_needed and _is_code(whole, head):
        score = SMALL_BACK if size(edits, head) <= SMALL else LARGE_BACK
        whole = Patch(edits=tuple(back or edits))
        found[whole] = _candidate(whole, f"{TAKES_BACK}: {_shown(edits, head)}", score)
    return tuple(found.values())


def _candidate(patch: Patch, why: str, score: float) -> Candidate:
    return Candidate(patch=patch, origin=ORIGIN, explanation=why, score=score, order=len(patch.edits))


def labelled(candidate: Candidate, edits: Sequence[SpanEdit], head: Mapping[str, str]) -> str:
    """The explanation of ``candidate``, whoever made it; where it does the same as ``edits``, it says so."""
    why = candidate.explanation
    if not why.startswith(TAKES_BACK) and do_the_same(candidate.patch.edits, edits, head):
        return f"{why}: {TAKES_BACK}"
    return why


def _patches(edits: Sequence[SpanEdit], head: Mapping[str, str]) -> Iterator[Patch]:
    cut = [(edit, _parts(edit, head)) for edit in edits[:MAX_MIXTURES]]
    for count in (1, 2):
        for edit, parts in cut:
            others = [one for one in edits if one is not edit]
            if len(parts) > count:
                for some in combinations(parts[:MAX_PARTS], count):
                    yield Patch(edits=(*some,))
                    if others:
                        yield Patch(edits=(*others, *some))


def _renamed(edits: Sequence[SpanEdit], exchanges: Counter[tuple[str, str]]) -> Patch | None:
    """``edits`` with the new names; None where that makes no difference."""
    found = tuple(replace(one, replacement=with_new_names(one.replacement, exchanges)) for one in edits)
    return Patch(edits=found) if found != tuple(edits) else None


def _parts(edit: SpanEdit, head: Mapping[str, str]) -> list[SpanEdit]:
    """``edit`` as edits of single runs of tokens; none where there are too many to compare."""
    new = _TOKENS.findall(head[edit.path][edit.start : edit.end])
    old = _TOKENS.findall(edit.replacement)
    if max(len(new), len(old)) > MAX_TOKENS:
        return []
    starts = [*accumulate(map(len, new), initial=edit.start)]
    return [
        SpanEdit(path=edit.path, start=starts[j1], end=starts[j2], replacement="".join(old[i1:i2]))
        for kind, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
    ]


def _is_code(patch: Patch, head: Mapping[str, str]) -> bool:
    """Whether what ``patch`` makes is other code that parses, and leaves no more that is never reached."""
    try:
        after = apply(patch, head)
    except PatchError:
        return False
    trees = [(parsed(text), parsed_once(head[path])) for path, text in after.items()]
    return any(_is_other(new, old) for new, old in trees) and all(
        new is not None and (old is None or unreachable(new) <= unreachable(old)) for new, old in trees
    )


def _is_other(new: ast.Module | None, old: ast.Module | None) -> bool:
    try:
        return not alike(new, old)
    except RecursionError:  # nested too deeply to be compared
        return True


def _shown(edits: Sequence[SpanEdit], head: Mapping[str, str]) -> str:
    edit = edits[0]
    new, old = (" ".join(text.split()) for text in (head[edit.path][edit.start : edit.end], edit.replacement))
    more = f" and {len(edits) - 1} more" if len(edits) > 1 else ""
    return f"{_quoted(new)} -> {_quoted(old)}{more}"


def _quoted(text: str) -> str:
    return f"`{text[:60]}{'...' if len(text) > 60 else ''}`" if text else "nothing"
