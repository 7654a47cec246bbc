"""Trials on this machine, several at a time, each in a process of its own."""

import multiprocessing
import os
import threading
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from benchmarks.runs.tasks import guarded
from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Trial, Work


def rows(trials: Iterable[Trial], work: Work, *, parallel: int) -> Generator[Row]:
    """The row of each trial as it ends, ``parallel`` of them at a time.

    No more are taken from ``trials`` than are being worked on.
    """
    if parallel == 1:
        yield from (guarded(work, trial) for trial in trials)
        return
    waiting = iter(trials)
    running: set[Future[Row]] = set()
    # Not by fork: what is imported here (docker's client, SQLite) does not all survive one.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(parallel, mp_context=context, initializer=_end_with_parent) as pool:
        try:
            while True:
                while len(running) < parallel and (trial := next(waiting, None)) is not None:
                    running.add(pool.submit(guarded, work, trial))
                if not running:
                    return
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _end_with_parent() -> None:
    """A pool's process that lost its parent to a kill would wait for its next task for ever."""
    parent = multiprocessing.parent_process()
    assert parent

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
