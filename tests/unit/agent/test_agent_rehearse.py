"""The rehearsal: what does not come back on the same code counts neither for nor against a patch."""

import dataclasses

import pytest
from agent_support import HALF, TOTAL, ZERO, failed_result, report, result, runtime
from every_case import every_case
from fakes.progress import FakeClock
from rehearse_support import BASELINE, rehearsed

from bot.agent.nodes.rehearse import CHANGED, GONE, SEEDED, compared, ready
from bot.agent.state import RepairState
from bot.request import Budget
from bot.result import Outcome
from sandbox.reports import TestStatus

NOON = "test_shop.py::test_at[12:00]"


SAME = report(failed_result(TOTAL), result(ZERO), result(HALF))


ALONE = report(result(ZERO))


def test_what_comes_back_as_it_was_stays_as_it_was():
    update, bed, asked = rehearsed(SAME, ALONE)
    assert update == {"baseline": BASELINE}
    assert asked == [{"PYTHONHASHSEED": "1"}]
    assert [one.tests for one in bed.runs] == [None, (ZERO,)]
    assert not any(one.changes for one in bed.runs)


@every_case(
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


@every_case(
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


@every_case(("varied", "because"), [(True, SEEDED), (False, CHANGED)])
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


@every_case(
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
