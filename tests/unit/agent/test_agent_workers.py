"""Several workers: the same results in the same order, and sandboxes that cannot be opened cost nothing."""

import threading
from collections import Counter
from concurrent.futures import wait
from dataclasses import replace

import pytest
from agent_support import attempt
from fakes.progress import FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds

from bot.agent.trial.workers import AHEAD, MAX_TRIES, WorkerOptions, Workers
from bot.domain import Candidate, Patch, Verdict
from sandbox.errors import NodeLost, SandboxError, SandboxUnavailable
from sandbox.reports import TestResult, TestStatus

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
    with Workers(first, factory, WorkerOptions(count=1), FakeProgress()) as workers:
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

    with Workers(FakeTestbed(FILES), factory, WorkerOptions(count=4), FakeProgress()) as workers:
        warmed = []
        workers.open_more(warmed.append)
        opened(workers)
        assert tried(workers.attempts(work, CANDIDATES)) == CANDIDATES
    assert len(used) == 4
    assert warmed == factory.opened
    assert factory.closed == 3, "the first one is its owner's to close"


def test_while_others_are_being_opened_the_first_one_works():
    factory, go_on = FakeTestbeds.of(FILES), threading.Event()
    with Workers(FakeTestbed(FILES), factory, WorkerOptions(count=2), FakeProgress()) as workers:
        workers.open_more(lambda _bed: go_on.wait(30))
        assert tried(workers.attempts(lambda p, _bed: attempt(p), CANDIDATES)) == CANDIDATES
        go_on.set()


def test_a_sandbox_that_cannot_be_opened_is_told_and_done_without():
    def fail(_number):
        raise SandboxUnavailable("no room")

    progress = FakeProgress()
    with Workers(FakeTestbed(FILES), FakeTestbeds(fail), WorkerOptions(count=4), progress) as workers:
        workers.open_more(lambda _bed: None)
        opened(workers)
        assert tried(workers.attempts(lambda p, _bed: attempt(p), CANDIDATES)) == CANDIDATES
    assert progress.stages == [("sandbox", "no further worker: no room")]


@pytest.fixture
def two():
    """Two workers, both at work."""
    with Workers(
        FakeTestbed(FILES), FakeTestbeds.of(FILES), WorkerOptions(count=2), FakeProgress()
    ) as workers:
        for _again in range(3):
            workers.open_more(lambda _bed: None)
        opened(workers)
        assert len(workers._testbeds.opened) == 1, "more are opened once"
        yield workers


def test_a_sandbox_that_fails_at_work_is_an_error(two):
    def work(_given, _bed):
        raise SandboxError("lost")

    alone = Workers(FakeTestbed(FILES), FakeTestbeds.of(FILES), WorkerOptions(count=1), FakeProgress())
    for workers in (alone, two):
        with pytest.raises(SandboxError, match="lost"):
            list(workers.attempts(work, CANDIDATES))


ENDED = (TestResult(test="test_a.py::test_one", status=TestStatus.FAILED),)


@pytest.mark.parametrize(
    ("endings", "further", "again"), [(ENDED, False, 0), (ENDED, True, 1), ((), False, 1)]
)
def test_what_is_known_when_the_caller_stops_is_given_when_as_much_is_asked(two, endings, further, again):
    begun = Counter()
    second = threading.Event()

    def work(given, _bed):
        begun[given] += 1
        if given is CANDIDATES[1]:
            second.set()
        return replace(attempt(given), endings=endings)

    attempts = two.attempts(work, CANDIDATES)
    assert next(attempts).candidate is CANDIDATES[0]
    assert second.wait(30)
    attempts.close()
    assert tried(two.attempts(work, CANDIDATES[1:], further=further)) == CANDIDATES[1:]
    assert begun[CANDIDATES[1]] == 1 + again


def test_what_is_under_way_when_the_caller_stops_is_dropped(two):
    begun = []
    attempts = two.attempts(lambda p, _bed: (begun.append(p), attempt(p))[1], CANDIDATES)
    assert next(attempts).candidate is CANDIDATES[0]
    attempts.close()
    assert len(begun) <= 1 + 2 * AHEAD


def test_one_that_takes_long_keeps_nobody_waiting(two):
    third = threading.Event()

    def work(given, _bed):
        if given is CANDIDATES[0]:
            assert third.wait(30)
        if given is CANDIDATES[2]:
            third.set()
        return attempt(given)

    assert tried(two.attempts(work, CANDIDATES)) == CANDIDATES


@pytest.fixture
def lossy():
    """Workers of which further ones may be lost; what was said, and how often opening was cancelled."""
    factory, progress, cancelled = FakeTestbeds.of(FILES), FakeProgress(), []
    first = FakeTestbed(FILES)
    options = WorkerOptions(count=3, testbeds=factory, cancel=lambda: cancelled.append(1))
    with Workers(first, FakeTestbeds.of(FILES), options, progress) as workers:
        workers.open_more(lambda _bed: None)
        opened(workers)
        yield workers, factory, first, progress
    assert cancelled == [1]
    assert factory.closed == len(factory.opened)


def test_what_a_lost_worker_was_trying_is_tried_by_another_one_and_another_is_opened(lossy):
    workers, factory, _first, progress = lossy
    doomed, count = factory.opened[0], Counter()
    has_it = threading.Event()

    def work(given, bed):
        count[given.explanation] += 1
        if bed is doomed:
            has_it.set()
            raise NodeLost("node a: it ended")
        assert has_it.wait(30)
        return attempt(given)

    assert tried(workers.attempts(work, CANDIDATES)) == CANDIDATES
    assert sorted(count.values()) == [*[1] * 19, 2]
    assert progress.stages == [
        ("sandbox", "a worker is lost, its candidate goes to another one: node a: it ended")
    ]
    wait([workers._open_again()], timeout=30)
    assert len(factory.opened) == 4, "one more for the lost one, one more for this test"


def test_when_all_further_workers_are_lost_the_first_one_goes_on(lossy):
    workers, factory, first, _progress = lossy

    def make(_number):
        raise SandboxError("no node is left")

    factory.make = make

    def work(given, bed):
        if bed is not first:
            raise NodeLost("node a: it ended")
        return attempt(given)

    assert tried(workers.attempts(work, CANDIDATES)) == CANDIDATES


def test_a_candidate_with_which_every_worker_is_lost_fails_and_costs_no_other_one(lossy):
    workers, _factory, _first, _progress = lossy
    number = iter(range(100))

    def work(given, bed):
        if given is CANDIDATES[3]:
            raise NodeLost(f"node {next(number)}: it ended")
        return attempt(given)

    workers._free.put(FakeTestbed(FILES))  # one more than can be lost
    found = list(workers.attempts(work, CANDIDATES[:6]))
    assert [one.candidate for one in found] == CANDIDATES[:6]
    assert found[3].verdict is Verdict.FAILING
    assert found[3].detail == f"node {MAX_TRIES - 1}: it ended"


def test_a_worker_that_is_lost_while_it_gets_warm_keeps_no_other_one_away():
    factory, progress = FakeTestbeds.of(FILES), FakeProgress()

    def warm(bed):
        if bed is factory.opened[0]:
            raise NodeLost("node a: it ended")

    options = WorkerOptions(count=3, testbeds=factory)
    with Workers(FakeTestbed(FILES), factory, options, progress) as workers:
        workers.open_more(warm)
        opened(workers)
        assert workers._warm == 2
    assert progress.stages == [("sandbox", "a worker is lost: node a: it ended")]


def test_a_testbed_that_was_opened_ahead_is_the_second_workers():
    factory = FakeTestbeds.of(FILES)
    with Workers(FakeTestbed(FILES), factory, WorkerOptions(count=2), FakeProgress()) as workers:
        workers.open_ahead()
        workers.open_ahead()
        warmed = []
        workers.open_more(warmed.append)
        opened(workers)
        assert warmed == factory.opened
        assert len(factory.opened) == 1
    assert factory.closed == 1


def test_what_was_opened_ahead_in_vain_is_closed():
    factory = FakeTestbeds.of(FILES)
    with Workers(FakeTestbed(FILES), factory, WorkerOptions(count=2), FakeProgress()) as workers:
        workers.open_ahead()
    assert factory.closed == len(factory.opened)


def test_one_worker_opens_none_ahead():
    factory = FakeTestbeds.of(FILES)
    with Workers(FakeTestbed(FILES), factory, WorkerOptions(count=1), FakeProgress()) as workers:
        workers.open_ahead()
        assert not workers.is_ahead


def test_one_of_several_rests_while_a_processor_is_needed():
    factory, used = FakeTestbeds.of(FILES), []
    with Workers(FakeTestbed(FILES), factory, WorkerOptions(count=2), FakeProgress()) as workers:
        workers.open_more(lambda _bed: None)
        opened(workers)
        with workers.one_fewer():
            # Each worker may be given one candidate before it comes to rest.
            done = workers.attempts(lambda p, bed: (used.append(id(bed)), attempt(p))[1], CANDIDATES)
            assert tried(done) == CANDIDATES
            assert len(workers._resting) == 1
        assert len(set(used[2:])) == 1
        assert workers._free.qsize() == 2


def test_the_only_worker_does_not_rest():
    alone = Workers(FakeTestbed(FILES), FakeTestbeds.of(FILES), WorkerOptions(), FakeProgress())
    with alone as workers, workers.one_fewer():
        assert tried(workers.attempts(lambda p, _bed: attempt(p), CANDIDATES)) == CANDIDATES
