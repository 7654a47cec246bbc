"""Pairs of single changes without a sign that either is right: the last resort of a search.

Two faults behind one check hide each other: a test of a truth fails the same way until both are fixed, so
neither change makes progress. What is left of the budget is worth the likeliest pairs. Nothing is run here.
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence

from bot.domain import Candidate
from bot.search.composition import joined, union

KEPT = 400  # singles that take part; of these there are more pairs than anybody waits for


def guesses(singles: Sequence[Candidate], sources: Mapping[str, str]) -> Iterator[Candidate]:
    """Pairs of ``singles`` that do not touch each other, by the product of their scores, likeliest first."""
    ranked = sorted(singles, key=lambda candidate: -candidate.score)[:KEPT]
    queue = [(-_likelihood(ranked, 0, 1), 0, 1)] if len(ranked) > 1 else []
    while queue:
        _, one, other = heapq.heappop(queue)
        if other + 1 < len(ranked):
            heapq.heappush(queue, (-_likelihood(ranked, one, other + 1), one, other + 1))
        if other == one + 1 and other + 1 < len(ranked):
            heapq.heappush(queue, (-_likelihood(ranked, other, other + 1), other, other + 1))
        first, second = ranked[one], ranked[other]
        patch = union(first.patch, second.patch, sources)
        if patch is not None:
            yield joined(first, second, patch, score=first.score * second.score)


def _likelihood(ranked: Sequence[Candidate], one: int, other: int) -> float:
    return ranked[one].score * ranked[other].score
