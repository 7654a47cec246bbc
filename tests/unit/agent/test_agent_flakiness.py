"""What a test depends on besides the code: order, hash seed, time zone; and that it is never repaired."""

from agent_support import TOTAL, ZERO, failed_result, report, result, runtime, with_variations
from every_case import every_case
from fakes.testbed import ScriptedTestbed

from bot.agent.baseline.flakiness import AFTER_OTHERS, SEEDS, ZONES
from bot.agent.nodes.reproduce import reproduce
from bot.agent.state import RepairState
from bot.request import Budget
from bot.result import Outcome


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
