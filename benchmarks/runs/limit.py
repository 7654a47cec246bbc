"""A limit in seconds on a piece of this process's own work, for the main thread alone."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bot.errors import MachineError

# What a phase may take beyond its own limits before it is given up: sandboxes start and end.
GRACE_S = 120


class TooLong(MachineError):
    """The work did not end in time."""


@contextmanager
def limited(seconds: float, what: str) -> Iterator[None]:
    """Raise ``TooLong`` in the block when it has taken ``seconds``; limits do not nest.

    Elsewhere than in the main thread nothing is limited: no signal arrives there.

    Raises:
        TooLong: the time is over.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def over(_number: int, _frame: FrameType | None) -> None:
        raise TooLong(f"{what} did not end within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
