"""A suite that takes longer than it may: what runs first, and what is said of the rest."""

import dataclasses

from agent_support import FILES, HALF, TOTAL, ZERO, attempt, baseline, failed_result, report, result, runtime
from every_case import every_case
from fakes.testbed import FakeTestbed, FakeTestbeds, ScriptedTestbed

from bot.agent.baseline.sample import first_run, near_change, unseen
from bot.agent.nodes.reproduce import reproduce
from bot.agent.nodes.validate import validate
from bot.agent.state import RepairState
from bot.request import Budget
from bot.result import Outcome

SOURCES = {
    "shop/cart.py": "",
    "shop/__init__.py": "",
    "tests/test_cart.py": "import pytest\n",
    "tests/test_order.py": "from shop import cart\n",
    "tests/test_other.py": "import json\n",
    "tests/test_shop.py": "import shop\n",
}


def diff(*paths):
    return "".join(f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n" for path in paths)


def cut_off(*results, collected=9):
    return dataclasses.replace(
        report(*results, complete=False, problem="the suite did not finish within 3 s"),
        cut=True,
        collected=collected,
        exit_status=None,
    )


@every_case(
    ("changed", "near"),
    [
        (
            ["tests/test_other.py", "shop/cart.py"],  # tests that were changed come first
            ("tests/test_other.py", "tests/test_cart.py", "tests/test_order.py"),
        ),
        (["shop/__init__.py"], ("tests/test_shop.py", "tests/test_order.py")),
        (["README.md"], ()),
        ([], ()),
    ],
)
def test_the_tests_near_a_change(changed, near):
    assert near_change(diff(*changed), SOURCES) == near


def test_the_tests_of_a_log_run_first_and_alone_where_time_is_limited():
    testbed = FakeTestbed(FILES)
    first_run(testbed, named=(TOTAL,), near=("test_shop.py",), seconds=10.0)
    assert [(run.tests, run.first) for run in testbed.runs] == [((TOTAL,), ()), (None, ("test_shop.py",))]
    assert testbed.runs[0].seconds == 5.0
    assert testbed.runs[1].seconds <= 10.0
    first_run(testbed, named=(TOTAL,))
    assert [(run.tests, run.seconds) for run in testbed.runs[2:]] == [(None, None)]


def test_what_ran_alone_is_part_of_the_sample_and_of_no_whole_run():
    alone, part = report(failed_result(TOTAL)), cut_off(result(ZERO))
    found = first_run(ScriptedTestbed(alone, part), named=(TOTAL,), seconds=10.0)
    assert [one.test for one in found.results] == [TOTAL, ZERO]
    assert (found.cut, unseen(found)) == (True, 7)
    whole = report(result(TOTAL), result(ZERO))
    assert first_run(ScriptedTestbed(alone, whole), named=(TOTAL,), seconds=10.0) == whole


def test_a_sample_with_a_failing_test_is_the_baseline():
    testbed = ScriptedTestbed(cut_off(failed_result(TOTAL), result(ZERO)), report(failed_result(TOTAL)))
    update = reproduce(RepairState(), runtime(testbed=testbed, budget=Budget(seconds=10)))
    assert "outcome" not in update
    assert update["baseline"].fail_to_pass == {TOTAL}
    assert update["baseline"].unseen == 7
    # the suite is never run as a whole a second time
    assert [run.tests for run in testbed.runs] == [None, (TOTAL,), (TOTAL,)]


def test_a_sample_without_a_failing_test_says_how_much_ran():
    update = reproduce(
        RepairState(), runtime(testbed=ScriptedTestbed(cut_off(result(ZERO))), budget=Budget(seconds=10))
    )
    assert update["outcome"] is Outcome.BUDGET_EXHAUSTED
    assert "ended while reproducing the failure: 1 of 9 tests ran, and none failed" in update["reason"]
    assert update["baseline"].unseen == 8


def test_a_flaky_sample_is_not_run_again_as_a_whole():
    testbed = ScriptedTestbed(cut_off(failed_result(TOTAL)), report(result(TOTAL)))
    update = reproduce(RepairState(), runtime(testbed=testbed, budget=Budget(seconds=10)))
    assert update["outcome"] is Outcome.FLAKY
    assert [run.tests for run in testbed.runs] == [None, (TOTAL,), (TOTAL,)]


def test_a_sample_is_proved_by_its_own_tests_and_the_evidence_counts_the_others():
    beds = FakeTestbeds.of(FILES)
    before = dataclasses.replace(baseline(), unseen=40)
    state = RepairState(baseline=before, plausible=(attempt(),), chosen=attempt())
    update = validate(state, runtime(budget=Budget(seconds=100), testbeds=beds))
    assert update["outcome"] is Outcome.PATCHED
    assert all(run.tests is not None for run in beds.opened[0].runs)
    assert update["evidence"].unseen == 40
    assert set(update["evidence"].pass_to_pass) == {ZERO, HALF}
