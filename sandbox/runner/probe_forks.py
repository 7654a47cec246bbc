"""Calls of foreign code in forks, and within a time: what they do to the process ends with it."""

from __future__ import annotations

import json
import os
import select
import signal
import warnings
from time import monotonic, process_time  # a test may freeze those of the module
from typing import Any, Callable, Iterator, List, Tuple

from .frames import write_all

PATIENCE = 3  # times a limit: what waits, but hardly computes, may be waiting for a processor
OUTPUT_LIMIT_BYTES = 1 << 20
Lines = List[List[Any]]


class CallTooLong(BaseException):
    """Raised in a call that takes too long."""


def limited(limit: float, call: Callable[[], Any], patience: int = PATIENCE) -> bool:
    """Call; False when it took longer than ``limit`` seconds or could not be ended well.

    On a busy machine a short call takes long: one that computed for less than half of the time may take
    ``patience`` limits.
    """
    patient_until, used = monotonic() + patience * limit, process_time()

    def ring(_signum: int, _frame: Any) -> None:
        if process_time() - used >= limit / 2 or monotonic() >= patient_until:
            raise CallTooLong

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, limit, limit)  # again and again: the first may be swallowed
    try:
        try:
            call()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException:  # TooLong, or what foreign code made of it
        return False
    return True


def forked(act: Callable[[Callable[[Any], None]], None], until: float) -> Tuple[Lines, bool]:
    """What ``act`` wrote in a fork of this process, and whether it came to its end in time."""
    read_fd, write_fd = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads: what hangs in the fork ends in time
        pid = os.fork()
    if pid == 0:
        try:
            os.close(read_fd)
            act(lambda value: write_all(write_fd, json.dumps(value).encode() + b"\n"))
            write_all(write_fd, b"end\n")
        finally:
            os._exit(0)
    os.close(write_fd)
    try:
        data = b"".join(_read_until(read_fd, until))
    finally:
        os.close(read_fd)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    *complete, _rest = data.split(b"\n")
    return [line for raw in complete for line in _parsed(raw)], b"end" in complete


def _read_until(fd: int, until: float) -> Iterator[bytes]:
    total = 0
    while total < OUTPUT_LIMIT_BYTES:
        wait = until - monotonic()
        if wait <= 0 or not select.select([fd], [], [], wait)[0]:
            return
        chunk = os.read(fd, 1 << 16)
        if not chunk:
            return
        total += len(chunk)
        yield chunk


def _parsed(raw: bytes) -> Iterator[Any]:
    try:
        yield json.loads(raw.decode())
    except (ValueError, RecursionError):
        pass  # not what ``_act`` writes, or the end mark
