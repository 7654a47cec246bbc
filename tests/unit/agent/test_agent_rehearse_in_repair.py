"""What a rehearsal does to a repair."""

import dataclasses
from threading import Event

import pytest
from agent_support import FILES, HALF, ZERO, result, runtime, state
from fakes.progress import FakeClock, FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds
from rehearse_support import BASELINE

from bot.agent.nodes.rehearse import CHANGED, GONE, catch_up
from bot.agent.rehearsal import Rehearsal
from bot.engine import repair
from bot.request import RepairRequest
from bot.result import Outcome
from sandbox.errors import SandboxError


def test_a_repair_counts_a_test_whose_name_has_the_time_of_day_neither_for_nor_against():
    def make(number):
        name = f"test_clock_{number}"
        return {**FILES, "test_time.py": f"def {name}():\n    pass\n"}

    found = repair(
        RepairRequest(strategy="search"),
        sources=FILES,
        testbeds=FakeTestbeds(lambda number: FakeTestbed(make(number))),
        progress=FakeProgress(),
        clock=FakeClock(),
    )
    assert found.outcome is Outcome.PATCHED
    assert found.baseline.apart == (("test_time.py::test_clock_1", GONE),)
    assert "test_time.py::test_clock_1" not in found.evidence.pass_to_pass


def test_a_repair_ends_before_the_search_where_no_patch_could_be_proved():
    def fault(_number, asked, seen):
        one = asked.tests is not None and len(asked.tests) == 1 and not seen.failing
        return dataclasses.replace(seen, exit_status=2) if one else seen

    testbeds = FakeTestbeds(lambda _number: FakeTestbed(FILES, fault=fault))
    found = repair(
        RepairRequest(strategy="search"),
        sources=FILES,
        testbeds=testbeds,
        progress=FakeProgress(),
        clock=FakeClock(),
    )
    assert found.outcome is Outcome.NOT_REPRODUCED
    assert "exit status 2" in found.reason
    assert found.attempts == 0
    assert testbeds.closed == len(testbeds.opened) == 2


def test_a_search_goes_on_after_a_rehearsal_that_changed_nothing():
    made = runtime()
    made.context.rehearsal.begin(lambda: {"baseline": BASELINE})
    assert catch_up(state(baseline=BASELINE, rehearsed=False, attempts=7, drawn=9), made.context) == {}


def test_a_search_begins_again_where_the_rehearsal_sets_tests_apart():
    """Its candidates were judged by a test that counts no longer; what was tried is still counted."""
    made = runtime()
    found = dataclasses.replace(BASELINE, passing=(result(ZERO),), apart=((HALF, CHANGED),))
    made.context.rehearsal.begin(lambda: {"baseline": found})
    update = catch_up(
        state(baseline=BASELINE, rehearsed=False, attempts=7, drawn=9, exhausted=True), made.context
    )
    assert update["baseline"] == found
    assert (update["attempts"], update["drawn"], update["exhausted"], update["rehearsed"]) == (
        7,
        0,
        False,
        True,
    )


def test_a_search_ends_where_nothing_could_be_proved():
    made = runtime()
    made.context.rehearsal.begin(lambda: {"outcome": Outcome.NOT_REPRODUCED, "reason": "why"})
    update = catch_up(state(baseline=BASELINE, rehearsed=False), made.context)
    assert (update["outcome"], update["reason"], update["baseline"]) == (
        Outcome.NOT_REPRODUCED,
        "why",
        BASELINE,
    )


def test_what_goes_wrong_in_the_rehearsal_ends_the_run():
    made = runtime()

    def fails():
        raise SandboxError("the sandbox is lost")

    made.context.rehearsal.begin(fails)
    with pytest.raises(SandboxError, match="the sandbox is lost"):
        catch_up(state(baseline=BASELINE, rehearsed=False), made.context)


def test_who_leaves_because_of_an_error_does_not_wait_and_who_ends_does():
    go_on, done = Event(), []

    def work():
        go_on.wait()
        done.append(True)
        return {}

    interrupted = Rehearsal()
    interrupted.begin(work)
    interrupted.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not interrupted.done
    go_on.set()
    with Rehearsal() as ended:
        ended.begin(work)
        ended.begin(work)
    assert ended.done
    assert len(done) in {1, 2}  # the interrupted one may be over as well
