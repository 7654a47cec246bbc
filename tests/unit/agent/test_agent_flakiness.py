"""What a test depends on besides the code: order, hash seed, time zone; and that it is never repaired."""

from __future__ import annotations

import dataclasses

from agent_support import FILES, HALF, RIGHT, TOTAL, ZERO, attempt, red, report, result, runtime
from fakes.testbed import FakeTestbeds, ScriptedTestbed
from langgraph.runtime import Runtime

from bot.agent.flakiness import AFTER_OTHERS, SEEDS, ZONES
from bot.agent.nodes.reproduce import reproduce
from bot.agent.nodes.validate import validate
from bot.agent.state import RepairState
from bot.delivery.report import as_json
from bot.domain import Baseline, Outcome, RepairResult
from bot.request import Budget


def with_variations(made, answer):
    """``made`` with testbeds that answer by the variables that they were opened with."""
    asked = []

    def varied(variables):
        asked.append(dict(variables))
        return FakeTestbeds(lambda _number: answer(dict(variables)))

    return Runtime(context=dataclasses.replace(made.context, varied=varied)), asked


def test_a_test_that_fails_after_others_only_depends_on_the_order():
    bed = ScriptedTestbed(
        report(red(TOTAL), result(ZERO)),
        report(result(TOTAL)),
        report(result(TOTAL)),
        report(red(TOTAL), result(ZERO)),
    )
    update = reproduce(RepairState(), runtime(testbed=bed, repeats=3))

    assert update["outcome"] is Outcome.FLAKY
    assert update["baseline"].flaky == ((TOTAL, 2),)
    assert update["baseline"].unsteady == ((TOTAL, AFTER_OTHERS),)
    assert f"{TOTAL} passed 2 of 4 runs: {AFTER_OTHERS}" in update["reason"]
    assert [asked.tests for asked in bed.runs] == [None, (TOTAL,), (TOTAL,), None]


def test_a_test_that_passes_in_the_suite_the_second_time_depends_on_nothing_known():
    bed = ScriptedTestbed(
        report(red(TOTAL)), report(result(TOTAL)), report(result(TOTAL)), report(result(TOTAL))
    )
    update = reproduce(RepairState(), runtime(testbed=bed, repeats=3))

    assert update["reason"] == f"the failure is flaky: {TOTAL} passed 3 of 4 runs"
    assert update["baseline"].unsteady == ()


def test_a_failure_of_the_log_that_is_not_seen_here_is_looked_for_under_other_seeds_and_zones():
    def answer(variables):
        failing = variables in ({"PYTHONHASHSEED": "2"}, {"TZ": "WEST+11"})
        return ScriptedTestbed(report(red(TOTAL) if failing else result(TOTAL)))

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


def test_nothing_is_varied_for_tests_that_do_not_exist_here_or_without_a_log():
    bed = ScriptedTestbed(report(result(TOTAL)))
    for tests in ((), ("test_other.py::test_gone",)):
        made, asked = with_variations(runtime(testbed=bed, tests=tests), lambda _: bed)
        assert reproduce(RepairState(), made)["outcome"] is Outcome.NOT_REPRODUCED
        assert asked == []


def test_no_variation_is_tried_when_the_time_is_over():
    bed = ScriptedTestbed(report(result(TOTAL)))
    made = runtime(testbed=bed, tests=(TOTAL,), budget=Budget(seconds=0.5))
    made.context.stopwatch.earlier = 1.0
    made, asked = with_variations(made, lambda _: bed)
    assert reproduce(RepairState(), made)["outcome"] is Outcome.NOT_REPRODUCED
    assert asked == []


STATE = RepairState(
    baseline=Baseline(failing=(red(TOTAL),), passing=(result(ZERO), result(HALF)), runs=3),
    plausible=(attempt(RIGHT),),
    chosen=attempt(RIGHT),
)


def test_a_patch_for_a_test_that_passes_unchanged_with_another_seed_is_not_delivered():
    bed = ScriptedTestbed(report(result(TOTAL)))
    made, asked = with_variations(runtime(files=FILES), lambda _: bed)
    update = validate(STATE, made)

    assert asked == [{"PYTHONHASHSEED": "1"}]
    assert update["outcome"] is Outcome.FLAKY
    assert "evidence" not in update
    assert f"{TOTAL} passed 1 of 2 runs: it depends on the hash seed" in update["reason"]
    assert bed.runs[0].changes == {}


def test_a_patch_is_proved_with_another_seed_for_the_tests_that_fail_there_too():
    baseline = dataclasses.replace(STATE.baseline, failing=(red(TOTAL), red(ZERO)), passing=(result(HALF),))
    whole = report(result(TOTAL), result(ZERO), result(HALF))
    bed = ScriptedTestbed(report(red(TOTAL), result(ZERO)), *[report(result(TOTAL))] * 3, whole)
    made, _ = with_variations(runtime(files=FILES), lambda _: bed)
    update = validate(dataclasses.replace(STATE, baseline=baseline), made)

    assert update["outcome"] is Outcome.PATCHED
    assert update["evidence"].fail_to_pass == (TOTAL,)
    assert update["baseline"].flaky == ((ZERO, 1),)
    assert bed.runs[1].tests == (TOTAL,)


def test_the_report_says_what_a_flaky_test_depends_on():
    baseline = Baseline(flaky=((TOTAL, 2),), unsteady=((TOTAL, AFTER_OTHERS),), runs=3)
    data = as_json(RepairResult(outcome=Outcome.FLAKY, reason="", baseline=baseline))

    assert data["flaky"] == {TOTAL: 2}
    assert data["flaky_because"] == {TOTAL: AFTER_OTHERS}
