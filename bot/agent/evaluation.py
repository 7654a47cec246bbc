"""Try one patch on the warm testbed: the cheapest failing test first, the passing ones last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.agent.state import SEARCH, RepairContext
from bot.domain import Attempt, Baseline, Patch, Proposal, Verdict
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.text import encode
from bot.ports import Testbed
from sandbox.reports import TestReport, TestResult, TestStatus

# A repaired test may take longer than the broken one did, but not by orders of magnitude.
TIME_FACTOR, TIME_FLOOR_S = 5.0, 1.0
HANGING_SHARE = 0.2
PARTIAL_CHECKS = 20


def evaluate(
    proposal: Proposal, baseline: Baseline, context: RepairContext, testbed: Testbed | None = None
) -> Attempt:
    """The verdict on ``proposal``, of the warm testbed or another; whatever its code does, this returns."""
    testbed = testbed or context.testbed
    started = context.stopwatch.elapsed
    changes = changed_files(proposal.patch, context)
    order = sorted(baseline.failing, key=cost)
    # A search only wants to know what is worth a whole run; a model is shown how a test failed.
    judge = partial(run, testbed, changes, quick=context.request.strategy == SEARCH)
    first = judge(order[:1])
    if not first.passing:
        return _attempt(proposal, Verdict.FAILING, (first,), context, started)
    rest = judge(order[1:]) if order[1:] else first
    fixed = {result.test for report in (first, rest) for result in report.passing}
    complete = baseline.fail_to_pass <= fixed
    near = _nearest_first(baseline, order[0].test)
    # Only a patch that could be delivered is worth the whole suite.
    checked = near if complete else near[:PARTIAL_CHECKS]
    passing = judge(checked, stop=True)
    verdict = Verdict.PLAUSIBLE if complete else Verdict.PARTIAL
    if checked and not passing.proves({result.test for result in checked}):
        verdict = Verdict.FAILING
    return _attempt(
        proposal,
        verdict,
        (first, rest, passing),
        context,
        started,
        fixed=tuple(sorted(fixed)),
        broken=tuple(result.test for result in passing.failing),
    )


def still_plausible(patch: Patch, baseline: Baseline, context: RepairContext) -> bool:
    """Whether ``patch`` alone is as good; used to shrink a patch."""
    try:
        apply(patch, context.sources)
    except PatchError:
        return False
    return evaluate(Proposal(patch=patch, origin=""), baseline, context).verdict is Verdict.PLAUSIBLE


def changed_files(patch: Patch, context: RepairContext) -> dict[str, bytes]:
    """The whole new contents of the files that ``patch`` touches."""
    return {path: encode(text) for path, text in apply(patch, context.sources).items()}


def run(
    testbed: Testbed,
    changes: dict[str, bytes],
    tests: Sequence[TestResult],
    *,
    quick: bool,
    stop: bool = False,
) -> TestReport:
    """Run ``tests``, each within a multiple of the time that it took before."""
    if not tests:
        return TestReport(results=(), complete=True, exit_status=0, seconds=0.0)
    return testbed.run(
        tests=[result.test for result in tests],
        changes=changes,
        stop_at_first_failure=stop,
        timeout_s={result.test: _time_limit(result) for result in tests},
        quick=quick,
    )


def _time_limit(result: TestResult) -> float:
    if result.status is TestStatus.TIMEOUT:
        return max(TIME_FLOOR_S, HANGING_SHARE * result.seconds)
    return max(TIME_FLOOR_S, TIME_FACTOR * result.seconds)


def cost(result: TestResult) -> tuple[bool, float]:
    """By which failing tests are sorted: the cheapest first, hanging ones last."""
    return result.status is TestStatus.TIMEOUT, result.seconds


def _nearest_first(baseline: Baseline, test: str) -> list[TestResult]:
    """The passing tests, those that share most of their name with ``test`` first: file, class, prefix."""

    def shared(result: TestResult) -> int:
        pairs = enumerate(zip(result.test, test, strict=False))
        return next((i for i, (one, other) in pairs if one != other), len(test))

    return sorted(baseline.passing, key=shared, reverse=True)


def _attempt(  # noqa: PLR0913 - the fields of an attempt
    proposal: Proposal,
    verdict: Verdict,
    reports: Sequence[TestReport],
    context: RepairContext,
    started: float,
    *,
    fixed: tuple[str, ...] = (),
    broken: tuple[str, ...] = (),
) -> Attempt:
    red = next((result for report in reports for result in report.failing), None)
    problem = next((report.problem for report in reports if report.problem), "")
    detail = " ".join((f"{red.test}: {red.exception}: {red.message}" if red else problem).split())
    return Attempt(
        proposal=proposal,
        verdict=verdict,
        detail=detail[:500],
        fixed=fixed,
        broken=broken,
        seconds=context.stopwatch.elapsed - started,
    )
