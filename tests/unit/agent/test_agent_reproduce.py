"""Reproduce: what counts as a failure of one's own, as flaky, as not here."""

import dataclasses

import pytest
from agent_support import FILES, HALF, TOTAL, ZERO, failed_result, report, result, runtime, slow_by
from every_case import every_case
from fakes.testbed import FakeTestbed, ScriptedTestbed

from bot.agent.nodes.reproduce import reproduce
from bot.agent.state import RepairState
from bot.errors import ConfigurationError
from bot.request import Budget
from bot.result import Outcome
from sandbox.reports import TestStatus


def run(testbed, **more):
    return reproduce(RepairState(), runtime(testbed=testbed, **more))


def test_a_failure_is_seen_as_often_as_asked_and_the_rest_once():
    testbed = FakeTestbed(FILES)
    update = run(testbed, repeats=3)
    assert "outcome" not in update
    assert update["baseline"].fail_to_pass == {TOTAL}
    assert update["baseline"].pass_to_pass == {ZERO, HALF}
    assert update["baseline"].runs == 3
    assert [asked.tests for asked in testbed.runs] == [None, (TOTAL,), (TOTAL,)]


@every_case(
    ("strategy", "repeats", "quick"),
    [
        ("search", 3, [False, False, True]),
        ("search", 4, [False, False, False, True]),
        ("search", 2, [False, False]),
        ("react", 3, [False, False, False]),
    ],
)
def test_the_last_of_three_runs_is_as_candidates_will_be_judged(strategy, repeats, quick):
    testbed = FakeTestbed(FILES)
    assert run(testbed, repeats=repeats, strategy=strategy)["baseline"].runs == repeats
    assert [asked.quick for asked in testbed.runs] == quick


def test_what_fails_in_many_files_is_not_loaded_at_once():
    many = [failed_result(f"test_{number}.py::test_a") for number in range(4)]
    testbed = ScriptedTestbed(report(*many))
    run(testbed, repeats=3)
    assert [asked.quick for asked in testbed.runs] == [False, False, False]


def test_one_run_is_enough_when_one_is_asked():
    testbed = FakeTestbed(FILES)
    assert run(testbed, repeats=1)["baseline"].runs == 1
    assert len(testbed.runs) == 1


def test_all_pass():
    update = run(ScriptedTestbed(report(result(ZERO), result(HALF))))
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert update["reason"] == "no test fails (2 pass already): nothing to repair"
    assert update["baseline"].pass_to_pass == {ZERO, HALF}


def test_no_tests_found():
    with pytest.raises(ConfigurationError, match=r"no tests were found: check .*--test-command"):
        run(ScriptedTestbed(report()))


def test_the_testbeds_own_problem_is_the_reason():
    update = run(ScriptedTestbed(report(complete=False, problem="pytest stopped before it collected tests")))
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert "pytest stopped before it collected tests" in update["reason"]


def test_a_test_that_passes_once_is_flaky():
    testbed = ScriptedTestbed(
        report(failed_result(TOTAL), result(ZERO)),
        report(result(TOTAL)),
        report(failed_result(TOTAL)),
        report(result(TOTAL)),
    )
    update = run(testbed, repeats=4)
    assert update["outcome"] is Outcome.FLAKY
    assert update["reason"] == f"the failure is flaky: {TOTAL} passed 2 of 4 runs"
    assert update["baseline"].flaky == ((TOTAL, 2),)
    assert update["baseline"].failing == ()


def test_a_flaky_test_beside_a_broken_one_is_left_alone():
    testbed = ScriptedTestbed(
        report(failed_result(TOTAL), failed_result(ZERO), result(HALF)),
        report(failed_result(TOTAL), result(ZERO)),
        report(failed_result(TOTAL), failed_result(ZERO)),
    )
    update = run(testbed)
    assert "outcome" not in update
    assert update["baseline"].fail_to_pass == {TOTAL}
    assert update["baseline"].flaky == ((ZERO, 1),)
    assert update["baseline"].pass_to_pass == {HALF}


def test_a_flaky_test_is_neither_to_be_repaired_nor_to_be_kept():
    testbed = ScriptedTestbed(
        report(failed_result(TOTAL), failed_result(ZERO)), report(failed_result(TOTAL), result(ZERO))
    )
    baseline = run(testbed)["baseline"]
    assert ZERO not in baseline.fail_to_pass | baseline.pass_to_pass


@every_case(("repeats", "expected"), [(5, 2), (2, 2), (1, 1)])
def test_a_test_that_hangs_is_not_run_more_than_twice(repeats, expected):
    testbed = ScriptedTestbed(report(failed_result(TOTAL, TestStatus.TIMEOUT), failed_result(ZERO)))
    update = run(testbed, repeats=repeats)
    assert update["baseline"].runs == expected
    assert len(testbed.runs) == expected
    assert update["baseline"].fail_to_pass == {TOTAL, ZERO}


def test_a_hang_that_was_confirmed_already_is_not_waited_for_again():
    hanging = dataclasses.replace(
        report(failed_result(TOTAL, TestStatus.TIMEOUT), failed_result(ZERO)), confirmed=(TOTAL,)
    )
    testbed = ScriptedTestbed(hanging, report(failed_result(ZERO)))
    baseline = run(testbed)["baseline"]
    assert [asked.tests for asked in testbed.runs] == [None, (ZERO,)]
    assert (baseline.runs, baseline.fail_to_pass) == (2, {TOTAL, ZERO})


def test_where_many_tests_hang_three_speak_for_all():
    many = [f"test_shop.py::test_{number}" for number in range(9)]
    testbed = ScriptedTestbed(
        report(*(failed_result(name, TestStatus.TIMEOUT) for name in many), failed_result(ZERO))
    )
    baseline = run(testbed)["baseline"]
    assert [asked.tests for asked in testbed.runs] == [None, (*many[:3], ZERO)]
    assert baseline.fail_to_pass == {*many, ZERO}


def test_three_do_not_speak_for_the_others_where_one_of_them_passes_now():
    """A busy machine made them hang; the last one was never run again, and "repaired"."""
    many = [f"test_shop.py::test_{number}" for number in range(6)]
    testbed = ScriptedTestbed(
        report(*(failed_result(name, TestStatus.TIMEOUT) for name in many), failed_result(ZERO)),
        report(*(result(name) for name in many[:3]), failed_result(ZERO)),
        report(result(many[3]), failed_result(many[4], TestStatus.TIMEOUT)),
    )
    baseline = run(testbed)["baseline"]
    assert [asked.tests for asked in testbed.runs] == [None, (*many[:3], ZERO), tuple(many[3:])]
    assert baseline.fail_to_pass == {many[4], ZERO}
    assert set(dict(baseline.flaky)) == {*many[:4]}
    assert dict(baseline.apart).keys() == {many[5]}


def test_nothing_is_run_again_where_all_is_confirmed():
    hanging = dataclasses.replace(
        report(failed_result(TOTAL, TestStatus.TIMEOUT), result(ZERO)), confirmed=(TOTAL,)
    )
    testbed = ScriptedTestbed(hanging)
    baseline = run(testbed)["baseline"]
    assert len(testbed.runs) == 1
    assert (baseline.fail_to_pass, baseline.flaky) == ({TOTAL}, ())


@every_case(
    ("name", "covered"),
    [
        ("t.py::test_a", {"t.py::test_a"}),
        ("t.py::test_p", {"t.py::test_p[1-x]", "t.py::test_p[2]"}),
        ("t.py::test_p[2]", {"t.py::test_p[2]"}),
        ("t.py::TestC", {"t.py::TestC::test_a"}),
        ("t.py::TestC::test_a", {"t.py::TestC::test_a"}),
        ("u.py", {"u.py::test_a"}),
    ],
)
def test_a_logs_names_choose_what_is_to_be_repaired(name, covered):
    here = (
        "t.py::test_a",
        "t.py::test_ab",
        "t.py::test_p[1-x]",
        "t.py::test_p[2]",
        "t.py::TestC::test_a",
        "t.py::TestCase::test_a",
        "u.py::test_a",
    )
    testbed = ScriptedTestbed(report(*map(failed_result, here)))
    assert run(testbed, tests=(name,))["baseline"].fail_to_pass == covered


def test_failures_that_the_log_does_not_name_are_in_neither_set():
    testbed = ScriptedTestbed(report(failed_result(TOTAL), failed_result(ZERO), result(HALF)))
    baseline = run(testbed, tests=(TOTAL,))["baseline"]
    assert baseline.fail_to_pass == {TOTAL}
    assert baseline.pass_to_pass == {HALF}


def test_named_tests_that_pass_here_or_do_not_exist():
    testbed = ScriptedTestbed(report(failed_result(TOTAL), result(ZERO)))
    update = run(testbed, tests=(ZERO, "test_other.py::test_gone"))
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert "none of the 2 tests that the log names fails here" in update["reason"]
    assert "(1 of them exist here, 1 tests pass)" in update["reason"]


def test_a_run_that_broke_off_is_no_baseline():
    broke_off = report(failed_result(TOTAL), complete=False, problem="the suite did not finish within 9 s")
    update = reproduce(RepairState(), runtime(testbed=ScriptedTestbed(broke_off)))
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert update["reason"].startswith("the suite did not finish within 9 s")


def test_an_error_that_pytest_only_prints_is_passed_on():
    said = dataclasses.replace(report(), exit_status=4, output="...\nSyntaxError: invalid syntax\n\n")
    update = reproduce(RepairState(), runtime(testbed=ScriptedTestbed(said)))
    assert "broke off with exit status 4 (SyntaxError: invalid syntax)" in update["reason"]


def test_a_third_run_is_left_out_where_two_took_much_of_the_time():
    for seconds, expected in ((10.0, 3), (25.0, 2)):
        more = runtime(repeats=3, budget=Budget(seconds=120.0), **slow_by(seconds))
        assert reproduce(RepairState(), more)["baseline"].runs == expected
