"""How long a candidate may take: by what its tests took before, and what other candidates took.

A candidate that hangs costs its whole limit, so limits are tight at first; what seems to hang is tried again
later with a patient one. Limits are guesses of this process and never saved.
"""

from collections.abc import Sequence
from threading import Lock

from sandbox.reports import TestReport, TestResult, TestStatus

# A repaired test may take longer than the broken one did, but not by orders of magnitude.
BROKEN_FACTOR = 5.0
# One that others end in a twentieth of a second is not waited for much longer than that.
OTHERS_FACTOR = 10.0
TIGHT_FLOOR_S, PATIENT_FLOOR_S = 0.25, 1.0
# One that hung may end as soon as its neighbours do.
HUNG_FLOOR_S, NEIGHBOURS_FACTOR = 0.1, 20.0
HANGING_SHARE = 0.2
NEIGHBOURS = 100
# So many times as long does a test take while its lines are traced.
TRACE_SLOWDOWN = 10.0


class Pace:
    """The limits of tests, in seconds; learns from each report. ``traced_s`` were spent on traced runs."""

    def __init__(self) -> None:
        self.traced_s = 0.0
        self._slowest: dict[str, float] = {}
        self._neighbour_s = 0.0
        self._lock = Lock()  # several workers report to one pace

    def know(self, passing: Sequence[TestResult]) -> None:
        """Note how long the tests took that pass without a change: a hundred say enough."""
        with self._lock:
            self._neighbour_s = max((result.seconds for result in passing[:NEIGHBOURS]), default=0.0)

    def learn(self, report: TestReport) -> None:
        """Note how long the tests took that came to an end."""
        with self._lock:
            for result in report.results:
                if result.status not in {TestStatus.TIMEOUT, TestStatus.CRASHED}:
                    known = self._slowest.get(result.test, 0.0)
                    self._slowest[result.test] = max(known, result.seconds)

    def limits(self, tests: Sequence[TestResult], *, patient: bool) -> dict[str, float]:
        """The limit of each of ``tests``, which ended so in the unchanged project."""
        return {result.test: self._limit(result, patient=patient) for result in tests}

    def would_wait(self, test: TestResult) -> bool:
        """Whether a patient limit of ``test`` is longer than a tight one."""
        return self._limit(test, patient=True) > self._limit(test, patient=False)

    def _limit(self, result: TestResult, *, patient: bool) -> float:
        hung = result.status is TestStatus.TIMEOUT
        others = OTHERS_FACTOR * self._slowest.get(result.test, 0.0)
        if patient:
            own = (HANGING_SHARE if hung else BROKEN_FACTOR) * result.seconds
            return max(PATIENT_FLOOR_S, own, others)
        if hung:
            floor = min(TIGHT_FLOOR_S, max(HUNG_FLOOR_S, NEIGHBOURS_FACTOR * self._neighbour_s))
            return max(floor if self._neighbour_s else TIGHT_FLOOR_S, others)
        return max(TIGHT_FLOOR_S, BROKEN_FACTOR * result.seconds, others)
