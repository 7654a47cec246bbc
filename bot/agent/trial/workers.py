"""Several candidates at a time: one warm testbed for each worker, opened when it is first needed."""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from bot.domain import Attempt, Candidate
from bot.ports import Progress, Testbed, TestbedFactory
from sandbox.errors import SandboxError

Work = Callable[[Candidate, Testbed], Attempt]


class Workers:
    """Up to ``count`` testbeds; the first is given and stays its owner's to close.

    Further ones are opened behind the scenes, and take part when they are warm.
    """

    def __init__(self, first: Testbed, testbeds: TestbedFactory, count: int, progress: Progress) -> None:
        self._testbeds, self._progress = testbeds, progress
        self._first, self._count = first, max(1, count)
        self._free: SimpleQueue[Testbed] = SimpleQueue()
        self._free.put(first)
        self._warm = 1
        self._resources = ExitStack()
        self._opening: Future[None] | None = None
        self._closing = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        self._resources.close()

    def attempts(self, work: Work, candidates: Sequence[Candidate]) -> Generator[Attempt]:
        """What ``work`` makes of each of ``candidates``, in their order.

        Those after the one that is waited for may be under way already; their results are dropped when the
        caller stops.

        Raises:
            SandboxError: a sandbox failed while it was at work.
        """
        waiting = deque(candidates)
        if self._opening is None:
            while waiting:
                yield work(waiting.popleft(), self._first)
            return
        under_way: deque[Future[Attempt]] = deque()
        with ThreadPoolExecutor(self._count, thread_name_prefix="regreen-worker") as pool:
            try:
                while waiting or under_way:
                    while waiting and len(under_way) < self._warm:
                        under_way.append(pool.submit(self._work, work, waiting.popleft()))
                    yield under_way.popleft().result()
            finally:
                for future in under_way:
                    future.cancel()

    def open_more(self, warm: Callable[[Testbed], object]) -> None:
        """Begin to open what is missing, once; ``warm`` has each do what takes long the first time."""
        if self._count > 1 and self._opening is None:
            opener = self._resources.enter_context(ThreadPoolExecutor(1, thread_name_prefix="regreen-open"))
            self._opening = opener.submit(self._open, warm)

    def _open(self, warm: Callable[[Testbed], object]) -> None:
        for _missing in range(self._count - 1):
            try:
                testbed = self._resources.enter_context(self._testbeds.open())
                if self._closing:
                    return
                warm(testbed)
            except SandboxError as error:
                # Those that are open go on: fewer workers are slower, and no more than that.
                self._progress.stage("sandbox", f"no further worker: {error}")
                return
            self._free.put(testbed)
            self._warm += 1

    def _work(self, work: Work, candidate: Candidate) -> Attempt:
        testbed = self._free.get()
        try:
            return work(candidate, testbed)
        finally:
            self._free.put(testbed)
