"""Run the unchanged project once the way a patch will be proved.

What does not come back then (an id with the time of day, a verdict that changes) could never be proved: such
tests are set apart. Where nothing could be proved at all, the run ends here and says why.

It takes as long as the suite does. So a search that finds a patch at once does without, unless the proof of
that patch fails; one that goes on for longer, or finds nothing, rehearses beside it. A model costs money and
is asked after it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.baseline.flakiness import ANOTHER_SEED
from bot.agent.baseline.untied import without
from bot.agent.state import CULPRIT, SEARCH, RepairContext, RepairState, begun_again
from bot.agent.timing.deadlines import Phase, suite_s
from bot.domain import Baseline
from bot.errors import listed
from bot.ports import Testbed
from bot.result import Outcome
from sandbox.reports import TestReport, TestStatus

AFTER_S = 10.0
"""A search that has found nothing for so long has the proof rehearsed."""

SUITE_SHARE = 0.3
"""Of the time that is left, what running the whole suite once more may take."""

PROBES = 3
"""Passing tests that are run alone to see whether any run of one test can prove anything."""

HANG_S = 1.0
"""What a test gets that is known to hang."""

LISTED = 3
GONE = "a second run has no test of that name"
CHANGED = "its verdict changes from one run to the next, on the same code"
SEEDED = f"it depends on {ANOTHER_SEED.what}, and passes with {ANOTHER_SEED.shown}"


def rehearse(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Wait for it before a model is asked; a search begins it when it takes long (``begin_if_long``)."""
    if runtime.context.request.strategy == CULPRIT:
        return {"rehearsed": True}  # nothing will be proved
    if runtime.context.request.strategy == SEARCH:
        return {}
    _begin(state, runtime.context)
    return {**(runtime.context.rehearsal.result() or {}), "rehearsed": True}


def begin_if_long(state: RepairState, context: RepairContext) -> None:
    """Have the rehearsal begin beside a search that found nothing for long, unless it has or is over."""
    if not state.plausible and context.stopwatch.elapsed - state.ready_at >= AFTER_S:
        _begin(state, context)


def _begin(state: RepairState, context: RepairContext) -> None:
    if not state.rehearsed:
        context.rehearsal.begin(lambda: rehearsed(state.baseline, context))


def catch_up(state: RepairState, context: RepairContext) -> dict[str, Any]:
    """What the rehearsal changes in a search that has come to ``state``, mostly nothing; waits for its end.

    It begins here where it has not yet. Where tests were set apart, the search begins again: candidates were
    judged by these as well.

    Raises:
        sandbox.errors.SandboxError: the rehearsal's sandbox failed.
    """
    if state.rehearsed:
        return {}
    _begin(state, context)
    update = context.rehearsal.result() or {}
    found = without(update.get("baseline", state.baseline), state.untied)
    if "outcome" not in update and found == state.baseline:
        return {}
    afresh = begun_again(state, found, elapsed=context.stopwatch.elapsed, rehearsed=True)
    return {**afresh, **update, "baseline": found}


def rehearsed(baseline: Baseline, context: RepairContext) -> dict[str, Any]:
    """Set apart what does not come back; end the run where no patch could be proved.

    Raises:
        sandbox.errors.SandboxError: the sandbox failed.
    """
    context = context.within(Phase.REHEARSE, baseline)
    whole = _fits(baseline, context)
    alone = _alone(baseline)
    if context.left(Phase.REHEARSE) <= 0 or (not whole and not alone):
        return {}
    testbeds = context.varied(ANOTHER_SEED.variables) if context.varied else context.testbeds
    with testbeds.open() as testbed:
        # That a test hangs need not be seen once more.
        hanging = {one.test: HANG_S for one in baseline.failing if one.status is TestStatus.TIMEOUT}
        report = testbed.run(tests=None if whole else alone, timeout_s=hanging or None)
        problem = _unprovable(report, baseline, testbed) if whole else ""
    if problem:
        return {"outcome": Outcome.NOT_REPRODUCED, "reason": f"no patch could be proved: {problem}"}
    found = compared(baseline, report, whole=whole, because=SEEDED if context.varied else CHANGED)
    return {"baseline": found} if found.failing else {"baseline": found, **_end(found, baseline)}


def _end(found: Baseline, before: Baseline) -> dict[str, Any]:
    """Why there is nothing left to repair: what failed ``before`` passes now, or did not come back."""
    if flaky := _listed(found.unsteady, before):
        return {"outcome": Outcome.FLAKY, "reason": f"the failure is flaky: {flaky}"}
    reason = f"no patch could be proved: {_listed(found.apart, before)}"
    return {"outcome": Outcome.NOT_REPRODUCED, "reason": reason}


def _listed(reasons: Sequence[tuple[str, str]], before: Baseline) -> str:
    """Those of ``reasons`` that are about tests that failed ``before``."""
    failed_before = before.fail_to_pass
    return listed([f"{test}: {because}" for test, because in reasons if test in failed_before], LISTED)


def _fits(baseline: Baseline, context: RepairContext) -> bool:
    budget = context.request.budget.seconds
    if baseline.unseen:
        return False
    return not budget or suite_s(baseline) <= SUITE_SHARE * (budget - context.stopwatch.elapsed)


def _alone(baseline: Baseline) -> list[str]:
    """The failing tests, without those that hang: to see that again costs their whole limit."""
    return [one.test for one in baseline.failing if one.status is not TestStatus.TIMEOUT]


def _unprovable(report: TestReport, baseline: Baseline, testbed: Testbed) -> str:
    """Why no run could prove anything, in words; empty where one could."""
    if report.cut:
        return ""  # what ran in the time that there was says nothing of it
    if not report.results:
        return f"in a fresh sandbox no test ran ({report.problem or 'nothing was collected'})"
    passed_before = baseline.pass_to_pass
    steady = [one for one in report.passing if one.test in passed_before]
    problem = ""
    for one in sorted(steady, key=lambda result: result.seconds)[:PROBES]:
        alone = testbed.run(tests=[one.test])
        # A test that fails without the others says nothing of the run.
        if alone.cut or alone.proves({one.test}) or alone.failing:
            return ""
        status = f"exit status {alone.exit_status}" if alone.exit_status else alone.problem or "no verdict"
        problem = problem or f"a run of {one.test} alone, which passes, ends with {status}"
    return problem


def compared(baseline: Baseline, report: TestReport, *, whole: bool, because: str = CHANGED) -> Baseline:
    """``baseline`` without the tests that do not come back in ``report``, a run of the same code.

    ``because`` says why a test that failed passes now.
    """
    seen = {result.test for result in report.results}
    passed = {result.test for result in report.passing}
    failed = {result.test for result in report.failing}
    known = (*baseline.failing, *baseline.passing)
    # Where the run did not come to its end, they may only not have had their turn.
    gone = {one.test for one in known if one.test not in seen} if whole and report.complete else set()
    flaky = [one.test for one in baseline.failing if one.test in passed]
    changed = {one.test for one in baseline.passing if one.test in seen - passed}
    changed |= {one.test for one in baseline.failing if one.test in seen - passed - failed}
    reasons = [(one, GONE) for one in sorted(gone)] + [(one, CHANGED) for one in sorted(changed)]
    away = {*gone, *changed, *flaky}
    return replace(
        baseline,
        failing=tuple(one for one in baseline.failing if one.test not in away),
        passing=tuple(one for one in baseline.passing if one.test not in away),
        flaky=(*baseline.flaky, *((test, 1) for test in flaky)),
        unsteady=(*baseline.unsteady, *((test, because) for test in flaky)),
        apart=(*baseline.apart, *reasons),
    )


def ready(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Where the traced run and the rehearsal meet."""
    found = without(state.baseline, state.untied)
    elapsed = runtime.context.stopwatch.elapsed
    update = {"elapsed": elapsed, "ready_at": elapsed}
    return update if found is state.baseline else {"baseline": found, **update}
