"""Find the smallest part of the suspected change that makes the tests fail, by running them without it."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from langgraph.runtime import Runtime

from bot.agent.baseline.changed_tests import of_change
from bot.agent.state import RepairContext, RepairState
from bot.agent.timing.deadlines import Phase
from bot.agent.trial.evaluation import decisive
from bot.agent.trial.pace import Pace
from bot.domain import Before, Culprit, Patch, SpanEdit, Suspicion
from bot.errors import PatchError
from bot.internal_errors import guarded
from bot.patch.apply import apply
from bot.patch.delta_debugging import Smallest, smallest
from bot.patch.syntax import parsed
from bot.patch.text import encode
from bot.search.difference.pieces import finer, hunks, lines_of, neighbours, overlap, size
from sandbox.reports import TestResult

MAX_RUNS = 60
MAX_SHARE = 0.15
"""Of the budget's seconds: what looking for the culprit may take."""

MAX_TESTS, MAX_AGAIN = 20, 3
"""Failing tests that are run without the whole change, and without a part of it."""

MAX_ALONE, MAX_FILES = 16, 8
"""Parts, lines and files that are taken back alone, the most suspicious first."""

MAX_CUT = 60
"""Parts of the change that are cut into smaller ones: each cut reads the whole file."""

BESIDE = 0.5
"""Of the suspicion of the lines beside a part: a lost statement stands on no line of its own."""

MAX_OF_NEW = 5
"""So many lines of it may a test that the change added or changed pass without. More are another way to what
the test asks for: of eight such, in releases with a fault, five did not have it, of 29 smaller ones two."""

MAX_OF_CHANGE = 100
"""Passing tests of the change that are run without the culprit."""


def culprit(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set ``culprit``, and put its lines in front of all other suspicious ones."""
    context = runtime.context.within(Phase.CULPRIT, state.baseline)
    if not context.request.base or context.left(Phase.CULPRIT) <= 0:
        return {}
    context.progress.stage("culprit", "running the tests without parts of the change")
    found = None
    with guarded("the search for the culprit"):
        found = _Trials(state, context).culprit()
    if found is None:
        return {"elapsed": context.stopwatch.elapsed}
    places = [(path, range(first, last + 1)) for path, (first, last) in found.lines]
    first = dict.fromkeys((path, line) for path, lines in places for line in lines)
    rest = [one for one in state.suspicions if (one.path, one.line) not in first]
    own = [Suspicion(path=path, line=line, score=1.0) for path, line in first]
    return {"culprit": found, "suspicions": (*own, *rest), "elapsed": context.stopwatch.elapsed}


class _Blamed(NamedTuple):
    """Parts of the change, the tests that pass without them, and those of the change that then fail."""

    parts: tuple[SpanEdit, ...]
    minimal: bool
    tests: frozenset[str]
    needed: tuple[str, ...]


class _Trials:
    """Runs of failing tests on the project without some parts of the change."""

    def __init__(self, state: RepairState, context: RepairContext) -> None:
        self._state, self._context = state, context
        self._pace = Pace()
        self._pace.know(state.baseline.passing)
        self._suspicious = {(one.path, one.line): one.score for one in state.suspicions}
        self._runs = 0
        self._end = context.stopwatch.elapsed + MAX_SHARE * context.request.budget.seconds

    def culprit(self) -> Culprit | None:
        """The smallest part, and the tests that pass without it; None where the change is not to blame."""
        head = self._context.sources
        may_change = self._context.policy.may_change
        base = {path: text for path, text in self._context.request.base.items() if may_change(path)}
        parts: Sequence[SpanEdit] = hunks(base, head)
        if not parts:
            return None
        deciding, sample = self._sample()
        found = self._blamed(parts, sample, deciding) if sample else None
        if found is None:
            return None
        if found.needed:
            # Tests of the change need it: another part may be to blame, which nothing needs.
            rest = [part for part in parts if not any(overlap(part, one) for one in found.parts)]
            other = self._blamed(rest, sample, deciding) if rest and not self._is_late() else None
            # Where time is over, it is not known what needs the other part.
            is_seen = other is not None and not self._is_late()
            if other and is_seen and other.tests >= found.tests and not other.needed:
                found = other
            elif not self._passed_before(found.tests):
                return None  # it adds what the new tests are about
        places = [(edit, lines_of(edit, head)) for edit in found.parts]
        return Culprit(
            edits=found.parts,
            lines=tuple((edit.path, (lines[0], lines[-1])) for edit, lines in places),
            changed=size(parts, head),
            size=size(found.parts, head),
            tests=tuple(sorted(found.tests)),
            minimal=found.minimal,
            needed=found.needed,
            runs=self._runs,
            base=self._context.request.base_name,
            shown=size(found.parts, head) <= MAX_OF_NEW or self._passed_before(found.tests),
        )

    def _blamed(
        self, parts: Sequence[SpanEdit], sample: Sequence[TestResult], deciding: int
    ) -> _Blamed | None:
        """The smallest of ``parts`` that makes tests fail; None where none of them does."""
        some, tests = self._to_blame(parts, sample)
        if not tests:
            return None
        asked = [one for one in sample if one.test in tests][:deciding]
        found = self._smallest(some, asked)
        if found.minimal and len(found.parts) <= MAX_CUT and not self._is_late():
            fine = finer(found.parts, self._context.sources)
            # What is taken for blank is no part: a line of a text that begins with a hash.
            if fine != found.parts and self._passing(fine, asked) >= {one.test for one in asked}:
                found = self._smallest(fine, asked)
        # Of many tests few were asked.
        seen = self._passing(found.parts, sample) if not self._is_late() else tests
        return _Blamed(found.parts, found.minimal, seen or tests, self._needed(found.parts))

    def _sample(self) -> tuple[int, list[TestResult]]:
        """How many tests decide, and the failing tests to run: first those that are known to have passed."""
        baseline = self._state.baseline
        kinds = dict(baseline.before)
        deciding = decisive(baseline, several=True)
        ordered = [*deciding, *(one for one in baseline.failing if one not in deciding)]
        # What failed before fails without the change as well.
        blamed = [one for one in ordered if kinds.get(one.test) is not Before.FAILING]
        blamed.sort(key=lambda one: kinds.get(one.test) not in {None, Before.REGRESSION})
        return len(deciding), blamed[:MAX_TESTS]

    def _passed_before(self, tests: Collection[str]) -> bool:
        """Whether one of ``tests`` passed on the base, or may have."""
        kinds = dict(self._state.baseline.before)
        return any(kinds.get(test) not in {Before.NEW, Before.CHANGED} for test in tests)

    def _needed(self, parts: Sequence[SpanEdit]) -> tuple[str, ...]:
        """The passing tests of the change that fail without ``parts``."""
        own = of_change(self._state.baseline.passing, self._context.request, self._context.sources)
        own = own[:MAX_OF_CHANGE]
        if not own or self._is_late():
            return ()
        passing = self._passing(parts, own)
        return tuple(one.test for one in own if one.test not in passing)

    def _to_blame(
        self, parts: Sequence[SpanEdit], tests: Sequence[TestResult]
    ) -> tuple[Sequence[SpanEdit], frozenset[str]]:
        """The fewest of ``parts`` that a few runs show, and those of the ``tests`` that pass without them.

        First all of them. Then those on lines that the tests execute, one file's, and each by itself: also
        where the tests fail without the whole, since what they need may be new in the same change.
        """
        passing = self._passing(parts, tests)
        few = [one for one in tests if one.test in passing][:MAX_AGAIN] or tests[:MAX_AGAIN]
        wanted = {one.test for one in (few if passing else few[:1])}
        for some in self._few_parts(parts, lines=not passing):
            if self._is_late():
                break
            if some and set(some) != set(parts) and (seen := self._passing(some, few)) >= wanted:
                return some, seen
        return list(parts), passing

    def _few_parts(self, parts: Sequence[SpanEdit], *, lines: bool) -> Iterator[Sequence[SpanEdit]]:
        """The likeliest culprits of a few parts; where asked for, of single lines as well."""
        ordered = self._suspicious_first(parts)
        yield from ((part,) for part in ordered[:MAX_ALONE])
        yield ordered
        for path in [*dict.fromkeys(part.path for part in ordered)][:MAX_FILES]:
            yield tuple(part for part in parts if part.path == path)
        if lines:
            alone = self._suspicious_first(finer(ordered[:MAX_ALONE], self._context.sources))
            yield from ((line,) for line in alone[:MAX_ALONE] if line not in ordered)

    def _suspicious_first(self, parts: Sequence[SpanEdit]) -> tuple[SpanEdit, ...]:
        ranked = sorted(((self._score(part), part) for part in parts), key=lambda one: -one[0])
        return tuple(part for score, part in ranked if score)

    def _score(self, part: SpanEdit) -> float:
        """How suspicious the lines of ``part`` are; where no test executes them, those beside it."""
        head = self._context.sources
        own, beside = (
            max((self._suspicious.get((part.path, line), 0.0) for line in lines), default=0.0)
            for lines in (lines_of(part, head), neighbours(part, head))
        )
        return own or BESIDE * beside

    def _smallest(self, parts: Sequence[SpanEdit], asked: Sequence[TestResult]) -> Smallest[SpanEdit]:
        wanted = {one.test for one in asked}

        def passes(chosen: Sequence[SpanEdit]) -> bool | None:
            if self._runs >= MAX_RUNS or self._is_late():
                return None
            return self._passing(chosen, asked) >= wanted

        return smallest(parts, passes)

    def _is_late(self) -> bool:
        limited = bool(self._context.request.budget.seconds)
        return limited and self._context.stopwatch.elapsed > self._end

    def _passing(self, parts: Sequence[SpanEdit], tests: Sequence[TestResult]) -> frozenset[str]:
        """Those of ``tests`` that pass without ``parts`` of the change; none where it does not parse."""
        try:
            texts = apply(Patch(edits=tuple(parts)), self._context.sources)
        except PatchError:
            return frozenset()
        if any(parsed(text) is None for text in texts.values()):
            return frozenset()
        self._runs += 1
        report = self._context.testbed.run(
            tests=[one.test for one in tests],
            changes={path: encode(text) for path, text in texts.items()},
            timeout_s=self._pace.limits(tests, patient=True),
            quick=True,
        )
        return frozenset(one.test for one in report.passing)
