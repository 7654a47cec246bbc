"""Several workers and one testbed: the candidates are tried in the order in which they were asked for."""

import threading

from agent_support import attempt
from fakes.progress import FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds

from bot.agent.trial.workers import WorkerOptions, Workers
from bot.domain import Candidate, Patch

FILES = {"a.py": "x = 1\n"}
CANDIDATES = [Candidate(patch=Patch(edits=()), origin="", explanation=f"number {n}") for n in range(20)]


class LastFirst:
    """A queue that serves who came last, and nobody before two wait."""

    def __init__(self, testbed):
        self._testbeds, self._waiting = [testbed], []
        self._are_two, self._changed = False, threading.Condition()

    def get(self):
        with self._changed:
            me = object()
            self._waiting.append(me)
            self._are_two |= len(self._waiting) == 2
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self._is_next(me), timeout=30)
            self._waiting.remove(me)
            self._changed.notify_all()
            return self._testbeds.pop()

    def _is_next(self, me):
        return self._are_two and self._testbeds and self._waiting[-1] is me

    def put(self, testbed):
        with self._changed:
            self._testbeds.append(testbed)
            self._changed.notify_all()


def test_what_was_asked_first_is_tried_first_whichever_thread_gets_the_only_testbed():
    began, go_on, factory = [], threading.Event(), FakeTestbeds.of(FILES)
    with Workers(FakeTestbed(FILES), factory, WorkerOptions(count=2), FakeProgress()) as workers:
        workers._free = LastFirst(workers._free.get())
        workers.open_more(lambda _bed: go_on.wait(30))
        for _ in workers.attempts(lambda one, _bed: (began.append(one), attempt(one))[1], CANDIDATES):
            pass
        go_on.set()
    assert began == CANDIDATES
