"""Several candidates at a time: one warm testbed for each worker, opened when it is first needed.

A testbed on another machine may be lost. What it was trying is tried in another one, and one more is opened.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Lock
from typing import Self

from bot.domain import Attempt, Candidate, Verdict
from bot.ports import Progress, Testbed, TestbedFactory
from sandbox.errors import NodeLost, SandboxError

Work = Callable[[Candidate, Testbed], Attempt]

AHEAD = 16
"""So many candidates for each worker may be under way or done when the first of them is waited for.

One that hangs takes as long as many others.
"""

MAX_TRIES = 3
"""So many testbeds may be lost with one candidate before that is taken for its own fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    """How many workers there are, and where the further ones have their testbeds if not here.

    ``cancel`` gives up what is being opened.
    """

    count: int = 1
    testbeds: TestbedFactory | None = None
    cancel: Callable[[], None] = lambda: None


class _Trial(Future[Attempt]):
    """What will be known of ``candidate``."""

    def __init__(self, candidate: Candidate) -> None:
        super().__init__()
        self.candidate = candidate


class Workers:
    """As many testbeds as ``options`` say; the first is given and stays its owner's to close.

    Further ones are opened behind the scenes, and take part when they are warm.
    """

    def __init__(
        self, first: Testbed, testbeds: TestbedFactory, options: WorkerOptions, progress: Progress
    ) -> None:
        self._testbeds, self._progress = options.testbeds or testbeds, progress
        self._first, self._count, self._are_here = first, max(1, options.count), options.testbeds is None
        self._free: SimpleQueue[Testbed] = SimpleQueue()
        self._free.put(first)
        self._warm, self._lock = 1, Lock()
        self._to_rest, self._resting = 0, list[Testbed]()
        self._resources = ExitStack()
        self._known: dict[tuple[Candidate, bool], Attempt] = {}
        self._opening: Future[None] | None = None
        self._ahead: Future[Testbed] | None = None
        self._ahead_taken = False
        self._open_again: Callable[[], object] = lambda: None
        self._closing, self._cancel = False, options.cancel

    @property
    def is_room(self) -> bool:
        """Whether more than one may work at the same time on this machine."""
        return self._count > 1 and self._are_here

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._closing = True
        self._cancel()
        self._resources.close()

    def attempts(
        self, work: Work, candidates: Sequence[Candidate], *, further: bool = False
    ) -> Generator[Attempt]:
        """What ``work`` makes of each of ``candidates``, in their order.

        Those after the one that is waited for may be under way already; what is known of them when the caller
        stops is given when he asks for them again; with ``further`` less is asked of each.

        Raises:
            SandboxError: a sandbox failed while it was at work.
        """
        waiting = deque(candidates)
        if self._opening is None:
            while waiting:
                yield work(waiting.popleft(), self._first)
            return
        known = {one: self._known.pop((one, further), None) for one in candidates}
        self._known.clear()
        under_way: deque[_Trial] = deque()
        asked: deque[_Trial] = deque()
        stopped = Event()
        try:
            with ThreadPoolExecutor(self._count, thread_name_prefix="regreen-worker") as pool:
                try:
                    while waiting or under_way:
                        # The second testbed takes part as soon as it is warm, whatever the first is at.
                        while waiting and len(under_way) < AHEAD * max(2, self._warm):
                            one = waiting.popleft()
                            under_way.append(_Trial(one))
                            if attempt := known[one]:
                                under_way[-1].set_result(attempt)
                                continue
                            asked.append(under_way[-1])
                            pool.submit(self._work, work, asked, stopped)
                        yield under_way.popleft().result()
                finally:
                    stopped.set()
                    for trial in under_way:
                        trial.cancel()
        finally:
            self._keep(under_way, further=further)

    def _keep(self, ended: Iterable[Future[Attempt]], *, further: bool) -> None:
        """Remember what is known of candidates that nobody has waited for, but for lost ones."""
        for future in ended:
            known = future.done() and not (future.cancelled() or future.exception())
            attempt = future.result() if known else None
            if attempt and attempt.endings:
                self._known[attempt.candidate, further] = attempt

    @property
    def is_ahead(self) -> bool:
        """Whether ``open_ahead`` has begun."""
        return self._ahead is not None

    def open_ahead(self) -> None:
        """Begin to open the testbed of the second worker on this machine, before there are candidates."""
        if self.is_room and self._ahead is None:
            opener = self._resources.enter_context(ThreadPoolExecutor(1, thread_name_prefix="regreen-ahead"))
            self._ahead = opener.submit(lambda: self._resources.enter_context(self._testbeds.open()))

    @contextmanager
    def one_fewer(self) -> Iterator[None]:
        """Leave a processor to what is done here: of several workers, one takes no further candidate."""
        with self._lock:
            self._to_rest += 1
        try:
            yield
        finally:
            with self._lock:
                self._to_rest -= 1
                resting, self._resting = self._resting, []
            for testbed in resting:
                self._give_back(testbed)

    def _give_back(self, testbed: Testbed) -> None:
        with self._lock:
            if len(self._resting) < min(self._to_rest, self._warm - 1):
                self._resting.append(testbed)
                return
        self._free.put(testbed)

    def open_more(self, warm: Callable[[Testbed], object]) -> None:
        """Begin to open what is missing, once; ``warm`` has each do what takes long the first time."""
        if self._count > 1 and self._opening is None:
            opener = self._resources.enter_context(ThreadPoolExecutor(1, thread_name_prefix="regreen-open"))
            self._opening = opener.submit(self._open, warm, self._count - 1)
            self._open_again = lambda: opener.submit(self._open, warm, 1)

    def _open(self, warm: Callable[[Testbed], object], missing: int) -> None:
        for _missing in range(missing):
            try:
                ahead, self._ahead_taken = (None if self._ahead_taken else self._ahead), True
                testbed = ahead.result() if ahead else self._resources.enter_context(self._testbeds.open())
                if self._closing:
                    return
                warm(testbed)
            except NodeLost as error:
                self._progress.stage("sandbox", f"a worker is lost: {error}")
                continue
            except SandboxError as error:
                # Those that are open go on: fewer workers are slower, and no more than that.
                if not self._closing:
                    self._progress.stage("sandbox", f"no further worker: {error}")
                return
            with self._lock:
                self._warm += 1
            self._give_back(testbed)

    def _work(self, work: Work, asked: "deque[_Trial]", stopped: Event) -> None:
        """Do the first of what is ``asked``, unless nobody waits for it any more.

        The testbed comes first: of two threads that wait for one, either may get it, for the same trial.
        """
        testbed = self._free.get()
        trial = asked.popleft()
        if (stopped.is_set() and trial.cancel()) or not trial.set_running_or_notify_cancel():
            self._free.put(testbed)
            return
        try:
            trial.set_result(self._tried(work, trial.candidate, testbed, stopped))
        except BaseException as error:  # noqa: BLE001 - it is raised to who waits
            trial.set_exception(error)

    def _tried(self, work: Work, candidate: Candidate, testbed: Testbed, stopped: Event) -> Attempt:
        """What ``work`` makes of ``candidate``, in ``testbed`` or, where that is lost, in another one."""
        detail = ""
        for again in range(MAX_TRIES):
            if again and stopped.is_set():
                break
            bed = self._free.get() if again else testbed
            try:
                attempt = work(candidate, bed)
            except NodeLost as error:
                detail = str(error)
                self._lose(detail)
            except BaseException:
                self._give_back(bed)
                raise
            else:
                self._give_back(bed)
                return attempt
        return Attempt(candidate=candidate, verdict=Verdict.FAILING, detail=detail)

    def _lose(self, why: str) -> None:
        """A testbed is gone; another one is opened, where one can be."""
        with self._lock:
            self._warm -= 1
        self._progress.stage("sandbox", f"a worker is lost, its candidate goes to another one: {why}")
        self._open_again()
