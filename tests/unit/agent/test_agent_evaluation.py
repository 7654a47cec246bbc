"""One patch on the testbed: which tests run, in which order and for how long, and the verdict."""

import dataclasses

import pytest
from agent_support import (
    FILES,
    RIGHT,
    SOURCE,
    TOTAL,
    WRONG,
    ZERO,
    baseline,
    by_model,
    failed_result,
    report,
    result,
    runtime,
    state,
    swap,
)
from every_case import every_case
from fakes.testbed import FakeTestbed, ScriptedTestbed

from bot.agent.nodes.evaluate import evaluate
from bot.agent.trial.evaluation import try_candidate
from bot.domain import Baseline, Verdict
from sandbox.reports import Calls, TestStatus


def test_the_verdicts():
    testbed = FakeTestbed(FILES)
    context = runtime(testbed=testbed).context
    wrong = try_candidate(swap("a - b", "a"), baseline(), context)
    assert (wrong.verdict, wrong.fixed) == (Verdict.FAILING, ())
    assert wrong.detail == f"{TOTAL}: AssertionError: two and two"
    assert [run.tests for run in testbed.runs] == [(TOTAL,)]  # nothing else runs
    right = try_candidate(RIGHT, baseline(), context)
    assert (right.verdict, right.fixed, right.broken) == (Verdict.PLAUSIBLE, (TOTAL,), ())
    breaks = try_candidate(WRONG, baseline(), context)  # 2 * 2 is 4, 5 * 0 is not 5
    assert (breaks.verdict, breaks.fixed, breaks.broken) == (Verdict.FAILING, (TOTAL,), (ZERO,))
    assert breaks.detail.startswith(f"{ZERO}: AssertionError")
    hangs = try_candidate(swap("return a - b", "while True: a += 1"), baseline(), context)
    assert hangs.verdict is Verdict.FAILING
    assert "OutOfTime" in hangs.detail


def test_a_patch_that_fixes_some_and_breaks_none_is_partial():
    files = {**FILES, "test_more.py": "from shop import half\n\ndef test_odd():\n    assert half(3) == 1\n"}
    before = baseline(files)
    # The cheapest failing test decides whether a candidate is looked at further.
    slow = [dataclasses.replace(one, seconds=9.0 * ("odd" in one.test)) for one in before.failing]
    before = dataclasses.replace(before, failing=tuple(slow))
    verdict = try_candidate(RIGHT, before, runtime(files=files).context)
    assert (verdict.verdict, verdict.fixed) == (Verdict.PARTIAL, (TOTAL,))


def test_the_cheapest_failing_test_goes_first_and_hanging_ones_last():
    before = Baseline(
        failing=(
            failed_result("t.py::hangs", TestStatus.TIMEOUT, 0.0),
            failed_result("t.py::slow", seconds=2.0),
            failed_result("t.py::fast", seconds=0.1),
        ),
        passing=(result("far.py::p"), result("t.py::q")),
        runs=1,
    )
    testbed = ScriptedTestbed(
        *(report(result(f"t.py::{name}")) for name in ("fast", "slow", "hangs")),
        report(result("t.py::q"), result("far.py::p")),
    )
    verdict = try_candidate(RIGHT, before, runtime(testbed=testbed).context)
    assert [run.tests for run in testbed.runs] == [
        ("t.py::fast",),
        ("t.py::slow",),
        ("t.py::hangs",),
        ("t.py::q", "far.py::p"),
    ]
    assert [run.stop_at_first_failure for run in testbed.runs] == [False, False, True, True]
    assert [run.timeout_s for run in testbed.runs[1:3]] == [{"t.py::slow": 10.0}, {"t.py::hangs": 1.0}]
    assert verdict.verdict is Verdict.PLAUSIBLE


def test_no_run_is_spent_on_passing_tests_when_there_are_none():
    testbed = ScriptedTestbed(report(result(TOTAL)))
    before = Baseline(failing=(failed_result(TOTAL),), runs=1)
    assert try_candidate(RIGHT, before, runtime(testbed=testbed).context).verdict is Verdict.PLAUSIBLE
    assert [run.tests for run in testbed.runs] == [(TOTAL,)]


@every_case(
    ("failure", "tight", "patient"),
    [
        (failed_result(TOTAL, seconds=0.01), 0.25, 1.0),
        (failed_result(TOTAL, seconds=2.0), 10.0, 10.0),
        (failed_result(TOTAL, TestStatus.TIMEOUT, 30.0), 0.25, 6.0),
        (failed_result(TOTAL, TestStatus.TIMEOUT, 2.0), 0.25, 1.0),
    ],
    ids=["floor", "factor", "hanging", "hanging floor"],
)
def test_a_test_may_take_a_multiple_of_its_time(failure, tight, patient):
    before = Baseline(failing=(failure,), runs=1)
    testbed = ScriptedTestbed(*[report(failure)] * 3)
    for candidate in (RIGHT, dataclasses.replace(RIGHT, patient=True), by_model(RIGHT)):
        try_candidate(candidate, before, runtime(testbed=testbed).context)
    limits = [asked.timeout_s[TOTAL] for asked in testbed.runs]
    assert limits == [pytest.approx(tight), pytest.approx(patient), pytest.approx(patient)]


def test_candidates_that_come_to_an_end_tell_how_long_others_may_take():
    failure, slower = failed_result(TOTAL, seconds=0.001), failed_result(TOTAL, seconds=0.04)
    hung = failed_result(TOTAL, TestStatus.TIMEOUT, seconds=9.0)
    testbed = ScriptedTestbed(report(slower), report(hung), report(failure))
    run = runtime(testbed=testbed)
    for _ in range(3):
        try_candidate(RIGHT, Baseline(failing=(failure,), runs=1), run.context)
    assert [asked.timeout_s[TOTAL] for asked in testbed.runs] == [
        0.25,
        pytest.approx(0.4),
        pytest.approx(0.4),
    ]


def test_what_seemed_to_hang_is_kept_for_later_and_then_tried_with_more_time():
    slow = swap("return a - b", "return a + b + sum(0 for _ in range(300))")
    run = runtime()
    update = evaluate(state(candidates=(slow,)), run)
    assert update["hanging"] == (dataclasses.replace(slow, patient=True),)
    again = evaluate(state(candidates=update["hanging"], exhausted=True), run)
    assert [attempt.candidate for attempt in again["plausible"]] == list(update["hanging"])
    assert again["hanging"] == ()


def test_a_report_with_less_than_every_passing_test_breaks_the_patch():
    testbed = ScriptedTestbed(
        report(result(TOTAL)),
        report(result(ZERO), complete=False, problem="the test process ended with exit status 0"),
    )
    verdict = try_candidate(RIGHT, baseline(), runtime(testbed=testbed).context)
    assert verdict.verdict is Verdict.FAILING
    assert verdict.detail == "the test process ended with exit status 0"


def test_an_attempts_detail_is_one_line_of_limited_length():
    message = "left\n  !=\nright" + "x" * 1000
    testbed = ScriptedTestbed(report(failed_result(TOTAL, exception="E", message=message)))
    verdict = try_candidate(RIGHT, baseline(), runtime(testbed=testbed).context)
    assert "\n" not in verdict.detail
    assert verdict.detail.startswith(f"{TOTAL}: E: left != right")
    assert len(verdict.detail) == 500


def test_tests_that_hung_are_run_once_the_others_pass_and_until_one_hangs_again():
    hung = [
        failed_result(f"test_shop.py::test_hangs_{number}", TestStatus.TIMEOUT, seconds=9.0)
        for number in (1, 2)
    ]
    before = Baseline(failing=(failed_result(TOTAL), failed_result(ZERO, seconds=0.1), *hung), runs=3)
    names = tuple(one.test for one in hung)

    still = ScriptedTestbed(report(result(TOTAL)), report(failed_result(ZERO)), report())
    try_candidate(RIGHT, before, runtime(testbed=still).context)
    assert [run.tests for run in still.runs] == [(TOTAL,), (ZERO,)]

    again = ScriptedTestbed(report(result(TOTAL)), report(result(ZERO)), report(hung[0]), report())
    verdict = try_candidate(RIGHT, before, runtime(testbed=again).context)
    assert [run.tests for run in again.runs] == [(TOTAL,), (ZERO,), names]
    assert again.runs[2].stop_at_first_failure
    assert verdict.verdict is Verdict.PARTIAL


def test_a_verdict_by_an_assumption_is_made_exact_where_it_is_good_and_later_where_it_is_not():
    before = Baseline(failing=(failed_result(TOTAL),), runs=1)

    def tried(candidate, calls, *reports):
        bed = ScriptedTestbed(*reports)
        context = runtime(testbed=bed).context
        context.callers.learn(calls)
        attempt = try_candidate(candidate, before, context)
        return attempt.verdict, attempt.assumed, [run.assume for run in bed.runs]

    head = SOURCE[: SOURCE.rindex("def ", 0, SOURCE.index("a - b"))]
    path, line = RIGHT.patch.edits[0].path, head.count("\n") + 1
    calls = Calls(tests=("", TOTAL), functions={(path, line): (0, 1)})
    good, bad = report(result(TOTAL)), report(failed_result(TOTAL))
    by_assumption = [dataclasses.replace(one, means="assumed") for one in (good, bad)]
    plausible, failing = (Verdict.PLAUSIBLE, False), (Verdict.FAILING, True)
    assert tried(RIGHT, calls, by_assumption[0], good) == (*plausible, [True, False])
    assert tried(RIGHT, calls, by_assumption[0], bad) == (Verdict.FAILING, False, [True, False])
    assert tried(RIGHT, calls, by_assumption[1]) == (*failing, [True])
    # Nothing is assumed the second time, nor of a model's, nor where no deciding test calls the function.
    for candidate in (dataclasses.replace(RIGHT, patient=True), dataclasses.replace(RIGHT, turn=1)):
        assert tried(candidate, calls, good) == (*plausible, [False])
    others = Calls(tests=("", "t.py::other"), functions={(path, line): (0, 1)})
    assert tried(RIGHT, others, good) == (*plausible, [False])


@every_case(("means", "again_quick"), [("swap", True), ("import", False), ("assumed", False)])
def test_a_test_that_breaks_in_a_fork_is_run_once_more(means, again_quick):
    """What a fork says ranks candidates; it may not throw a right one away for a test that passed before."""
    known = Baseline(failing=(failed_result(TOTAL),), passing=(result(ZERO), result("t.py::other")), runs=1)
    forked = dataclasses.replace(report(result("t.py::other"), failed_result(ZERO)), means=means)
    whole = report(result(ZERO), result("t.py::other"))
    bed = ScriptedTestbed(report(result(TOTAL)), forked, report(result(ZERO)), whole)
    assert try_candidate(RIGHT, known, runtime(testbed=bed).context).verdict is Verdict.PLAUSIBLE
    again = [(run.tests, run.quick) for run in bed.runs[2:]]
    assert again == [((ZERO,), again_quick), (bed.runs[1].tests, False)]
    for broken in (forked, dataclasses.replace(forked, means="whole")):
        bed = ScriptedTestbed(report(result(TOTAL)), broken, report(failed_result(ZERO)))
        verdict = try_candidate(RIGHT, known, runtime(testbed=bed).context)
        assert (verdict.verdict, verdict.broken) == (Verdict.FAILING, (ZERO,))


def test_one_more_plausible_patch_leaves_slow_tests_to_the_proof():
    slow = [failed_result("t.py::slow_a", seconds=0.6), failed_result("t.py::slow_b", seconds=9.0)]
    passing = (result("t.py::quick", seconds=0.1), result("t.py::slow", seconds=5.0))
    before = Baseline(failing=(failed_result("t.py::first"), *slow), passing=passing, runs=1)
    reports = (report(result("t.py::first")), report(result("t.py::slow_a")), report(result("t.py::quick")))
    testbed = ScriptedTestbed(*reports)
    found = try_candidate(RIGHT, before, runtime(testbed=testbed).context, further=True)
    assert found.verdict is Verdict.PLAUSIBLE
    assert [run.tests for run in testbed.runs] == [("t.py::first",), ("t.py::slow_a",), ("t.py::quick",)]
