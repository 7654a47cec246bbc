"""The time limit of a test: an exception raised inside it by an alarm."""

from __future__ import annotations

import signal
from typing import Any


class TestTimeout(BaseException):
    """Raised inside a test that takes too long; not an Exception, so that few handlers swallow it."""

    __test__ = False


class Alarm:
    """One alarm for this process; ``start`` gives each test, or each phase of one, its limit in seconds."""

    def __init__(self) -> None:
        self._limit = 0.0

    def install(self) -> None:
        """Take the signal, from now on and in every fork."""
        signal.signal(signal.SIGALRM, self._ring)

    def start(self, limit: float) -> None:
        """Ring after ``limit`` seconds, unless it is stopped before."""
        self._limit = limit
        signal.setitimer(signal.ITIMER_REAL, limit)

    def stop(self) -> None:
        """Do not ring."""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, _signum: int, _frame: Any) -> None:
        raise TestTimeout("took longer than %g s" % self._limit)
