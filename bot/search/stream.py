"""What to try next: single changes, and second ones on top of those that made progress.

Debroy and Wong combine mutants blindly ("Combining Mutation and Fault Localization", JSS 2014); here only a
change that brought a test further is a base, and the second one is looked for where its tests fail now. Equal
input gives the same stream, with what was learned at the same place in it: a resumed run draws it anew.
Nothing is run here.
"""

import heapq
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from bot.domain import Base, Candidate, Patch, Suspicion
from bot.internal_errors import each, guarded
from bot.patch.apply import apply
from bot.search.candidates import candidates
from bot.search.composition import PAIR_SHARE, guesses, joined, on_top, union
from bot.search.neighbours import neighbours
from sandbox.reports import TestResult


class Stream:
    """Candidates, likeliest first; ``learn`` adds bases, ``draw`` takes the next candidate.

    ``first`` are drawn before all others. ``most_guesses`` pairs that rest on no base come last, when all
    else was drawn. Those of ``accepted`` operators are likelier.
    """

    def __init__(  # noqa: PLR0913 - what a stream is made of, each by its name
        self,
        sources: Mapping[str, str],
        suspicions: Sequence[Suspicion],
        failing: Sequence[TestResult] = (),
        *,
        most_guesses: int = 0,
        first: Sequence[Candidate] = (),
        accepted: Collection[str] = (),
    ) -> None:
        self._sources = sources
        self._tried: list[Candidate] = []
        self._most_guesses = most_guesses
        self._guesses: Iterator[Candidate] | None = None
        self._single = _Ahead(lambda: candidates(sources, suspicions, failing, accepted=accepted))
        self._pairs: list[tuple[float, int, _Pairs]] = []
        self._first = deque(first)
        self._failing = tuple(failing)
        self._near: Iterator[Candidate] | None = None
        self._unions: deque[Candidate] = deque()
        self._bases: list[Base] = []
        self._seen: set[int] = set()
        self._was_pair = False

    def learn(self, bases: Sequence[Base]) -> None:
        """Build upon ``bases`` from now on; those that are known already come first among them."""
        for base in bases[len(self._bases) :]:
            self._unions.extend(each("the search's unions", partial(self._united, base)))
            self._bases.append(base)
            pairs = _Pairs(base, self._sources)
            heapq.heappush(self._pairs, (-pairs.bound, len(self._bases), pairs))

    def look_around(self, found: Candidate) -> None:
        """Draw the neighbours of ``found``, which passes the tests, before all else; once only."""
        if self._near is None:
            self._near = each(
                "a patch's neighbours", partial(neighbours, found, self._sources, self._failing)
            )

    def draw(self) -> Candidate | None:
        """The next candidate; None when there is nothing left, until more is learned."""
        while True:
            found = self._next()
            if found is None:
                return None
            new = False
            with guarded("the search's stream"):
                new = self._is_new(found.patch)
            if new:
                self._was_pair = found.order > 1
                return found

    def _next(self) -> Candidate | None:
        if self._near is not None and (near := next(self._near, None)):
            return near
        if self._first:
            return self._first.popleft()
        if self._unions:
            return self._unions.popleft()
        single = self._single.score
        # Single changes are never starved: a pair is followed by one of them.
        if self._was_pair and single is not None:
            return self._take_single()
        while self._pairs and -self._pairs[0][0] > (single or 0.0):
            bound, number, pairs = heapq.heappop(self._pairs)
            now = pairs.score
            if now is None:
                continue
            if now < -bound:  # the bound was a guess: others may be likelier
                heapq.heappush(self._pairs, (-now, number, pairs))
                continue
            heapq.heappush(self._pairs, (bound, number, pairs))
            return pairs.take()
        return self._take_single() if single is not None else self._guess()

    def _take_single(self) -> Candidate | None:
        taken = self._single.take()
        if taken is not None:
            self._tried.append(taken)
        return taken

    def _guess(self) -> Candidate | None:
        if self._guesses is None:
            pairs = each("the search's guesses", partial(guesses, self._tried))
            self._guesses = islice(pairs, self._most_guesses)
        return next(self._guesses, None)

    def _united(self, base: Base) -> Iterator[Candidate]:
        """``base`` together with those that repair what it does not."""
        for other in self._bases:
            one, two = set(other.attempt.fixed), set(base.attempt.fixed)
            if one <= two or two <= one:
                continue
            first, second = other.attempt.candidate, base.attempt.candidate
            patch = union(first.patch, second.patch)
            if patch is not None:
                yield joined(first, second, patch, score=max(first.score, second.score))

    def _is_new(self, patch: Patch) -> bool:
        result = hash(frozenset(apply(patch, self._sources).items()))
        if result in self._seen or result == _NOTHING:
            return False
        self._seen.add(result)
        return True


_NOTHING = hash(frozenset[tuple[str, str]]())


class _Ahead:
    """An iterator of candidates that knows the next one's score."""

    def __init__(self, stream: Callable[[], Iterator[Candidate]]) -> None:
        self._stream = each("the search's stream", stream)
        self._waiting: Candidate | None = None

    @property
    def score(self) -> float | None:
        """The next one's score; None at the end."""
        if self._waiting is None:
            self._waiting = next(self._stream, None)
        return self._waiting.score if self._waiting else None

    def take(self) -> Candidate | None:
        """The next one; None at the end."""
        taken = self._waiting or next(self._stream, None)
        self._waiting = None
        return taken


class _Pairs(_Ahead):
    """Second changes on top of a base, read when they are first asked for."""

    def __init__(self, base: Base, sources: Mapping[str, str]) -> None:
        super().__init__(partial(self._made, base, sources))
        self.bound = base.attempt.progress * PAIR_SHARE

    def _made(self, base: Base, sources: Mapping[str, str]) -> Iterator[Candidate]:
        first = base.attempt.candidate
        changed = {**sources, **apply(first.patch, sources)}
        for second in candidates(changed, base.suspicions, base.failing):
            yield replace(on_top(first, second), score=self.bound * second.score)
