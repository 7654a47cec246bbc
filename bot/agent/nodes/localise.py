"""Find where the fault may lie: a traced run of the failing tests and of passing ones near them."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.baseline.untied import untied
from bot.agent.policy_check import read_ahead
from bot.agent.state import RepairContext, RepairState, searches
from bot.agent.timing.deadlines import Phase
from bot.agent.trial.evaluation import cost, few_files
from bot.agent.trial.pace import TRACE_SLOWDOWN
from bot.domain import Suspicion
from bot.internal_errors import guarded
from bot.search.after_failure import weakened
from bot.search.import_time import read_at_import
from bot.search.spectra import suspicious_lines
from sandbox.reports import TestResult, TestStatus

# After a suite that takes this long, a second worker is worth the while from the first candidate on.
LONG_S = 1.0
# With 300 the rank of the fault was the same over 50 seeded bugs.
BESIDE_LIMIT, FURTHER_LIMIT = 150, 50
# Where it is known how like they are: over seeded bugs, 200 rank the fault no higher in the mean.
LIKE_LIMIT = 30
PASSING_SECONDS = 6.0
SUSPICION_LIMIT = 4_000
HANG_TRACE_S = 1.0
# Where many tests hang, or hundreds fail, it is in one place.
HANGS_TRACED = 3
FAILING_LIMIT = 100
FAILING_SECONDS = 10.0


def localise(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Trace, and rank the source lines by suspicion."""
    context = runtime.context.within(Phase.LOCALISE, state.baseline)
    context.progress.stage("localise", "tracing the tests")
    baseline = state.baseline
    is_long = baseline.seconds >= LONG_S and searches(context.request)
    if is_long:
        context.workers.open_ahead()
    likeness = context.callers.likeness({result.test for result in baseline.failing})
    beside, further = _near(baseline.failing, baseline.passing, likeness)
    # What lies in the failing tests' files is loaded already, or will be for the search.
    traced = [result.test for result in _affordable(baseline.failing)]
    near = _traced(context, [*traced, *beside], baseline.failing)
    failing_tests = {result.test for result in baseline.failing}
    passing = [result for result in near if result.test not in failing_tests]
    passing += _traced(context, further)
    # A trace can change how a test ends; the untraced frames stay the better witness.
    traces = {result.test: result for result in near}
    failing = [_with_trace(result, traces.get(result.test)) for result in baseline.failing]
    suspicions = _with_import_time(failing, suspected(failing, passing, context.sources, context), context)
    if is_long and suspicions:
        read_ahead(suspicions[0].path, context)
    return {
        "suspicions": suspicions[:SUSPICION_LIMIT],
        "untied": untied(failing, frozenset(traces), context.sources, context.policy.may_change),
        "elapsed": context.stopwatch.elapsed,
    }


def _with_import_time(
    failing: Sequence[TestResult], suspicions: tuple[Suspicion, ...], context: RepairContext
) -> tuple[Suspicion, ...]:
    """``suspicions`` and those of statements that ran before any test, the most suspicious first."""
    with guarded("what runs at import"):
        further = read_at_import(failing, suspicions, context.sources, context.policy.may_change)
        known = {(one.path, one.line) for one in suspicions}
        both = (*suspicions, *(one for one in further if (one.path, one.line) not in known))
        return tuple(sorted(both, key=lambda one: -one.score))
    return suspicions


def suspected(
    failing: Sequence[TestResult],
    passing: Sequence[TestResult],
    sources: Mapping[str, str],
    context: RepairContext,
) -> tuple[Suspicion, ...]:
    """The lines of ``sources`` that may be changed, most suspicious first, by traced results."""
    may_change = cache(lambda path: path in sources and context.policy.may_change(path))
    with guarded("localisation"):
        passed = [result for result in passing if not result.status.is_failure]
        found = suspicious_lines(failing, passed, may_change, spectra=context.request.search.spectra)
        return weakened(found, sources, failing)
    return _framed(failing, may_change)


def _framed(failing: Sequence[TestResult], may_change: Callable[[str], bool]) -> tuple[Suspicion, ...]:
    """The lines of the failures' frames, all alike: what is known without localisation."""
    frames = [frame for result in failing for frame in reversed(result.frames) if may_change(frame.path)]
    lines = dict.fromkeys((frame.path, frame.line) for frame in frames)
    return tuple(Suspicion(path=path, line=line, score=1.0) for path, line in lines)


def _affordable(failing: Sequence[TestResult]) -> list[TestResult]:
    """The failing tests to trace, in their order: the cheapest ones, one at least."""
    hanging = sorted((result for result in failing if result.status is TestStatus.TIMEOUT), key=cost)
    ending = [result for result in failing if result.status is not TestStatus.TIMEOUT]
    # Neighbours fail for one reason: of hundreds, some from each part of the suite are enough.
    spread = sorted(ending[:: -(-len(ending) // FAILING_LIMIT) or 1], key=cost)
    seconds = list(accumulate(result.seconds * TRACE_SLOWDOWN for result in spread))
    count = max(1, sum(total <= FAILING_SECONDS for total in seconds))
    chosen = {result.test for result in (*spread[:count], *hanging[:HANGS_TRACED])}
    return [result for result in failing if result.test in chosen]


def _with_trace(result: TestResult, trace: TestResult | None) -> TestResult:
    return dataclasses.replace(result, lines=trace.lines, steps=trace.steps) if trace else result


def _traced(
    context: RepairContext, tests: Sequence[str], failing: Sequence[TestResult] = ()
) -> tuple[TestResult, ...]:
    if not tests:
        return ()
    # Where it hangs shows in a moment; a trace of the whole limit shows the same lines.
    hanging = {result.test: HANG_TRACE_S for result in failing if result.status is TestStatus.TIMEOUT}
    quick = bool(failing) and searches(context.request) and few_files(tests)
    with guarded("the traced run"):
        return context.testbed.run(tests=tests, trace=True, timeout_s=hanging or None, quick=quick).results
    return ()


def _near(
    failing: Sequence[TestResult], passing: Sequence[TestResult], likeness: Mapping[str, float] | None
) -> tuple[list[str], list[str]]:
    """Passing tests to compare with, as many as time allows: those in a failing test's file, then others.

    What shares no function with the failing tests executes none of the lines that are compared.
    """
    files = {result.test.split("::")[0] for result in failing}
    groups = [
        [result for result in passing if (result.test.split("::")[0] in files) is is_beside]
        for is_beside in (True, False)
    ]
    if likeness is None:
        # Some from each part of the suite.
        spread = groups[1][:: -(-len(groups[1]) // FURTHER_LIMIT) or 1]
        beside, further = groups[0][:BESIDE_LIMIT], spread
    else:
        beside, further = (_most_like(group, likeness) for group in groups)
        further = further[: LIKE_LIMIT - len(beside)]
    chosen: tuple[list[str], list[str]] = [], []
    seconds = 0.0
    for group, results in zip(chosen, (beside, further), strict=True):
        for result in results:
            seconds += result.seconds * TRACE_SLOWDOWN
            if seconds > PASSING_SECONDS:
                return chosen
            group.append(result.test)
    return chosen


def _most_like(results: Sequence[TestResult], likeness: Mapping[str, float]) -> list[TestResult]:
    """Those of ``results`` that are most like the failing tests; one that was not seen may be like them."""
    related = [result for result in results if likeness.get(result.test, 1.0)]
    return sorted(related, key=lambda result: -likeness.get(result.test, 0.0))[:LIKE_LIMIT]
