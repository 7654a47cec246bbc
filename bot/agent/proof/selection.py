"""Which passing tests show that a patch breaks nothing: those that run its lines, then what time allows.

A suite that fits into what is left of the time is run as a whole, as a user runs it. Only a larger one is
chosen from; what was left out is part of the evidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.agent.baseline.changed_tests import of_change
from bot.agent.state import RepairContext
from bot.agent.timing.deadlines import MARGIN, Phase, proof_s, suite_s
from bot.agent.trial.callers import replaced_lines
from bot.agent.trial.pace import TRACE_SLOWDOWN
from bot.domain import Baseline, Patch
from bot.ports import Testbed
from sandbox.reports import TestResult

LEAST_S = 10.0
TRACED_SHARE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSelection:
    """Passing tests to run: those that run a changed line or are of the suspected change, then the others.

    ``left_out`` had no time.
    """

    covering: tuple[str, ...]
    others: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def tests(self) -> tuple[str, ...]:
        """All that are run, in their order."""
        return self.covering + self.others


def select_tests(
    testbed: Testbed, patch: Patch, baseline: Baseline, context: RepairContext
) -> SuiteSelection | None:
    """The tests to run on ``patch``; None where the whole suite is to be run."""
    repeats = context.request.repeats
    allowed = context.left(Phase.VALIDATE) - proof_s(baseline, repeats=repeats, suite=False)
    if MARGIN * suite_s(baseline) <= allowed and not baseline.unseen:
        return None
    allowed = min(max(0.0, allowed), LEAST_S + 2 * MARGIN * suite_s(baseline))
    context.progress.stage("validate", "choosing tests: the suite takes longer than the time that is left")
    lines = replaced_lines(patch, context.sources)
    near = _nearest_first(baseline, patch)
    traced = _within(near, allowed * TRACED_SHARE / TRACE_SLOWDOWN)
    found = testbed.run(tests=[result.test for result in traced], trace=True).results if traced else ()
    touching = {
        result.test
        for result in found
        if any(not changed.isdisjoint(result.lines.get(path, ())) for path, changed in lines.items())
    }
    # A patch has to keep what the suspected change was made for.
    touching |= {result.test for result in of_change(baseline.passing, context.request, context.sources)}
    covering = [result for result in baseline.passing if result.test in touching]
    rest = [result for result in near if result.test not in touching]
    spent = sum(result.seconds for result in covering)
    others = _within(rest, allowed * (1 - TRACED_SHARE) / MARGIN - spent)
    chosen = {result.test for result in (*covering, *others)}
    return SuiteSelection(
        covering=tuple(result.test for result in covering),
        # In the suite's own order: tests may rely on those before them.
        others=tuple(r.test for r in baseline.passing if r.test in chosen and r.test not in touching),
        left_out=tuple(result.test for result in baseline.passing if result.test not in chosen),
    )


def _nearest_first(baseline: Baseline, patch: Patch) -> list[TestResult]:
    """The passing tests: those in a failing one's file first, then those named after a changed file."""
    files = {result.test.partition("::")[0] for result in baseline.failing}
    stems = {path.rpartition("/")[2].removesuffix(".py") for path in patch.paths}

    def far(result: TestResult) -> tuple[bool, bool, float]:
        file = result.test.partition("::")[0]
        named = any(stem in file for stem in stems if stem != "__init__")
        return file not in files, not named, result.seconds

    return sorted(baseline.passing, key=far)


def _within(results: Sequence[TestResult], seconds: float) -> list[TestResult]:
    """The first of ``results`` that take no longer than ``seconds`` together."""
    chosen: list[TestResult] = []
    for result in results:
        seconds -= result.seconds
        if seconds < 0:
            break
        chosen.append(result)
    return chosen
