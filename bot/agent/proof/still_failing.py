"""See in the sandbox of the proof that the failing tests fail there without the patch.

A busy machine makes a test hang once that does not hang later. Then any patch seems to repair it.
"""

from collections.abc import Iterator, Sequence

from bot.agent.baseline.flakiness import Flake
from bot.domain import Baseline
from bot.ports import Testbed
from sandbox.reports import TestReport, TestResult, TestStatus

TIME_S = 10.0
"""Tests are run without the patch as long as they took no more than this together; one always is."""

MAX_HANGING = 3
HANG_FACTOR, HANG_FLOOR_S = 4.0, 2.0
"""A test that hung gets so many times what it takes with the patch, and at least so many seconds."""

BECAUSE = "it passes without the patch as well, in the sandbox of the proof"


def unchanged(testbed: Testbed, failing: Sequence[TestResult]) -> TestReport | None:
    """Run ``failing`` without a patch before one is known; None where one hung, whose limit a patch shows.

    Raises:
        sandbox.errors.SandboxError: the sandbox itself failed.
    """
    if any(one.status is TestStatus.TIMEOUT for one in failing):
        return None
    return testbed.run(tests=[*_quickest(failing)])


def passing_unchanged(
    testbed: Testbed, baseline: Baseline, patched: TestReport, before: TestReport | None = None
) -> tuple[Flake, ...]:
    """The failing tests of ``baseline`` that pass without a patch; ``patched`` showed them pass with one.

    ``before`` is what ``unchanged`` has found there, if it was asked.

    Raises:
        sandbox.errors.SandboxError: the sandbox itself failed.
    """
    took = {result.test: result.seconds for result in patched.results}
    hung = [one.test for one in baseline.failing if one.status is TestStatus.TIMEOUT][:MAX_HANGING]
    limits = {test: max(HANG_FLOOR_S, HANG_FACTOR * took.get(test, 0.0)) for test in hung}
    tests = [*_quickest(baseline.failing), *hung]
    report = before or testbed.run(tests=tests, timeout_s=limits or None)
    asked = set(tests)
    runs = baseline.runs + 1
    return tuple(
        Flake(test=result.test, passed=1, runs=runs, because=BECAUSE)
        for result in report.passing
        if result.test in asked
    )


def _quickest(failing: Sequence[TestResult]) -> Iterator[str]:
    """Those that ended before, as many as their time allows."""
    spent = 0.0
    for one in sorted(failing, key=lambda result: result.seconds):
        if one.status is TestStatus.TIMEOUT:
            continue
        if spent and spent + one.seconds > TIME_S:
            return
        spent += one.seconds
        yield one.test
