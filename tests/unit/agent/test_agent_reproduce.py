"""Reproduce: what counts as a failure of one's own, as flaky, as not here; what else a test depends on."""

import dataclasses

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
    slow_by,
    with_variations,
)
from every_case import every_case
from fakes.testbed import FakeTestbed, ScriptedTestbed

from bot.agent.baseline.flakiness import AFTER_OTHERS, SEEDS, ZONES
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
        ("search", 1, [False]),
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


BROKE_OFF = "the suite did not finish within 9 s"
SAID = dataclasses.replace(report(), exit_status=4, output="...\nSyntaxError: invalid syntax\n\n")


@every_case(
    ("seen", "named", "reason"),
    [
        (report(result(ZERO), result(HALF)), (), "no test fails (2 pass already): nothing to repair"),
        (report(complete=False, problem="pytest stopped before"), (), "pytest stopped before"),
        (report(failed_result(TOTAL), complete=False, problem=BROKE_OFF), (), BROKE_OFF),
        (SAID, (), "the test run broke off with exit status 4 (SyntaxError: invalid syntax)"),
        (
            report(failed_result(TOTAL), result(ZERO)),
            (ZERO, "test_other.py::test_gone"),
            "none of the 2 tests that the log names fails here (1 of them exist here, 1 tests pass)",
        ),
    ],
)
def test_what_is_not_reproduced_says_why(seen, named, reason):
    update = run(ScriptedTestbed(seen), tests=named)
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert update["reason"].startswith(reason)
    assert update["baseline"].pass_to_pass == {one.test for one in seen.passing}


def test_no_tests_found():
    with pytest.raises(ConfigurationError, match=r"no tests were found: check .*--test-command"):
        run(ScriptedTestbed(report()))


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


@every_case(("repeats", "expected"), [(5, 2), (2, 2), (1, 1)])
def test_a_test_that_hangs_is_not_run_more_than_twice(repeats, expected):
    testbed = ScriptedTestbed(report(failed_result(TOTAL, TestStatus.TIMEOUT), failed_result(ZERO)))
    update = run(testbed, repeats=repeats)
    assert update["baseline"].runs == expected
    assert len(testbed.runs) == expected
    assert update["baseline"].fail_to_pass == {TOTAL, ZERO}


@every_case(
    ("other", "again"), [(failed_result(ZERO), [(ZERO,)]), (result(ZERO), [])], ids=["one more", "no other"]
)
def test_a_hang_that_was_confirmed_already_is_not_waited_for_again(other, again):
    hanging = dataclasses.replace(report(failed_result(TOTAL, TestStatus.TIMEOUT), other), confirmed=(TOTAL,))
    testbed = ScriptedTestbed(hanging, report(other))
    baseline = run(testbed)["baseline"]
    assert [asked.tests for asked in testbed.runs] == [None, *again]
    assert (baseline.runs, baseline.flaky) == (2, ())
    assert baseline.fail_to_pass == {one.test for one in hanging.failing}


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


def test_a_third_run_is_left_out_where_two_took_much_of_the_time():
    for seconds, expected in ((10.0, 3), (25.0, 2)):
        more = runtime(repeats=3, budget=Budget(seconds=120.0), **slow_by(seconds))
        assert reproduce(RepairState(), more)["baseline"].runs == expected


@every_case(
    ("last", "passed", "unsteady", "why"),
    [
        (failed_result(TOTAL), 2, ((TOTAL, AFTER_OTHERS),), f": {AFTER_OTHERS}"),
        (result(TOTAL), 3, (), ""),
    ],
)
def test_a_test_that_fails_after_others_each_time_depends_on_the_order(last, passed, unsteady, why):
    alone = report(result(TOTAL))
    bed = ScriptedTestbed(
        report(failed_result(TOTAL), result(ZERO)), alone, alone, report(last, result(ZERO))
    )
    update = reproduce(RepairState(), runtime(testbed=bed, repeats=3))

    assert update["outcome"] is Outcome.FLAKY
    assert (update["baseline"].flaky, update["baseline"].unsteady) == (((TOTAL, passed),), unsteady)
    assert update["reason"] == f"the failure is flaky: {TOTAL} passed {passed} of 4 runs{why}"
    assert [asked.tests for asked in bed.runs] == [None, (TOTAL,), (TOTAL,), None]


def test_a_failure_of_the_log_that_is_not_seen_here_is_looked_for_under_other_seeds_and_zones():
    def answer(variables):
        failing = variables in ({"PYTHONHASHSEED": "2"}, {"TZ": "WEST+11"})
        return ScriptedTestbed(report(failed_result(TOTAL) if failing else result(TOTAL)))

    bed = ScriptedTestbed(report(result(TOTAL), result(ZERO)))
    made, asked = with_variations(runtime(testbed=bed, tests=(TOTAL,)), answer)
    update = reproduce(RepairState(), made)

    assert asked == [dict(variation.variables) for variation in (*SEEDS, *ZONES)]
    assert update["outcome"] is Outcome.FLAKY
    assert f"{TOTAL} passed 4 of 6 runs" in update["reason"]
    assert "the hash seed and the time zone" in update["reason"]
    assert "PYTHONHASHSEED=2, TZ=WEST+11" in update["reason"]
    assert update["baseline"].flaky == ((TOTAL, 4),)


def test_what_passes_under_every_variation_is_not_reproduced():
    bed = ScriptedTestbed(report(result(TOTAL), result(ZERO)))
    made, asked = with_variations(
        runtime(testbed=bed, tests=(TOTAL,)), lambda _: ScriptedTestbed(report(result(TOTAL)))
    )
    assert reproduce(RepairState(), made)["outcome"] is Outcome.NOT_REPRODUCED
    assert len(asked) == len(SEEDS) + len(ZONES)


@every_case(
    ("tests", "spent"),
    [((), 0.0), (("test_other.py::test_gone",), 0.0), ((TOTAL,), 1.0)],
    ids=["without a log", "not here", "no time"],
)
def test_where_nothing_is_varied(tests, spent):
    bed = ScriptedTestbed(report(result(TOTAL)))
    made, asked = with_variations(
        runtime(testbed=bed, tests=tests, budget=Budget(seconds=0.5)), lambda _: bed
    )
    made.context.stopwatch.earlier = spent
    assert reproduce(RepairState(), made)["outcome"] is Outcome.NOT_REPRODUCED
    assert asked == []
