"""Several workers: the same results in the same order, and sandboxes that cannot be opened cost nothing."""

import threading
from concurrent.futures import wait

import pytest
from agent_support import attempt
from fakes.progress import FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds

from bot.agent.trial.workers import Workers
from bot.domain import Candidate, Patch
from sandbox.errors import SandboxError, SandboxUnavailable

FILES = {"a.py": "x = 1\n"}
CANDIDATES = [Candidate(patch=Patch(edits=()), origin="", explanation=f"number {n}") for n in range(20)]


def opened(workers):
    """All that was asked for is open, or was given up."""
    wait([workers._opening], timeout=30)


def tried(attempts):
    return [one.candidate for one in attempts]


def test_one_worker_uses_the_first_testbed_only():
    first, factory = FakeTestbed(FILES), FakeTestbeds.of(FILES)
    used = []
    with Workers(first, factory, 1, FakeProgress()) as workers:
        workers.open_more(lambda _bed: None)
        done = workers.attempts(lambda p, bed: (used.append(bed), attempt(p))[1], CANDIDATES)
        assert tried(done) == CANDIDATES
    assert set(map(id, used)) == {id(first)}
    assert factory.opened == []


def test_four_workers_give_what_one_gives_in_the_same_order():
    factory = FakeTestbeds.of(FILES)
    used = set()
    together = threading.Barrier(4, timeout=30)

    def work(given, bed):
        used.add(id(bed))
        together.wait()
        return attempt(given)

    with Workers(FakeTestbed(FILES), factory, 4, FakeProgress()) as workers:
        warmed = []
        workers.open_more(warmed.append)
        opened(workers)
        assert tried(workers.attempts(work, CANDIDATES)) == CANDIDATES
    assert len(used) == 4
    assert warmed == factory.opened
    assert factory.closed == 3, "the first one is its owner's to close"


def test_while_others_are_being_opened_the_first_one_works():
    factory, go_on = FakeTestbeds.of(FILES), threading.Event()
    with Workers(FakeTestbed(FILES), factory, 2, FakeProgress()) as workers:
        workers.open_more(lambda _bed: go_on.wait(30))
        assert tried(workers.attempts(lambda p, _bed: attempt(p), CANDIDATES)) == CANDIDATES
        go_on.set()


def test_a_sandbox_that_cannot_be_opened_is_told_and_done_without():
    def fail(_number):
        raise SandboxUnavailable("no room")

    progress = FakeProgress()
    with Workers(FakeTestbed(FILES), FakeTestbeds(fail), 4, progress) as workers:
        workers.open_more(lambda _bed: None)
        opened(workers)
        assert tried(workers.attempts(lambda p, _bed: attempt(p), CANDIDATES)) == CANDIDATES
    assert progress.stages == [("sandbox", "no further worker: no room")]


@pytest.fixture
def two():
    """Two workers, both at work."""
    with Workers(FakeTestbed(FILES), FakeTestbeds.of(FILES), 2, FakeProgress()) as workers:
        for _again in range(3):
            workers.open_more(lambda _bed: None)
        opened(workers)
        assert len(workers._testbeds.opened) == 1, "more are opened once"
        yield workers


def test_a_sandbox_that_fails_at_work_is_an_error(two):
    def work(_given, _bed):
        raise SandboxError("lost")

    alone = Workers(FakeTestbed(FILES), FakeTestbeds.of(FILES), 1, FakeProgress())
    for workers in (alone, two):
        with pytest.raises(SandboxError, match="lost"):
            list(workers.attempts(work, CANDIDATES))


def test_what_is_under_way_when_the_caller_stops_is_dropped(two):
    begun = []
    attempts = two.attempts(lambda p, _bed: (begun.append(p), attempt(p))[1], CANDIDATES)
    assert next(attempts).candidate is CANDIDATES[0]
    attempts.close()
    assert len(begun) <= 4
