"""Two changes as one patch: on the original text, whatever the second was made on.

A second change is thought of on the text that the first one left. Which changes to put together is decided in
``stream``; ``guesses`` are the pairs that rest on no sign that either is right.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate, combinations

from bot.domain import Candidate, Patch, SpanEdit
from bot.patch.apply import apply, from_sources

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
# A pair rests on two guesses where a single change rests on one; progress says how good the first was.
PAIR_SHARE = 0.5
KEPT = 400  # singles that take part; of these there are more pairs than anybody waits for


def on_top(
    first: Candidate, second: Candidate, sources: Mapping[str, str], changed: Mapping[str, str]
) -> Candidate:
    """``second``, which is a change of what ``first`` makes of ``sources``, together with it."""
    done = {**changed, **apply(second.patch, changed)}
    paths = (*first.patch.paths, *second.patch.paths)
    edits = from_sources(sources, {path: done[path] for path in paths}).edits
    patch = Patch(edits=tuple(part for edit in edits for part in _parts(edit, sources)))
    return joined(first, second, patch, score=PAIR_SHARE * first.score * second.score)


def _parts(edit: SpanEdit, sources: Mapping[str, str]) -> Iterator[SpanEdit]:
    """An edit of whole lines as edits of their words, of which each may turn out to be needless."""
    old = _WORD.findall(sources.get(edit.path, "")[edit.start : edit.end])
    new = _WORD.findall(edit.replacement)
    starts = [*accumulate(map(len, old), initial=edit.start)]
    for kind, low, high, new_low, new_high in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            kept = "".join(new[new_low:new_high])
            yield replace(edit, start=starts[low], end=starts[high], replacement=kept)


def union(one: Patch, other: Patch) -> Patch | None:
    """Both patches, which are against the same original; None where they get in each other's way."""
    for edit in one.edits:
        for alternative in other.edits:
            # Two insertions at one place have no order of their own.
            apart = edit.start > alternative.end or alternative.start > edit.end
            if edit.path == alternative.path and not apart:
                return None
    return Patch(edits=(*one.edits, *other.edits))


def joined(first: Candidate, second: Candidate, patch: Patch, *, score: float) -> Candidate:
    """Two candidates as one, with the ``patch`` that does what both do."""
    return replace(
        second,
        patch=patch,
        origin=f"{first.origin} + {second.origin}",
        explanation=f"{first.explanation}; {second.explanation}",
        score=score,
        order=first.order + second.order,
    )


def guesses(singles: Sequence[Candidate]) -> Iterator[Candidate]:
    """Pairs of ``singles`` that do not touch each other, by the product of their scores, likeliest first."""
    ranked = sorted(singles, key=lambda candidate: -candidate.score)[:KEPT]
    pairs = sorted(combinations(ranked, 2), key=lambda pair: -pair[0].score * pair[1].score)
    for first, second in pairs:
        patch = union(first.patch, second.patch)
        if patch is not None:
            yield joined(first, second, patch, score=first.score * second.score)
