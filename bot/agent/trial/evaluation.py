"""Try one candidate on the warm testbed: the failing tests that decide first, the passing ones last."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bot.agent.state import RepairContext
from bot.domain import Attempt, Baseline, Candidate, Patch, Verdict
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.text import encode
from bot.ports import Testbed
from bot.search.progress import brief, progress, sentence
from sandbox.reports import TestReport, TestResult, TestStatus

PARTIAL_CHECKS = 20
# Of several failing tests so many are run with every candidate, as long as they are as cheap as this: one
# that repairs the second fault only would otherwise look like any other.
DECISIVE, DECISIVE_S = 3, 0.2
REFERENCE_S = 2.0
FURTHER_S = 0.5
"""What the passing tests may take that one more plausible patch is tried on, and the failing ones."""
SWAPPED, ASSUMED = "swap", "assumed"
FORKED = frozenset({SWAPPED, "import", ASSUMED})
"""The ``means`` of runs that are quick; see ``RunOptions.assume``."""


def try_candidate(  # noqa: PLR0913 - the last two, by their names, say how much is asked
    candidate: Candidate,
    baseline: Baseline,
    context: RepairContext,
    testbed: Testbed | None = None,
    *,
    reference: Sequence[TestResult] = (),
    further: bool = False,
) -> Attempt:
    """The verdict on ``candidate``, of the warm testbed or another; whatever its code does, this returns.

    ``reference`` is how the deciding tests end without a change; with it the attempt has its progress.
    ``further`` says that a plausible patch is known: slow tests are left to the proof then.
    """
    started = context.stopwatch.elapsed
    trial = _Trial(testbed or context.testbed, changed_files(candidate.patch, context), context, candidate)
    order = decisive(baseline, several=bool(reference))
    first = trial.run(order, assume=trial.may_assume(order))
    if first.means == ASSUMED and first.passing:
        first = trial.run(order)  # what seems to help is judged exactly
    attempt = Attempt(candidate=candidate, verdict=Verdict.FAILING, assumed=first.means == ASSUMED)
    reports = [first]
    if first.passing:
        # One that leaves a deciding test failing is partial at best: how partial need not be known exactly.
        may_be_complete = len(first.passing) == len(order)
        others = [result for result in sorted(baseline.failing, key=cost) if result not in order]
        if further:
            others = quickest(others, FURTHER_S)
        wanted = {result.test for result in (*order, *others)}
        rest = trial.others(others, order) if may_be_complete else [trial.sample(others, order)]
        fixed = {result.test for report in (first, *rest) for result in report.passing}
        complete = wanted <= fixed
        # Only a patch that could be delivered is worth the whole suite.
        nearest = order[0].test
        checked = endangered(baseline, nearest, trial) if complete else nearest_first(baseline, nearest)
        if further:
            checked = quickest(checked, FURTHER_S)
        passing = trial.unbroken(checked) if complete else trial.run(checked, stop=True, patient=True)
        verdict = Verdict.PLAUSIBLE if complete else Verdict.PARTIAL
        if checked and not passing.proves({result.test for result in checked}):
            verdict = Verdict.FAILING
        reports += [*rest, passing]
        attempt = Attempt(
            candidate=candidate,
            verdict=verdict,
            fixed=tuple(sorted(fixed)),
            broken=tuple(result.test for result in passing.failing),
        )
    return _explained(attempt, reports, context.stopwatch.elapsed - started, reference)


def still_plausible(patch: Patch, baseline: Baseline, context: RepairContext, *, turn: int = 0) -> bool:
    """Whether ``patch`` alone is as good; used to shrink a patch, of a model's ``turn`` or of the search."""
    try:
        apply(patch, context.sources)
    except PatchError:
        return False
    candidate = Candidate(patch=patch, origin="", patient=True, turn=turn)
    return try_candidate(candidate, baseline, context).verdict is Verdict.PLAUSIBLE


def changed_files(patch: Patch, context: RepairContext) -> dict[str, bytes]:
    """The whole new contents of the files that ``patch`` touches."""
    return {path: encode(source) for path, source in apply(patch, context.sources).items()}


def decisive(baseline: Baseline, *, several: bool = False) -> list[TestResult]:
    """The failing tests that each candidate is shown: the cheapest, or several that are cheap as well."""
    order = sorted(baseline.failing, key=cost)
    if not several:
        return order[:1]
    cheap = [found for found in order[1:] if not cost(found)[0] and found.seconds <= DECISIVE_S]
    # Neighbours often fail for one reason: the first and the last by name are farther apart.
    cheap.sort(key=lambda result: result.test)
    apart = cheap if len(cheap) < DECISIVE else [*cheap[: DECISIVE - 2], cheap[-1]]
    return [*order[:1], *apart]


def few_files(tests: Sequence[str]) -> bool:
    """Whether ``tests`` lie in no more files than the deciding ones may: quick verdicts on these stay cheap.

    What gives quick verdicts holds all files that it was ever asked about, and the more it holds the longer a
    fork of it takes.
    """
    return len({test.partition("::")[0] for test in tests}) <= DECISIVE


def unchanged(
    baseline: Baseline, context: RepairContext, testbed: Testbed | None = None
) -> tuple[TestResult, ...]:
    """How the deciding tests end without a change, judged as candidates are.

    Where that would take long, it is taken from the baseline: there is no quick way to judge such tests.
    """
    order = decisive(baseline, several=True)
    if sum(result.seconds for result in order if not cost(result)[0]) > REFERENCE_S:
        return tuple(brief(result) for result in order)
    none = Candidate(patch=Patch(edits=()), origin="")
    report = _Trial(testbed or context.testbed, {}, context, none).run(order)
    return tuple(brief(result) for result in report.results)


def cost(result: TestResult) -> tuple[bool, float]:
    """By which failing tests are sorted: the cheapest first, hanging ones last."""
    return result.status is TestStatus.TIMEOUT, result.seconds


@dataclass(frozen=True, slots=True)
class _Trial:
    """One candidate on one testbed."""

    testbed: Testbed
    changes: Mapping[str, bytes]
    context: RepairContext
    candidate: Candidate

    def may_assume(self, tests: Sequence[TestResult]) -> bool:
        """Whether ``tests`` call what the candidate changes: not only what an import made of it matters.

        One that fails so is tried again exactly, once all else is done.
        """
        if self.candidate.patient or self.candidate.turn:
            return False
        callers = self.context.callers.of(self.candidate.patch, self.context.sources)
        return callers is not None and callers.issuperset(result.test for result in tests)

    def run(
        self,
        tests: Sequence[TestResult],
        *,
        stop: bool = False,
        patient: bool = False,
        whole: bool = False,
        assume: bool = False,
    ) -> TestReport:
        """Run ``tests``, each within a multiple of the time that it took before.

        What is promising already is waited for with patience.
        """
        if not tests:
            return TestReport(results=(), complete=True, exit_status=0, seconds=0.0)
        pace = self.context.pace
        # A search only wants to know what is worth a whole run; a model is shown how a test failed.
        searching = not self.candidate.turn
        report = self.testbed.run(
            tests=[result.test for result in tests],
            changes=self.changes,
            stop_at_first_failure=stop,
            timeout_s=pace.limits(tests, patient=patient or self.candidate.patient or not searching),
            quick=searching and not whole,
            assume=assume,
        )
        pace.learn(report)
        return report

    def unbroken(self, tests: Sequence[TestResult]) -> TestReport:
        """Run passing ``tests`` until one fails.

        One that fails in a fork of the loaded project is run once more: it may have taken long. Where more
        was done than to exchange a function, it is run as a user would: modules that were imported anew there
        can be others than those that a test holds.
        """
        report = self.run(tests, stop=True, patient=True)
        if report.means not in FORKED or report.proves({one.test for one in tests}):
            return report
        broken = {one.test for one in report.failing}
        exactly = report.means != SWAPPED
        again = self.run([one for one in tests if one.test in broken], patient=True, whole=exactly)
        return report if again.failing else self.run(tests, stop=True, patient=True, whole=True)

    def others(self, tests: Sequence[TestResult], decisive: Sequence[TestResult]) -> list[TestReport]:
        """Run the failing ``tests`` that ended before a change; if all pass now, those that hung.

        A few come first: where one of these still fails, the others make no difference. Of those that hung
        the first that hangs again is enough: each costs its whole limit.
        """
        hung = [result for result in tests if result.status is TestStatus.TIMEOUT]
        ended = [result for result in tests if result.status is not TestStatus.TIMEOUT]
        reports: list[TestReport] = []
        if len(ended) > 2 * PARTIAL_CHECKS:
            few = self.sample(ended, decisive)
            reports.append(few)
            if few.failing or not few.passing:
                return reports
            tried = {result.test for result in few.results}
            ended = [result for result in ended if result.test not in tried]
        reports.append(self.run(ended, patient=True))
        if not hung or len(reports[-1].passing) < len(ended):
            return reports
        return [*reports, self.run(hung, stop=True, patient=True)]

    def sample(self, tests: Sequence[TestResult], decisive: Sequence[TestResult]) -> TestReport:
        """Run a few of ``tests``, if possible from the files that are loaded already."""
        files = {result.test.partition("::")[0] for result in decisive}
        near = sorted(tests, key=lambda result: result.test.partition("::")[0] not in files)
        return self.run(near[:PARTIAL_CHECKS], patient=True)


def endangered(baseline: Baseline, test: str, trial: _Trial) -> list[TestResult]:
    """The passing tests that the candidate of ``trial`` may break, those of the nearest file first.

    These are the tests that call a function that it changes, and a few besides; all where that is not known.
    """
    file = test.partition("::")[0]
    # Within a file they keep their order: a test may pass only after those before it, or before those behind.
    ordered = sorted(
        baseline.passing, key=lambda result: _shared(result.test.partition("::")[0], file), reverse=True
    )
    callers = trial.context.callers.of(trial.candidate.patch, trial.context.sources)
    if callers is None:
        return ordered
    near = {result.test for result in nearest_first(baseline, test)}
    return [result for result in ordered if result.test in callers or result.test in near]


def quickest(tests: Sequence[TestResult], seconds: float) -> list[TestResult]:
    """As many of ``tests`` as run in ``seconds``, those that end and the quickest, in their order; or one."""
    by_time = sorted(tests, key=cost)
    total = accumulate(result.seconds for result in by_time)
    chosen = {one.test for one, until in zip(by_time, total, strict=True) if until <= seconds}
    return [one for one in tests if one.test in chosen] or by_time[:1]


def nearest_first(baseline: Baseline, test: str) -> list[TestResult]:
    """A few passing tests, those that share most of their name with ``test``: file, class, prefix."""
    ordered = sorted(baseline.passing, key=lambda result: _shared(result.test, test), reverse=True)
    return ordered[:PARTIAL_CHECKS]


def _shared(one: str, other: str) -> int:
    """How many characters ``one`` and ``other`` begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (mine, its) in pairs if mine != its), min(len(one), len(other)))


def _explained(
    attempt: Attempt, reports: Sequence[TestReport], seconds: float, reference: Sequence[TestResult]
) -> Attempt:
    """``attempt`` with how its tests ended, and whether that is nearer than ``reference``."""
    failure = next((result for report in reports for result in report.failing), None)
    problem = next((report.problem for report in reports if report.problem), "")
    what = f"{failure.test}: {failure.exception}: {failure.message}" if failure else problem
    detail = " ".join(what.split())
    endings = tuple(brief(result) for result in reports[0].results)
    before = {result.test: result for result in reference}
    sound = reference and not attempt.broken and (attempt.verdict is Verdict.PARTIAL or not attempt.fixed)
    return dataclasses.replace(
        attempt,
        detail=detail[:500],
        seconds=seconds,
        endings=endings,
        progress=progress(before, endings) if sound else 0.0,
        gain=sentence(before, endings) if sound else "",
    )
