"""Several proposals at a time: one warm testbed for each worker, opened when it is first needed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue
from threading import Lock
from types import TracebackType
from typing import Self

from bot.domain import Attempt, Proposal
from bot.ports import Progress, Testbed, TestbedFactory
from sandbox.errors import SandboxError

Work = Callable[[Proposal, Testbed], Attempt]


class Workers:
    """Up to ``count`` testbeds; the first is given and stays its owner's to close."""

    def __init__(self, first: Testbed, testbeds: TestbedFactory, count: int, progress: Progress) -> None:
        self._testbeds, self._progress = testbeds, progress
        self._first, self._count = first, max(1, count)
        self._free: SimpleQueue[Testbed] = SimpleQueue()
        self._free.put(first)
        self._opened = 1
        self._lock = Lock()
        self._resources = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resources.close()

    def attempts(self, work: Work, proposals: Sequence[Proposal], *, alone: bool) -> Generator[Attempt]:
        """What ``work`` makes of each of ``proposals``, in their order.

        Those after the one that is waited for may be under way already; their results are dropped when the
        caller stops. With ``alone`` only the first testbed is used.

        Raises:
            SandboxError: a sandbox failed while it was at work.
        """
        if alone or self._count == 1:
            for proposal in proposals:
                yield work(proposal, self._first)
            return
        waiting = deque(proposals)
        under_way: deque[Future[Attempt]] = deque()
        with ThreadPoolExecutor(self._count, thread_name_prefix="regreen-worker") as pool:
            try:
                while waiting or under_way:
                    while waiting and len(under_way) < self._count:
                        under_way.append(pool.submit(self._work, work, waiting.popleft()))
                    yield under_way.popleft().result()
            finally:
                for future in under_way:
                    future.cancel()

    def _work(self, work: Work, proposal: Proposal) -> Attempt:
        testbed = self._take()
        try:
            return work(proposal, testbed)
        finally:
            self._free.put(testbed)

    def _take(self) -> Testbed:
        with self._lock:
            if self._free.empty() and self._opened < self._count:
                try:
                    testbed = self._resources.enter_context(self._testbeds.open())
                except SandboxError as error:
                    # Those that are open go on: fewer workers are slower, and no more than that.
                    self._progress.stage("sandbox", f"no further worker: {error}")
                    self._count = self._opened
                else:
                    self._opened += 1
                    return testbed
        return self._free.get()
