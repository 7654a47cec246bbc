"""What a rehearsal does to a repair."""

import dataclasses
from threading import Event

import pytest
from agent_support import FILES, HALF, ZERO, repaired, result, runtime, state
from fakes.testbed import FakeTestbed, FakeTestbeds
from rehearse_support import BASELINE

from bot.agent.nodes.rehearse import CHANGED, GONE, catch_up
from bot.agent.proof.rehearsal import Rehearsal
from bot.result import Outcome
from sandbox.errors import SandboxError


def test_a_repair_counts_a_test_whose_name_has_the_time_of_day_neither_for_nor_against():
    def make(number):
        return FakeTestbed({**FILES, "test_time.py": f"def test_clock_{number}():\n    pass\n"})

    found = repaired(testbeds=FakeTestbeds(make))
    assert found.outcome is Outcome.PATCHED
    assert found.baseline.apart == (("test_time.py::test_clock_1", GONE),)
    assert "test_time.py::test_clock_1" not in found.evidence.pass_to_pass


def test_a_repair_ends_before_the_search_where_no_patch_could_be_proved():
    def fault(_number, asked, seen):
        one = asked.tests is not None and len(asked.tests) == 1 and not seen.failing
        return dataclasses.replace(seen, exit_status=2) if one else seen

    testbeds = FakeTestbeds(lambda _number: FakeTestbed(FILES, fault=fault))
    found = repaired(testbeds=testbeds)
    assert (found.outcome, found.attempts) == (Outcome.NOT_REPRODUCED, 0)
    assert "exit status 2" in found.reason
    assert testbeds.closed == len(testbeds.opened) == 2


def caught_up(**update):
    """What a search does that has come some way when the rehearsal ends with ``update``."""
    made = runtime()
    made.context.rehearsal.begin(lambda: update)
    return catch_up(
        state(baseline=BASELINE, rehearsed=False, attempts=7, drawn=9, exhausted=True), made.context
    )


def test_a_search_goes_on_after_a_rehearsal_that_changed_nothing():
    assert caught_up(baseline=BASELINE) == {}


def test_a_search_begins_again_where_the_rehearsal_sets_tests_apart():
    """Its candidates were judged by a test that counts no longer; what was tried is still counted."""
    found = dataclasses.replace(BASELINE, passing=(result(ZERO),), apart=((HALF, CHANGED),))
    update = caught_up(baseline=found)
    assert update["baseline"] == found
    assert (update["attempts"], update["drawn"], update["exhausted"]) == (7, 0, False)
    assert update["rehearsed"]


def test_a_search_ends_where_nothing_could_be_proved():
    update = caught_up(outcome=Outcome.NOT_REPRODUCED, reason="why")
    assert (update["outcome"], update["reason"]) == (Outcome.NOT_REPRODUCED, "why")
    assert update["baseline"] == BASELINE


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
