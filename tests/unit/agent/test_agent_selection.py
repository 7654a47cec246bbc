"""A suite that takes longer than it may: what runs first, what is run on a patch, and what is said."""

import dataclasses

from agent_support import (
    FILES,
    HALF,
    PATH,
    RIGHT,
    SOURCE,
    TOTAL,
    ZERO,
    attempt,
    baseline,
    both,
    failed_result,
    report,
    result,
    runtime,
    swap,
)
from every_case import every_case
from fakes.testbed import FakeTestbed, FakeTestbeds, ScriptedTestbed

from bot.agent.baseline.sample import changed_in, first_run, near_change, unseen
from bot.agent.nodes.reproduce import reproduce
from bot.agent.nodes.validate import validate
from bot.agent.proof.selection import select_tests
from bot.agent.state import RepairState
from bot.agent.trial.callers import replaced_lines
from bot.domain import Baseline
from bot.request import Budget
from bot.result import Outcome
from sandbox.reports import TestReport

OTHER_FILE = "test_zoo.py::test_x"


def slow(*, zero=1.0, half=1.0, suite=200.0, others=()):
    passing = (result(ZERO, seconds=zero), result(HALF, seconds=half), *others)
    return Baseline(failing=(failed_result(TOTAL),), passing=passing, runs=3, seconds=suite)


def hurried(elapsed=100.0, **more):
    made = runtime(budget=Budget(seconds=200.0), **more)
    made.context.stopwatch.earlier = elapsed
    return made


@every_case(
    ("baseline", "made"),
    [
        (slow(suite=48.0), hurried()),  # there is just enough time
        (slow(suite=200.0), runtime(budget=Budget(seconds=400.0))),  # there is time
        (slow(suite=9_000.0), runtime(budget=Budget(seconds=0.0))),  # nobody set a limit
    ],
)
def test_a_suite_that_fits_is_run_as_a_whole(baseline, made):
    bed = FakeTestbed(FILES)
    assert select_tests(bed, RIGHT.patch, baseline, made.context) is None
    assert bed.runs == []


def test_those_that_run_the_changed_lines_come_first():
    bed = FakeTestbed(FILES)
    chosen = select_tests(bed, RIGHT.patch, slow(zero=0.5, half=0.5), hurried().context)

    assert chosen is not None
    assert (chosen.covering, chosen.others, chosen.left_out) == ((ZERO,), (HALF,), ())
    assert chosen.tests == (ZERO, HALF)
    assert [asked.trace for asked in bed.runs] == [True]


def test_what_there_is_no_time_for_is_left_out_and_said_to_be():
    far = tuple(result(f"{OTHER_FILE}{n}", seconds=20.0) for n in range(4))
    chosen = select_tests(
        FakeTestbed(FILES), RIGHT.patch, slow(zero=0.5, half=0.5, others=far), hurried().context
    )

    assert chosen is not None
    assert chosen.covering == (ZERO,)
    assert chosen.others == (HALF, f"{OTHER_FILE}0")
    assert chosen.left_out == tuple(f"{OTHER_FILE}{n}" for n in (1, 2, 3))


def test_the_changed_lines_of_a_patch():
    inserted = swap("def half", "# new\ndef half")
    assert replaced_lines(RIGHT.patch, {PATH: SOURCE}) == {PATH: {2}}
    assert replaced_lines(both(RIGHT, inserted).patch, {PATH: SOURCE}) == {PATH: {2, 5}}
    whole = swap(SOURCE, "")
    assert replaced_lines(whole.patch, {PATH: SOURCE}) == {PATH: {1, 2, 3, 4, 5, 6}}
    assert replaced_lines(RIGHT.patch, {}) == {PATH: {1}}


def chosen_state(baseline):
    return RepairState(baseline=baseline, plausible=(attempt(),), chosen=attempt())


def test_a_large_suite_is_proved_in_part_and_the_evidence_says_in_which():
    far = (result(f"{OTHER_FILE}0", seconds=500.0),)
    beds = FakeTestbeds.of(FILES)
    update = validate(chosen_state(slow(zero=0.5, half=0.5, others=far)), hurried(testbeds=beds))

    assert update["outcome"] is Outcome.PATCHED
    evidence = update["evidence"]
    assert evidence.pass_to_pass == tuple(sorted((ZERO, HALF)))
    assert evidence.covering == (ZERO,)
    assert evidence.left_out == (f"{OTHER_FILE}0",)
    *_, suite, control = beds.opened[0].runs
    assert suite.tests == (TOTAL, ZERO, HALF)
    assert control.tests == (TOTAL,)


def test_a_test_of_the_selection_that_breaks_refutes_the_patch():
    def zero_breaks(_number, asked, seen):
        if asked.changes and asked.tests and ZERO in asked.tests:
            results = tuple(failed_result(r.test) if r.test == ZERO else r for r in seen.results)
            return TestReport(results=results, complete=True, exit_status=1, seconds=0.0)
        return seen

    beds = FakeTestbeds(lambda _n: FakeTestbed(FILES, fault=zero_breaks))
    update = validate(chosen_state(slow(zero=0.5, half=0.5)), hurried(testbeds=beds))

    assert update["reason"] == f"in a fresh sandbox the patch broke passing tests: {ZERO}"


SOURCES = {
    "graphs/paths/dense.py": "",
    "graphs/paths/tests/test_all_pairs.py": "import graphs as g\n",
    "graphs/tests/test_all.py": "import graphs as g\n",
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
        (["graphs/paths/dense.py"], ("graphs/paths/tests/test_all_pairs.py",)),
        (["README.md"], ()),
        ([], ()),
    ],
)
def test_the_tests_near_a_change(changed, near):
    assert changed_in(diff(*changed)) == tuple(changed)
    assert near_change(changed, SOURCES) == near


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


def sampled(*reports):
    """What the node makes of these reports within ten seconds, and the tests that it ran."""
    testbed = ScriptedTestbed(*reports)
    update = reproduce(RepairState(), runtime(testbed=testbed, budget=Budget(seconds=10)))
    return update, [run.tests for run in testbed.runs]


def test_a_sample_with_a_failing_test_is_the_baseline():
    update, runs = sampled(cut_off(failed_result(TOTAL), result(ZERO)), report(failed_result(TOTAL)))
    assert "outcome" not in update
    assert update["baseline"].fail_to_pass == {TOTAL}
    assert update["baseline"].unseen == 7
    assert runs == [None, (TOTAL,), (TOTAL,)], "the suite is never run as a whole a second time"


def test_a_sample_without_a_failing_test_says_how_much_ran():
    update, _ = sampled(cut_off(result(ZERO)))
    assert update["outcome"] is Outcome.BUDGET_EXHAUSTED
    assert "ended while reproducing the failure: 1 of 9 tests ran, and none failed" in update["reason"]
    assert update["baseline"].unseen == 8


def test_a_flaky_sample_is_not_run_again_as_a_whole():
    update, runs = sampled(cut_off(failed_result(TOTAL)), report(result(TOTAL)))
    assert (update["outcome"], runs) == (Outcome.FLAKY, [None, (TOTAL,), (TOTAL,)])


def test_a_sample_is_proved_by_its_own_tests_and_the_evidence_counts_the_others():
    beds = FakeTestbeds.of(FILES)
    before = dataclasses.replace(baseline(), unseen=40)
    state = RepairState(baseline=before, plausible=(attempt(),), chosen=attempt())
    update = validate(state, runtime(budget=Budget(seconds=100), testbeds=beds))
    assert update["outcome"] is Outcome.PATCHED
    assert all(run.tests is not None for run in beds.opened[0].runs)
    assert update["evidence"].unseen == 40
    assert set(update["evidence"].pass_to_pass) == {ZERO, HALF}


@every_case(
    ("known", "first"),
    [
        ({"diff": diff("tests/test_other.py")}, ("tests/test_other.py",)),
        ({"base": {"shop/cart.py": "TAX = 1\n"}}, ("tests/test_cart.py", "tests/test_order.py")),
        (
            {"base": {}, "base_lacks": frozenset({"shop/cart.py"})},
            ("tests/test_cart.py", "tests/test_order.py"),
        ),
        ({}, ()),
    ],
)
def test_the_first_run_begins_near_the_change(known, first):
    testbed = ScriptedTestbed(report(result(ZERO)))
    reproduce(RepairState(), runtime(files=SOURCES, testbed=testbed, **known))
    assert [run.first for run in testbed.runs] == [first]
