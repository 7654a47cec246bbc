"""Judges a run of the unchanged project: does what fails there fail because of the environment?"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from bot.agent.baseline.sample import is_named
from bot.causes.exceptions import CauseKind, cause
from sandbox.reports import TestReport, TestResult

# Shares of the tests that ran.
ENVIRONMENTAL_SHARE = 0.01
"""More failures of the environment's making than this, and another environment is tried."""

UNEXPECTED_SHARE = 0.02
"""More failures that a log does not name than this, and another environment is tried."""

FAILING_SHARE = 0.2
"""Of a suite without a log: a fault seldom makes more tests fail than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentJudgement:
    """Counts of tests: ``environmental`` fail because of a dependency, ``named`` are in the log and fail.

    ``hidden`` are files among the environmental ones: nothing in them ran. ``good`` says that nothing speaks
    for another environment.
    """

    passing: int
    failing: int
    environmental: int = 0
    hidden: int = 0
    named: int = 0
    good: bool = False

    @property
    def ran(self) -> bool:
        """Whether any test came to a verdict."""
        return self.passing + self.failing > 0

    @property
    def rank(self) -> tuple[bool, bool, int, bool, int]:
        """By which runs are compared, the best highest."""
        return self.ran, self.named > 0, self.passing, self.good, -self.environmental


def judge(report: TestReport, *, named: Collection[str], own: Collection[str]) -> EnvironmentJudgement:
    """How well the environment of ``report`` serves; ``named`` are tests that a log says fail.

    ``own`` are the project's own top-level modules.
    """
    failing, counts = report.failing, counted(report)
    total = counts.passing + counts.failing
    environmental = [one for one in failing if is_environmental(one, own)]
    seen = [one for one in failing if is_named(one.test, named)]
    unexpected = len(failing) - len(seen)
    if named:
        good = bool(seen) and unexpected <= max(UNEXPECTED_SHARE * total, 1)
    else:
        is_usual = len(failing) <= max(FAILING_SHARE * total, 3)
        good = len(environmental) <= ENVIRONMENTAL_SHARE * total and is_usual
    # A run that its time cut off is judged by what ran; one that ended by itself has to end in order.
    is_settled = report.complete or report.exit_status in {0, 1, None}
    return replace(
        counts,
        environmental=len(environmental),
        hidden=sum("::" not in one.test for one in environmental),
        named=len(seen),
        good=good and counts.ran and is_settled,
    )


def counted(report: TestReport) -> EnvironmentJudgement:
    """The counts alone, for a run that cannot be judged: it is taken where no other one is better."""
    return EnvironmentJudgement(passing=len(report.passing), failing=len(report.failing))


def is_environmental(result: TestResult, own: Collection[str]) -> bool:
    """Whether ``result`` fails because a dependency is missing, or is another version than the tests need."""
    return cause(result.exception, result.message, own=own).kind is CauseKind.DEPENDENCY


def may_be_of_a_release(result: TestResult, own: Collection[str]) -> bool:
    """Whether another release of a dependency may let ``result`` pass: it is no linter's and no network's."""
    apart = {CauseKind.LINT, CauseKind.INFRASTRUCTURE}
    return cause(result.exception, result.message, own=own).kind not in apart
