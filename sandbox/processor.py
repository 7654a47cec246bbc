"""One processor for each sandbox that gives quick verdicts, as long as there are enough of them.

Three processes that wait for each other make a verdict, and waking one on a processor that sleeps, or has
other memory at hand, takes longer than many a test. So they share one; and no two sandboxes of this user
share the same, whichever run of Regreen they belong to.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def lease() -> Iterator[int | None]:
    """The number of a processor that nobody else has leased; None where all are taken, or there is one only.

    It is free again when the context is left, or when this process ends, however it does.
    """
    allowed = sorted(os.sched_getaffinity(0))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as lock:
        number: int | None
        for number in allowed if len(allowed) > 1 else []:
            # A name in Linux's abstract namespace belongs to one socket, leaves no file, and ends with it.
            with suppress(OSError):
                lock.bind(f"\0regreen-{os.getuid()}-processor-{number}")
                break
        else:
            number = None
        yield number
