"""Two changes as one patch: on the original text, whatever the second was made on.

A second change is thought of on the text that the first one left. What it touches of the first one's text
becomes one edit with it; all else moves to where it stood in the original. Which changes to put together is
decided in ``stream``; ``guesses`` are the pairs that rest on no sign that either is right.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from bot.domain import Candidate, Patch, SpanEdit

# A pair rests on two guesses where a single change rests on one; progress says how good the first was.
PAIR_SHARE = 0.5
KEPT = 400  # singles that take part; of these there are more pairs than anybody waits for


def on_top(first: Candidate, second: Candidate) -> Candidate:
    """``second``, which is a change of what ``first`` makes of the sources, together with it."""
    patch = compose(first.patch, second.patch)
    return joined(first, second, patch, score=PAIR_SHARE * first.score * second.score)


def compose(first: Patch, second: Patch) -> Patch:
    """The patch that does to the original what ``second`` does to the outcome of ``first``.

    Args:
        first: edits against the original.
        second: edits against the text that ``first`` gives.

    Returns:
        Edits against the original that do not overlap.
    """
    edits: list[SpanEdit] = []
    for path in dict.fromkeys(edit.path for edit in (*first.edits, *second.edits)):
        before = sorted(_of(first, path), key=lambda edit: (edit.start, edit.end))
        edits += _composed(path, before, _of(second, path))
    return Patch(edits=tuple(edits))


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


def _of(patch: Patch, path: str) -> list[SpanEdit]:
    return [edit for edit in patch.edits if edit.path == path]


class _Piece(NamedTuple):
    """What an edit of the first patch put into its text, and by how much that made it longer."""

    start: int
    end: int
    code: str
    growth: int


def _composed(path: str, first: Sequence[SpanEdit], second: Sequence[SpanEdit]) -> list[SpanEdit]:
    pieces: list[_Piece] = []
    shift = 0
    for edit in first:
        growth = len(edit.replacement) - (edit.end - edit.start)
        start = edit.start + shift
        pieces.append(_Piece(start, start + len(edit.replacement), edit.replacement, growth))
        shift += growth
    return [_merged(path, group, pieces) for group in _groups([*pieces, *second])]


def _groups(spans: Sequence[_Piece | SpanEdit]) -> list[list[_Piece | SpanEdit]]:
    """Spans that touch one another, directly or through others."""
    groups: list[list[_Piece | SpanEdit]] = []
    reach = -1
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if span.start > reach:
            groups.append([])
        reach = max(reach, span.end)
        groups[-1].append(span)
    return groups


def _merged(path: str, group: Sequence[_Piece | SpanEdit], pieces: Sequence[_Piece]) -> SpanEdit:
    """One edit of the original for a group: every character in its reach belongs to one of its spans."""
    start, end = min(span.start for span in group), max(span.end for span in group)
    touched = [span for span in group if isinstance(span, _Piece)]
    code, position = "", start
    for edit in group:
        if isinstance(edit, SpanEdit):
            code += _kept(touched, position, edit.start) + edit.replacement
            position = edit.end
    return SpanEdit(
        path=path,
        start=start - sum(piece.growth for piece in pieces if piece.end < start),
        end=end - sum(piece.growth for piece in pieces if piece.start <= end),
        replacement=code + _kept(touched, position, end),
    )


def _kept(pieces: Sequence[_Piece], start: int, end: int) -> str:
    """What stands between two places of the first patch's text, all of which it wrote."""
    return "".join(
        piece.code[max(start - piece.start, 0) : max(end - piece.start, 0)]
        for piece in pieces
        if piece.start <= end and start <= piece.end
    )


def guesses(singles: Sequence[Candidate]) -> Iterator[Candidate]:
    """Pairs of ``singles`` that do not touch each other, by the product of their scores, likeliest first."""
    ranked = sorted(singles, key=lambda candidate: -candidate.score)[:KEPT]
    pairs = sorted(combinations(ranked, 2), key=lambda pair: -pair[0].score * pair[1].score)
    for first, second in pairs:
        patch = union(first.patch, second.patch)
        if patch is not None:
            yield joined(first, second, patch, score=first.score * second.score)
