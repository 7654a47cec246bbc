"""The time limit of a test: an exception raised inside it by an alarm.

Code that swallows the exception hears the alarm again. A loop in C never gets back to Python, so nothing
can be raised there: a handler in C writes down where it is, and the supervisor ends the process.
"""

from __future__ import annotations

import faulthandler
import signal
from time import process_time
from typing import Any, Callable, Optional, Sequence, Tuple

from . import tasks

AGAIN_S = 0.5
BUSY_SHARE = 0.25  # of a limit: who uses less of a processor waits for something
Place = Tuple[str, int, str]


class TestTimeout(BaseException):
    """Raised inside a test that takes too long; not an Exception, so that few handlers swallow it.

    ``places`` are those in coroutines that wait below the place where it is raised: file, line, function.
    """

    __test__ = False

    def __init__(self, message: str = "", places: Sequence[Place] = ()) -> None:
        super().__init__(message)
        self.places = list(places)


class Alarm:
    """One alarm for this process; ``start`` gives each test, or each phase of one, its limit in seconds.

    The stack at each ring is written to the descriptor ``stack_fd``, if there is one.
    """

    def __init__(self, stack_fd: Optional[int] = None) -> None:
        self._limit = self._waiting = self._began = 0.0
        self._note: Optional[Callable[[float], None]] = None
        self._stack_fd = stack_fd
        self._places: Sequence[Place] = ()  # where coroutines waited when it rang first

    def install(self) -> None:
        """Take the signal, from now on and in every fork."""
        if self._stack_fd is not None:
            faulthandler.unregister(signal.SIGALRM)  # it would put back the handler of an earlier time
        signal.signal(signal.SIGALRM, self._ring)
        if self._stack_fd is not None:
            faulthandler.register(signal.SIGALRM, self._stack_fd, all_threads=False, chain=True)

    def start(
        self, limit: float, waiting: float = 0.0, note: Optional[Callable[[float], None]] = None
    ) -> None:
        """Ring after ``limit`` seconds and on and on, unless it is stopped before.

        What has hardly computed by then, and so waits for a program or a thread, gets ``waiting`` seconds
        in all where these are more; ``note`` hears of it.
        """
        self._limit, self._places = limit, ()
        self._waiting, self._note, self._began = waiting, note, process_time()
        signal.setitimer(signal.ITIMER_REAL, limit, min(limit, AGAIN_S))

    def stop(self) -> None:
        """Do not ring."""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def within(
        self,
        limit: float,
        call: Callable[[], Any],
        waiting: float = 0.0,
        note: Optional[Callable[[float], None]] = None,
    ) -> Optional[BaseException]:
        """What ``call`` raises under the alarm, see ``start``; what ends the run is raised on."""
        self.start(limit, waiting, note)
        try:
            call()
        except BaseException as error:  # a test may raise anything
            if ends_the_run(error):
                raise
            return error
        finally:
            self.stop()
        return None

    def _ring(self, _signum: int, _frame: Any) -> None:
        if self._waiting > self._limit and process_time() - self._began < BUSY_SHARE * self._limit:
            signal.setitimer(signal.ITIMER_REAL, self._waiting - self._limit, AGAIN_S)
            self._limit, self._waiting = self._waiting, 0.0
            if self._note:
                self._note(self._limit)
            return
        self._waiting = 0.0
        self._places = self._places or tasks.places()
        raise TestTimeout("took longer than %g s" % self._limit, self._places)


def ends_the_run(error: BaseException) -> bool:
    """Whether a test that raises this wants no verdict on any: an interruption, or ``pytest.exit``."""
    kind = type(error)
    return isinstance(error, KeyboardInterrupt) or (
        kind.__name__ == "Exit" and kind.__module__.startswith("_pytest.")
    )
