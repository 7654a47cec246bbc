"""What work costs, as a multiple of a small piece of work that is measured beside it.

A slow machine and a busy one are slow for both: bounds on this hold where bounds in seconds fail.
"""

import gc
import time
from collections.abc import Callable


def cost(work: Callable[[], object]) -> float:
    """The processor time of ``work``, in units of some ten milliseconds on a machine of 2026.

    The unit is measured before and after, and the longer one counts.
    """
    before = _seconds(_unit)
    spent = _seconds(work)
    return spent / max(before, _seconds(_unit))


def _seconds(work: Callable[[], object]) -> float:
    gc.disable()  # what the tests before have left is not looked through meanwhile
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


def _unit() -> int:
    return sum(len(str(number)) for number in range(60_000))
