"""See the failure with our own eyes, several times, before anything is done about it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.baseline import flakiness
from bot.agent.baseline.apart import sort_failing, why_apart
from bot.agent.baseline.flakiness import Flake
from bot.agent.baseline.sample import changed_in, first_run, is_named, near_change, unseen
from bot.agent.proof.proving import prepare
from bot.agent.proof.still_failing import unchanged
from bot.agent.state import RepairContext, RepairState, searches
from bot.agent.timing.deadlines import FIRST_RUN_SHARE, Phase
from bot.agent.trial.evaluation import few_files
from bot.domain import Baseline
from bot.errors import NoTestsFound
from bot.result import Outcome
from sandbox.reports import TestReport, TestResult, TestStatus

# pytest's exit statuses after which its results can be believed: passed, failed, nothing collected.
SETTLED = (0, 1, 5)
# Of tests that hang, so many are given their whole time again; where there are more, these speak for all.
HANGS_AGAIN = 3
HUNG_ONCE = "it did not end in time once, and others that did not either pass now"
# Of the time for the whole repair; a second run there is always.
MAX_OF_TIME = 0.3


def reproduce(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Run every test once and the failing ones again; sort them into failing, passing and flaky.

    Raises:
        NoTestsFound: there are no tests.
    """
    del state
    context = runtime.context.within(Phase.REPRODUCE)
    prepare(runtime.context)
    report = context.first_run or _first_run(context)
    context.callers.learn(report.calls)
    wanted = context.request.tests
    failing = [result for result in report.failing if not wanted or is_named(result.test, wanted)]
    known = dict(context.request.apart)
    found = sort_failing(failing, context.sources, known=known, absent=context.request.absent)
    if found.apart and not found.failing:
        baseline = replace(_seen(report), apart=found.reasons)
        return {**_end(Outcome.NOT_CODE, why_apart(found), context), "baseline": baseline}
    failing = list(found.failing)
    if report.complete and not failing and wanted:
        here = [result.test for result in report.passing if is_named(result.test, wanted)]
        if flakes := flakiness.under_variations(context, here):
            baseline = replace(_seen(report), runs=flakes[0].runs)
            update = {"baseline": flakiness.without(baseline, flakes)}
            return {**update, **_end(Outcome.FLAKY, _flaky(flakes), context)}
    if not failing or not (report.complete or report.cut):
        outcome, reason = _nothing_to_repair(report, context)
        return {**_end(outcome, reason, context), "baseline": _seen(report)}
    context.ahead.warm_up(partial(unchanged, failing=failing))
    context = runtime.context.within(Phase.REPEAT)
    repeated = _repeat(context, report, failing)
    baseline = replace(repeated, apart=(*found.reasons, *repeated.apart))
    if not baseline.failing:
        passes = dict(baseline.flaky)
        flakes = flakiness.after_others(
            context, passes, alone=baseline.runs - 1, runs=baseline.runs, whole=report.complete
        )
        explained = flakiness.without(replace(baseline, flaky=()), flakes)
        return {"baseline": explained, **_end(Outcome.FLAKY, _flaky(flakes), context)}
    return {"baseline": baseline, "elapsed": context.stopwatch.elapsed}


def _first_run(context: RepairContext) -> TestReport:
    context.progress.stage("reproduce", "running the tests")
    request = context.request
    seconds = FIRST_RUN_SHARE * request.budget.seconds or None
    changed = changed_in(request.diff) or sorted({*request.base, *request.base_lacks})
    return first_run(
        context.testbed, named=request.tests, near=near_change(changed, context.sources), seconds=seconds
    )


def _seen(report: TestReport) -> Baseline:
    """What one run says, where nothing is to be repaired."""
    return Baseline(passing=report.passing, runs=1, seconds=report.seconds, unseen=unseen(report))


def _flaky(flakes: Sequence[Flake]) -> str:
    return f"the failure is flaky: {', '.join(flake.sentence for flake in flakes)}"


def _repeat(context: RepairContext, first: TestReport, failing: list[TestResult]) -> Baseline:
    """Run the failing tests again: what passes even once is flaky, not broken."""
    repeats = context.request.repeats
    # A test that hangs costs its whole limit each time, and hanging is seldom an accident.
    if any(result.status is TestStatus.TIMEOUT for result in failing):
        repeats = min(repeats, 2)
    names = [result.test for result in failing]
    hanging = [result.test for result in failing if result.status is TestStatus.TIMEOUT]
    asked = [name for name in names if name not in set(hanging[HANGS_AGAIN:])]
    passes: Counter[str] = Counter()
    budget, runs = context.request.budget.seconds, 1
    # The last time as candidates will be judged, which has to be tried anyway. Not the others: runs that
    # begin as copies of one process have more in common, the seed of random for one.
    last = max(3, repeats) if searches(context.request) and few_files(names) else 0
    for run in range(2, repeats + 1):
        if run > 2 and budget and context.stopwatch.elapsed > MAX_OF_TIME * budget:
            break
        quick, ahead = run == last, run == last - 1
        again = [name for name in asked if run > 2 or name not in first.confirmed]
        report = context.testbed.run(tests=again, quick=quick, ahead=ahead) if again else first
        passes.update(result.test for result in report.passing if result.test in again)
        runs = run
    # The first of those that hang say how the others end: not where one of them passed since.
    unspoken = hanging[HANGS_AGAIN:] if any(passes[name] for name in hanging[:HANGS_AGAIN]) else []
    unheard = _unheard(context, unspoken, passes)
    return Baseline(
        failing=tuple(one for one in failing if not passes[one.test] and one.test not in unheard),
        passing=first.passing,
        flaky=tuple((test, passes[test]) for test in names if passes[test]),
        apart=tuple((test, HUNG_ONCE) for test in unheard),
        runs=runs,
        seconds=first.seconds,
        unseen=unseen(first),
    )


def _unheard(context: RepairContext, tests: Sequence[str], passes: Counter[str]) -> tuple[str, ...]:
    """Run ``tests`` again, count those that pass in ``passes``, and return those that had no time to end."""
    if not tests:
        return ()
    report = context.testbed.run(tests=tests)
    passes.update(result.test for result in report.passing if result.test in tests)
    ended = {result.test for result in report.results}
    return tuple(test for test in tests if test not in ended)


def _nothing_to_repair(report: TestReport, context: RepairContext) -> tuple[Outcome, str]:
    wanted = context.request.tests
    if report.cut and context.request.budget.seconds:
        budget = context.request.budget.seconds
        ended = f"the share of the time budget of {budget:g} s ended while {Phase.REPRODUCE}"
        ran = f"{len(report.results)} of {report.collected or 'the'} tests ran"
        none = "none that the log names" if wanted else "none"
        came_of_it = f"{ran}, and {none} failed" if report.results else "the first test did not finish"
        advice = "give more time with --time-budget, or name the failing tests with --log"
        return Outcome.BUDGET_EXHAUSTED, f"{ended}: {came_of_it}; {advice}"
    if report.problem or report.exit_status not in SETTLED or (report.results and not report.complete):
        problem = report.problem or f"the test run broke off with exit status {report.exit_status}"
        last = next((line for line in reversed(report.output.splitlines()) if line.strip(" =")), "")
        said = f" ({last.strip()[:200]})" if last else ""
        return Outcome.NOT_REPRODUCED, f"{problem}{said}: check --test-command and the time limits"
    if not report.results:
        raise NoTestsFound("no tests were found: check the project's path and --test-command")
    if wanted and context.request.given:
        reason = f"none of the {len(wanted)} tests that count fails without the patch"
        return Outcome.NOT_REPRODUCED, f"{reason} ({len(report.passing)} pass): nothing to judge it by"
    if wanted:
        here = {result.test for result in report.results}
        known = sum(any(is_named(test, (name,)) for test in here) for name in wanted)
        return Outcome.NOT_REPRODUCED, (
            f"none of the {len(wanted)} tests that the log names fails here "
            f"({known} of them exist here, {len(report.passing)} tests pass)"
        )
    vain = "nothing to repair"
    if context.request.given:
        vain = "nothing to judge the patch by, which needs the project as it was before it"
    return Outcome.NOT_REPRODUCED, f"no test fails ({len(report.passing)} pass already): {vain}"


def _end(outcome: Outcome, reason: str, context: RepairContext) -> dict[str, Any]:
    return {"outcome": outcome, "reason": reason, "elapsed": context.stopwatch.elapsed}
