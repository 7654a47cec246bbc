"""Candidates close to a patch that passes the tests, to see whether the tests distinguish them from it.

Two kinds, in turn: other changes of the lines that the patch changes, and further changes of what it makes of
them. Among these are the simpler ones: a clause dropped, a wrapper taken away, another constant. Where many
of them fail and none passes, the tests pin down the change. Mutation testing asks the same of a whole program
(DeMillo, Lipton, Sayward, "Hints on Test Data Selection", IEEE Computer, 1978). Nothing is run here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest

from bot.domain import Candidate, Patch, Suspicion
from bot.patch.apply import apply
from bot.search.candidates import candidates
from bot.search.composition import on_top
from bot.search.difference.mixtures import SMALL, TAKES_BACK
from bot.search.difference.pieces import size
from sandbox.reports import TestResult

MAX_NEIGHBOURS = 120


def neighbours(
    first: Candidate, sources: Mapping[str, str], failing: Sequence[TestResult] = ()
) -> Iterator[Candidate]:
    """At most ``MAX_NEIGHBOURS`` candidates in the lines of ``first``, each marked as ``near``.

    Args:
        first: the candidate that passes the tests.
        sources: what its patch applies to.
        failing: the failing results; what they say raises the prior of some operators.
    """
    lines = _lines(first.patch, sources, after=False)
    made = candidates(sources, lines, failing, wanted=lambda patch: _is_within(patch, sources, lines))
    # What the failures call for is asked for nothing before it is made.
    within = (candidate for candidate in made if _is_within(candidate.patch, sources, lines))
    others = list(islice(within, MAX_NEIGHBOURS))
    # A change of its own that reads like a further one of the first is no further one.
    known = {_text(one, sources) for one in others}
    # Of an older version of many lines, changes say nothing of the new ones.
    takes_back = TAKES_BACK in first.explanation and size(first.patch.edits, sources) > SMALL
    more = () if takes_back else _further(first, sources)
    further = (one for one in more if _text(one, sources) not in known)
    found = chain.from_iterable(zip_longest(others, further))
    yield from islice((replace(one, near=True) for one in found if one is not None), MAX_NEIGHBOURS)


def _text(candidate: Candidate, sources: Mapping[str, str]) -> int:
    return hash(frozenset(apply(candidate.patch, sources).items()))


def _further(first: Candidate, sources: Mapping[str, str]) -> Iterator[Candidate]:
    """Changes of the lines as ``first`` leaves them, each together with ``first``."""
    changed = {**sources, **apply(first.patch, sources)}
    lines = _lines(first.patch, sources, after=True)
    for second in candidates(changed, lines, wanted=lambda patch: _is_within(patch, changed, lines)):
        yield on_top(first, second)


def _is_within(patch: Patch, sources: Mapping[str, str], lines: Sequence[Suspicion]) -> bool:
    """Whether ``patch`` changes nothing but ``lines``."""
    return set(_lines(patch, sources, after=False)) <= set(lines)


def _lines(patch: Patch, sources: Mapping[str, str], *, after: bool) -> list[Suspicion]:
    """The lines of ``patch`` in the original, or in what it gives; all alike suspicious."""
    found: list[Suspicion] = []
    for path in patch.paths:
        shift = 0
        for edit in sorted((edit for edit in patch.edits if edit.path == path), key=lambda edit: edit.start):
            text = sources.get(path, "")
            first = text.count("\n", 0, edit.start) + 1
            # Where whole lines are replaced, the one behind them stays as it is.
            part = edit.replacement if after else text[edit.start : edit.end]
            last = first + part.count("\n") - part.endswith("\n")
            found += [
                Suspicion(path=path, line=line + (shift if after else 0), score=1.0)
                for line in range(first, last + 1)
            ]
            shift += edit.replacement.count("\n") - text.count("\n", edit.start, edit.end)
    return list(dict.fromkeys(found))
