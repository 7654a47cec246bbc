"""The rehearsal: what does not come back on the same code counts neither for nor against a patch."""

import dataclasses

from agent_support import HALF, TOTAL, ZERO, failed_result, report, result
from every_case import every_case
from rehearse_support import BASELINE, rehearsed

from bot.agent.nodes.rehearse import CHANGED, GONE, SEEDED, compared
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


def with_zero(*more, **options):
    return report(failed_result(TOTAL), result(ZERO), *more, **options)


@every_case(
    ("seen", "apart"),
    [
        (with_zero(), [(HALF, GONE)]),
        (with_zero(result(NOON)), [(HALF, GONE)]),
        (with_zero(failed_result(HALF)), [(HALF, CHANGED)]),
        (with_zero(result(HALF, TestStatus.SKIPPED)), [(HALF, CHANGED)]),
        (with_zero(complete=False), []),
    ],
    ids=["gone", "another in its place", "it fails", "it is skipped", "it may not have had its turn"],
)
def test_a_passing_test_that_does_not_come_back_is_set_apart(seen, apart):
    earlier = (("test_net.py", "a test could not reach a server"),)
    found = compared(dataclasses.replace(BASELINE, apart=earlier), seen, whole=True)
    assert found.fail_to_pass == {TOTAL}
    assert found.pass_to_pass == ({ZERO} if apart else {ZERO, HALF})
    assert found.apart == (*earlier, *apart)
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
        ([report(problem="it was killed")], "in a fresh sandbox no test ran (it was killed)"),
        ([report()], "in a fresh sandbox no test ran (nothing was collected)"),
        (
            [SAME, dataclasses.replace(ALONE, exit_status=2)],
            f"a run of {ZERO} alone, which passes, ends with exit status 2",
        ),
        (
            [SAME, dataclasses.replace(ALONE, complete=False, problem="its report broke off")],
            f"a run of {ZERO} alone, which passes, ends with its report broke off",
        ),
        ([SAME, report()], f"a run of {ZERO} alone, which passes, ends with exit status 5"),
    ],
    ids=["nothing ran", "nothing collected", "a plugin fails every run", "no report", "not found"],
)
def test_where_no_run_proves_anything_the_search_is_not_begun(reports, said):
    update, _, _ = rehearsed(*reports)
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert update["reason"] == f"no patch could be proved: {said}"


def test_one_of_several_runs_that_proves_is_enough_and_a_failing_one_says_nothing():
    update, bed, _ = rehearsed(SAME, report(failed_result(ZERO)))
    assert (update, len(bed.runs)) == ({"baseline": BASELINE}, 2)
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
    only = dataclasses.replace(before, failing=(hanging,))
    update, bed, asked = rehearsed(SAME, baseline=only, budget=Budget(seconds=100))
    assert (update, bed.runs, asked) == ({}, [], [])
