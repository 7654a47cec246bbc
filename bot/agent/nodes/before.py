"""Run the failing tests once on the version that the project is compared with.

What failed there in the same way is not the change's doing. It is set apart where other tests fail too. Where
nothing else fails, it is repaired if a person asked for the repair.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.baseline.changed_tests import SourceChange, source_of
from bot.agent.state import CULPRIT, RepairContext, RepairState
from bot.agent.timing.deadlines import Phase
from bot.domain import Baseline, Before
from bot.internal_errors import guarded
from bot.result import Outcome
from sandbox.errors import SandboxError
from sandbox.reports import TestReport, TestResult, TestStatus

MAX_TESTS = 500
MAX_SHARE = 0.15
"""Of the budget's seconds: what is not seen until then is not known."""

FAILING_BEFORE = "failing_before"


def before(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set what each failing test was before the change, and set apart what failed then as now."""
    context = runtime.context.within(Phase.BEFORE, state.baseline)
    request = context.request
    if context.base_testbeds is None or state.baseline.before or context.left(Phase.BEFORE) <= 0:
        return {}
    context.progress.stage("before", f"running the failing tests on {request.base_name}")
    failing = state.baseline.failing[:MAX_TESTS]
    report = _run(context, failing)
    kinds: dict[str, Before] = {}
    with guarded("what the tests were before"):
        kinds = kinds_of(failing, report, context)
    found = replace(state.baseline, before=tuple(kinds.items()))
    older = {test for test, kind in kinds.items() if kind is Before.FAILING}
    elapsed = {"elapsed": context.stopwatch.elapsed}
    if older and len(older) < len(found.failing):
        return {"baseline": _without(found, older, request.base_name), **elapsed}
    if older and not request.asked and request.strategy != CULPRIT:
        return {
            "baseline": found,
            "outcome": Outcome.NOT_CODE,
            "cause": FAILING_BEFORE,
            "reason": _all_older(found, request.base_name),
            **elapsed,
        }
    return {"baseline": found, **elapsed}


def _run(context: RepairContext, failing: Sequence[TestResult]) -> TestReport | None:
    """The run on the base of those tests whose source it has; None where there is none."""
    known = (SourceChange.SAME, SourceChange.UNKNOWN)
    there = [one for one in failing if source_of(one.test, context.request, context.sources) in known]
    if context.base_testbeds is None or not there:
        return None
    try:
        with context.base_testbeds.open() as testbed:
            seconds = MAX_SHARE * context.request.budget.seconds or None
            return testbed.run(tests=[one.test for one in there], seconds=seconds)
    except SandboxError as error:
        # The version before may not even start; the repair goes on without it.
        context.progress.stage("before", f"the tests cannot be run on {context.request.base_name}: {error}")
        return None


def kinds_of(
    failing: Sequence[TestResult], report: TestReport | None, context: RepairContext
) -> dict[str, Before]:
    """What each of ``failing`` was before; tests of which that is not known are left out."""
    # Of a file that was asked for as a whole, the last result is about all of it, and says no exception.
    ended = {one.test: one for one in reversed(report.results)} if report else {}
    whole = context.request.base_whole
    # Of the files whose tests had their turn, what is missing is not there.
    seen = {test.partition("::")[0] for test in ended if "::" in test} if whole and report else set()
    if report and report.cut:
        seen = set()
    found: dict[str, Before] = {}
    for one in failing:
        source = source_of(one.test, context.request, context.sources)
        if source is SourceChange.ADDED:
            found[one.test] = Before.NEW
        elif source is SourceChange.CHANGED:
            found[one.test] = Before.CHANGED
        elif kind := _kind(one, ended.get(one.test), whole=whole, seen=seen):
            found[one.test] = kind
    return found


def _kind(now: TestResult, then: TestResult | None, *, whole: bool, seen: Collection[str]) -> Before | None:
    if then is None:
        return Before.NEW if now.test.partition("::")[0] in seen else None
    if then.status is TestStatus.PASSED:
        return Before.REGRESSION
    alike = (then.status, then.exception) == (now.status, now.exception)
    return Before.FAILING if whole and alike else None


def _without(baseline: Baseline, older: set[str], base: str) -> Baseline:
    reason = f"it failed before this change as well, compared with {base}"
    apart = ((one.test, reason) for one in baseline.failing if one.test in older)
    return replace(
        baseline,
        failing=tuple(one for one in baseline.failing if one.test not in older),
        apart=(*baseline.apart, *apart),
    )


def _all_older(baseline: Baseline, base: str) -> str:
    count = len(baseline.failing)
    tests = "the failing test" if count == 1 else f"all {count} failing tests"
    older = f"{tests} failed before this change as well, compared with {base}"
    return f"{older}: {baseline.failing[0].test}; /regreen fix repairs this"
