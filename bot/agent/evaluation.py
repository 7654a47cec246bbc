"""Try one patch on the warm testbed: the cheapest failing test first, the passing ones last."""

from __future__ import annotations

from collections.abc import Sequence

from bot.agent.state import RepairContext
from bot.domain import Attempt, Baseline, Patch, Proposal, Verdict
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.text import encode
from sandbox.reports import TestReport, TestResult, TestStatus

# A repaired test may take longer than the broken one did, but not by orders of magnitude.
TIME_FACTOR, TIME_FLOOR_S = 5.0, 1.0
HANGING_SHARE = 0.2


def evaluate(proposal: Proposal, baseline: Baseline, context: RepairContext) -> Attempt:
    """The verdict on ``proposal``; whatever its code does, this returns."""
    started = context.stopwatch.elapsed
    changes = changed_files(proposal.patch, context)
    order = sorted(baseline.failing, key=_cost)
    first = _run(context, changes, order[:1])
    if not first.passing:
        return _attempt(proposal, Verdict.FAILING, (first,), context, started)
    rest = _run(context, changes, order[1:]) if order[1:] else first
    fixed = tuple(
        result.test for report in {id(r): r for r in (first, rest)}.values() for result in report.passing
    )
    passing = context.testbed.run(
        tests=_nearest_first(baseline, order[0].test), changes=changes, stop_at_first_failure=True
    )
    broken = tuple(result.test for result in passing.failing)
    all_fixed = baseline.fail_to_pass <= set(fixed)
    none_broken = not baseline.passing or passing.proves(baseline.pass_to_pass)
    verdict = Verdict.FAILING
    if none_broken:
        verdict = Verdict.PLAUSIBLE if all_fixed else Verdict.PARTIAL
    return _attempt(proposal, verdict, (first, rest, passing), context, started, fixed=fixed, broken=broken)


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


def _run(context: RepairContext, changes: dict[str, bytes], tests: Sequence[TestResult]) -> TestReport:
    return context.testbed.run(
        tests=[result.test for result in tests],
        changes=changes,
        timeout_s=max((_time_limit(result) for result in tests), default=None),
    )


def _time_limit(result: TestResult) -> float:
    if result.status is TestStatus.TIMEOUT:
        return max(TIME_FLOOR_S, HANGING_SHARE * result.seconds)
    return max(TIME_FLOOR_S, TIME_FACTOR * result.seconds)


def _cost(result: TestResult) -> tuple[bool, float]:
    return result.status is TestStatus.TIMEOUT, result.seconds


def _nearest_first(baseline: Baseline, test: str) -> list[str]:
    file = test.split("::", 1)[0]
    names = (result.test for result in baseline.passing)
    return sorted(names, key=lambda name: name.split("::", 1)[0] != file)


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
    detail = f"{red.test}: {red.exception}: {red.message}" if red else problem
    return Attempt(
        proposal=proposal,
        verdict=verdict,
        detail=detail[:500],
        fixed=fixed,
        broken=broken,
        seconds=context.stopwatch.elapsed - started,
    )
