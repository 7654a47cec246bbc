"""The rehearsal: what does not come back on the same code counts neither for nor against a patch."""

import dataclasses
from threading import Event

import pytest
from agent_support import (
    FILES,
    HALF,
    TOTAL,
    ZERO,
    failed_result,
    report,
    result,
    runtime,
    state,
    with_variations,
)
from fakes.progress import FakeClock, FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds, ScriptedTestbed

from bot.agent.nodes.rehearse import CHANGED, GONE, SEEDED, catch_up, compared, ready, rehearse
from bot.agent.rehearsal import Rehearsal
from bot.agent.state import RepairState
from bot.domain import Baseline
from bot.engine import repair
from bot.request import Budget, RepairRequest
from bot.result import Outcome
from sandbox.errors import SandboxError
from sandbox.reports import TestStatus

NOON = "test_shop.py::test_at[12:00]"
BASELINE = Baseline(
    failing=(failed_result(TOTAL),), passing=(result(ZERO), result(HALF)), runs=3, seconds=1.0
)
SAME = report(failed_result(TOTAL), result(ZERO), result(HALF))
ALONE = report(result(ZERO))


def rehearsed(*reports, baseline=BASELINE, budget=None, varied=True):
    """What the node makes of ``reports``, the testbed that gave them, and its variables."""
    bed = ScriptedTestbed(*reports)
    made = runtime(testbeds=FakeTestbeds(lambda _number: bed), budget=budget)
    asked = []
    if varied:
        made, asked = with_variations(made, lambda _: bed)
    with made.context.rehearsal:
        assert rehearse(state(baseline=baseline, rehearsed=False), made) == {}
        return made.context.rehearsal.result(), bed, asked


def test_what_comes_back_as_it_was_stays_as_it_was():
    update, bed, asked = rehearsed(SAME, ALONE)
    assert update == {"baseline": BASELINE}
    assert asked == [{"PYTHONHASHSEED": "1"}]
    assert [one.tests for one in bed.runs] == [None, (ZERO,)]
    assert not any(one.changes for one in bed.runs)


@pytest.mark.parametrize(
    ("seen", "failing", "passing", "apart"),
    [
        pytest.param(
            report(failed_result(TOTAL), result(ZERO)), [TOTAL], [ZERO], [(HALF, GONE)], id="an-id-is-gone"
        ),
        pytest.param(
            report(failed_result(TOTAL), result(ZERO), result(NOON)),
            [TOTAL],
            [ZERO],
            [(HALF, GONE)],
            id="another-id-came-in-its-place",
        ),
        pytest.param(
            report(failed_result(TOTAL), result(ZERO), failed_result(HALF)),
            [TOTAL],
            [ZERO],
            [(HALF, CHANGED)],
            id="it-fails",
        ),
        pytest.param(
            report(failed_result(TOTAL), result(ZERO), result(HALF, TestStatus.SKIPPED)),
            [TOTAL],
            [ZERO],
            [(HALF, CHANGED)],
            id="it-is-skipped",
        ),
        pytest.param(
            report(failed_result(TOTAL), result(ZERO), complete=False),
            [TOTAL],
            [ZERO, HALF],
            [],
            id="it-may-not-have-had-its-turn",
        ),
    ],
)
def test_a_passing_test_that_does_not_come_back_is_set_apart(seen, failing, passing, apart):
    found = compared(BASELINE, seen, whole=True)
    assert [one.test for one in found.failing] == failing
    assert [one.test for one in found.passing] == passing
    assert list(found.apart) == apart
    assert (found.flaky, found.unsteady) == ((), ())


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        (report(failed_result(TOTAL), result(ZERO), result(HALF)), GONE),
        (report(failed_result(TOTAL), result(NOON, TestStatus.SKIPPED), result(ZERO), result(HALF)), CHANGED),
    ],
)
def test_a_failing_test_that_does_not_come_back_is_set_apart(seen, reason):
    before = dataclasses.replace(BASELINE, failing=(failed_result(TOTAL), failed_result(NOON)))
    found = compared(before, seen, whole=True)
    assert [one.test for one in found.failing] == [TOTAL]
    assert found.apart == ((NOON, reason),)


def test_of_a_run_of_the_failing_tests_alone_nothing_else_is_missing():
    found = compared(BASELINE, report(failed_result(TOTAL)), whole=False)
    assert found == BASELINE


def test_what_was_set_apart_before_stays_so():
    before = dataclasses.replace(BASELINE, apart=(("test_net.py", "a test could not reach a server"),))
    found = compared(before, report(failed_result(TOTAL), result(ZERO)), whole=True)
    assert found.apart == (("test_net.py", "a test could not reach a server"), (HALF, GONE))


def test_a_failure_that_passes_with_another_seed_is_flaky_and_the_others_are_gone_on_with():
    before = dataclasses.replace(
        BASELINE, failing=(failed_result(TOTAL), failed_result(ZERO)), passing=(result(HALF),)
    )
    update, _, _ = rehearsed(SAME, report(result(HALF)), baseline=before)
    assert "outcome" not in update
    assert update["baseline"].fail_to_pass == {TOTAL}
    assert update["baseline"].flaky == ((ZERO, 1),)
    assert update["baseline"].unsteady == ((ZERO, SEEDED),)


@pytest.mark.parametrize(("varied", "because"), [(True, SEEDED), (False, CHANGED)])
def test_where_every_failure_passes_the_run_ends_as_flaky(varied, because):
    earlier = dataclasses.replace(BASELINE, flaky=((NOON, 2),), unsteady=((NOON, "it fails after others"),))
    all_pass = report(result(TOTAL), result(ZERO), result(HALF))
    update, _, _ = rehearsed(all_pass, ALONE, baseline=earlier, varied=varied)
    assert update["outcome"] is Outcome.FLAKY
    assert update["reason"] == f"the failure is flaky: {TOTAL}: {because}"
    assert update["baseline"].flaky == ((NOON, 2), (TOTAL, 1))


def test_where_no_failing_test_comes_back_nothing_could_be_proved():
    many = tuple(failed_result(f"test_shop.py::test_at[{hour}:00]") for hour in range(5))
    before = dataclasses.replace(BASELINE, failing=many)
    update, _, _ = rehearsed(report(result(ZERO), result(HALF)), ALONE, baseline=before)
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert update["reason"].startswith(f"no patch could be proved: {many[0].test}: {GONE}, ")
    assert update["reason"].endswith(f"{GONE} and 2 more")


@pytest.mark.parametrize(
    ("reports", "said"),
    [
        pytest.param(
            [report(problem="the test process was killed")],
            "in a fresh sandbox no test ran (the test process was killed)",
            id="nothing-ran",
        ),
        pytest.param([report()], "no test ran (nothing was collected)", id="nothing-collected"),
        pytest.param(
            [SAME, dataclasses.replace(ALONE, exit_status=2)],
            f"a run of {ZERO} alone, which passes, ends with exit status 2",
            id="a-plugin-fails-every-run",
        ),
        pytest.param(
            [SAME, dataclasses.replace(ALONE, complete=False, problem="its report broke off")],
            "ends with its report broke off",
            id="no-report",
        ),
        pytest.param([SAME, report()], "ends with exit status 5", id="not-found"),
    ],
)
def test_where_no_run_proves_anything_the_search_is_not_begun(reports, said):
    update, _, _ = rehearsed(*reports)
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert update["reason"].startswith("no patch could be proved: ")
    assert said in update["reason"]


def test_a_test_that_needs_the_ones_before_it_says_nothing_of_the_run():
    update, bed, _ = rehearsed(SAME, report(failed_result(ZERO)))
    assert update == {"baseline": BASELINE}
    assert len(bed.runs) == 2


def test_one_of_several_runs_that_proves_is_enough():
    odd = dataclasses.replace(ALONE, exit_status=3)
    update, bed, _ = rehearsed(SAME, odd, report(result(HALF)))
    assert update == {"baseline": BASELINE}
    assert [one.tests for one in bed.runs] == [None, (ZERO,), (HALF,)]


def test_the_quickest_of_those_that_come_back_is_run_alone():
    before = dataclasses.replace(BASELINE, passing=(result(NOON), result(ZERO, seconds=2.0), result(HALF)))
    seen = report(failed_result(TOTAL), result(ZERO, seconds=2.0), result(HALF, seconds=1.0))
    _, bed, _ = rehearsed(seen, report(result(HALF)), baseline=before)
    assert bed.runs[1].tests == (HALF,)


def test_without_a_passing_test_nothing_is_run_alone():
    before = dataclasses.replace(BASELINE, passing=())
    update, bed, _ = rehearsed(report(failed_result(TOTAL)), baseline=before)
    assert update == {"baseline": before}
    assert len(bed.runs) == 1


def test_where_the_suite_takes_too_long_the_failing_tests_are_run_and_not_those_that_hang():
    hanging = failed_result(NOON, TestStatus.TIMEOUT)
    before = dataclasses.replace(BASELINE, failing=(failed_result(TOTAL), hanging), seconds=40.0)
    update, bed, _ = rehearsed(report(failed_result(TOTAL)), baseline=before, budget=Budget(seconds=100))
    assert [one.tests for one in bed.runs] == [(TOTAL,)]
    assert update == {"baseline": before}


def test_where_only_hanging_tests_fail_in_a_long_suite_no_sandbox_is_opened():
    before = dataclasses.replace(BASELINE, failing=(failed_result(TOTAL, TestStatus.TIMEOUT),), seconds=40.0)
    update, bed, asked = rehearsed(SAME, baseline=before, budget=Budget(seconds=100))
    assert (update, bed.runs, asked) == ({}, [], [])


def test_the_traced_run_and_the_rehearsal_meet_in_ready():
    clock = FakeClock()
    made = runtime(clock=clock)
    clock.now += 7.0
    assert ready(RepairState(), made) == {"elapsed": made.context.stopwatch.elapsed}


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
