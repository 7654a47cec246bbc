"""The node that proves a patch in a fresh sandbox, or refutes it."""

import dataclasses

from agent_support import (
    FILES,
    HALF,
    OTHER,
    PATH,
    RIGHT,
    SOURCE,
    TOTAL,
    WRONG,
    ZERO,
    attempt,
    both,
    by_model,
    failed_result,
    report,
    result,
    runtime,
    selected_and_minimised,
    state,
    swap,
    texts,
)
from every_case import every_case
from fakes.progress import FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds

from bot.agent.nodes.conclude import conclude
from bot.agent.nodes.validate import validate
from bot.agent.proof.controls import OWN_FILE
from bot.agent.proof.still_failing import passing_unchanged
from bot.domain import Baseline
from bot.request import Budget
from bot.result import Confidence, Outcome
from sandbox.reports import TestStatus
from sandbox.runner.hidden_text import EMPTY


def test_validate_proves_in_a_fresh_sandbox_as_often_as_asked():
    testbeds = FakeTestbeds(lambda _n: FakeTestbed(FILES), name="box", isolated=False)
    run = runtime(testbeds=testbeds, repeats=3)
    update = validate(state(plausible=(attempt(),), chosen=attempt()), run)
    assert update["outcome"] is Outcome.PATCHED
    evidence = update["evidence"]
    assert evidence.fail_to_pass == (TOTAL,)
    assert evidence.pass_to_pass == tuple(sorted((ZERO, HALF)))
    assert (evidence.repeats, evidence.sandbox, evidence.isolated) == (3, "box", False)
    (fresh,) = testbeds.opened
    assert [asked.tests for asked in fresh.runs] == [(TOTAL,), (TOTAL,), (TOTAL,), None, (TOTAL,)]
    right = SOURCE.replace("a - b", "a + b").encode()
    first, second, unchanged, suite, control = fresh.runs
    proof = (first, second, suite)
    assert not unchanged.changes
    assert all(dict(asked.changes) == {PATH: right} for asked in proof)
    assert set(control.changes) == {PATH, "test_shop.py"}
    assert (control.changes[PATH], evidence.controls, evidence.uncontrolled) == (right, (TOTAL,), ())
    assert testbeds.closed == 1
    assert run.context.testbed.runs == []


def validated(fault=None, patch=RIGHT, files=FILES, **before):
    """What the node says of ``patch`` in a sandbox with a ``fault``."""
    made = runtime(testbeds=FakeTestbeds(lambda _n: FakeTestbed(files, fault=fault)), files=files)
    chosen = attempt(patch)
    return validate(state(plausible=(chosen,), chosen=chosen, **before), made)


@every_case(
    ("before", "said"),
    [
        ({"first_plausible_attempt": 1002, "first_plausible_turn": 0}, True),
        ({"first_plausible_attempt": 1001, "first_plausible_turn": 0}, False),
        ({"first_plausible_attempt": 1002, "first_plausible_turn": 1}, False),
        ({}, False),
    ],
)
def test_a_patch_of_the_search_that_passes_after_many_that_fail_is_in_doubt(before, said):
    update = validated(**before)
    failed = "1001 candidates failed before one passed the tests"
    assert (failed in update["evidence"].doubts) is said


def test_the_failing_tests_run_in_the_order_of_the_suite():
    """One of them may need what an earlier one leaves."""
    testbeds = FakeTestbeds.of(FILES)
    before = Baseline(failing=(failed_result(ZERO), failed_result(TOTAL), failed_result(HALF)), runs=3)
    chosen = attempt()
    made = runtime(testbeds=testbeds)
    validate(state(plausible=(chosen,), chosen=chosen, baseline=before), made)
    assert testbeds.opened[0].runs[0].tests == (ZERO, TOTAL, HALF)


def test_what_is_refuted_is_said_at_once_and_where_the_time_is_over():
    progress = FakeProgress()
    beds = FakeTestbeds(lambda _n: FakeTestbed(FILES, fault=second_run_fails))
    made = runtime(testbeds=beds, progress=progress, budget=Budget(attempts=1))
    chosen = attempt()
    before = state(plausible=(chosen,), chosen=chosen, attempts=1)
    update = validate(before, made)
    assert any(name == "refuted" and TOTAL in said for name, said in progress.stages)
    ended = conclude(dataclasses.replace(before, **update), made)
    assert ended["outcome"] is Outcome.BUDGET_EXHAUSTED
    assert "1 of the patches that passed did not hold: in a fresh sandbox" in ended["reason"]


def passes_unchanged(*tests):
    """A fault by which ``tests`` pass whatever the code is."""

    def fault(_number, asked, seen):
        if asked.changes or asked.tests is None:
            return seen
        return report(*(result(one.test) if one.test in tests else one for one in seen.results))

    return fault


def needs_its_file(_number, asked, seen):
    """A fault by which a control test fails before its end where its file is empty."""
    if EMPTY.encode() in asked.changes.get("test_shop.py", b""):
        return report(*(failed_result(one.test, message="no source") for one in seen.results))
    return seen


@every_case(
    ("path", "head", "refuted", "said"),
    [
        ("test_shop.py", "", 1, "the tests' files were read while they ran: test_shop.py::test_total"),
        ("test_shop.py", "import inspect\n", 0, OWN_FILE),
        ("more.py", "import inspect\n", 1, "the tests' files were read while they ran"),
        ("test_more.py", "import inspect\n", 1, "the tests' files were read while they ran"),
    ],
)
def test_a_control_test_that_needs_its_file_is_an_objection_unless_something_explains_it(
    path, head, refuted, said
):
    update = validated(needs_its_file, files={**FILES, path: head + FILES.get(path, "")})
    assert len(update.get("refuted", ())) == refuted
    assert said in f"{update['reason']} {update.get('evidence')}"
    if not refuted:
        assert update["evidence"].confidence is Confidence.LOW
        assert f"the tests' files were read while they ran: {TOTAL}" in update["evidence"].doubts


def test_a_test_that_passes_without_the_patch_in_the_proof_is_flaky_and_not_repaired():
    update = validated(passes_unchanged(TOTAL))
    assert (update["outcome"], update["evidence"]) == (Outcome.FLAKY, None)
    assert "passes without the patch as well, in the sandbox of the proof" in update["reason"]
    assert TOTAL in dict(update["baseline"].flaky)


def test_the_search_begins_again_for_the_tests_that_do_fail_without_the_patch():
    failing = Baseline(failing=(failed_result(TOTAL), failed_result(HALF)), passing=(result(ZERO),), runs=2)
    update = validated(passes_unchanged(HALF), baseline=failing)
    assert (update["outcome"], update["chosen"], update["plausible"]) == (None, None, ())
    assert update["baseline"].fail_to_pass == {TOTAL}


def run_unchanged(*failing, patched):
    """The run of these tests without the patch."""
    testbed = FakeTestbed(FILES)
    assert passing_unchanged(testbed, Baseline(failing=failing, passing=(), runs=1), patched) == ()
    return testbed.runs[0]


def test_without_the_patch_a_hanging_test_gets_a_multiple_of_its_time_and_slow_ones_run_for_a_while():
    for seconds, limit in ((0.01, 2.0), (3.0, 12.0)):
        hung, patched = failed_result(TOTAL, TestStatus.TIMEOUT), report(result(TOTAL, seconds=seconds))
        assert run_unchanged(hung, patched=patched).timeout_s == {TOTAL: limit}
    slow = [failed_result(f"t.py::test_{n}", seconds=4.0) for n in range(5)]
    assert run_unchanged(*slow, patched=report()).tests == ("t.py::test_0", "t.py::test_1")


def test_validate_does_not_blame_the_patch_for_a_test_that_fails_without_it_too():
    def half_fails_now_and_then(number, _run, seen):
        if number < 4:
            return seen
        passing = tuple(found for found in seen.results if found.test != HALF)
        return report(*passing, failed_result(HALF))

    update = validated(half_fails_now_and_then)
    assert update["outcome"] is Outcome.PATCHED
    assert update["evidence"].pass_to_pass == (ZERO,)


def zero_fails_after_the_others(_number, asked, seen):
    others = (found for found in seen.results if found.test != ZERO)
    return seen if asked.tests is not None else report(*others, failed_result(ZERO))


def second_run_fails(number, _run, seen):
    return report(failed_result(TOTAL)) if number == 2 else seen


def exit_status_contradicts(_number, _run, seen):
    return dataclasses.replace(seen, exit_status=3)


@every_case(
    ("patch", "fault", "reason"),
    [
        (WRONG, None, f"the patch broke passing tests: {ZERO}"),
        (RIGHT, zero_fails_after_the_others, f"the patch broke passing tests: {ZERO}"),
        (RIGHT, second_run_fails, f"the failing tests did not pass (run 2 of 3): {TOTAL}"),
        (RIGHT, exit_status_contradicts, "the failing tests did not pass (run 1 of 3)"),
    ],
)
def test_validate_refutes_a_patch_with_the_reason(patch, fault, reason):
    update = validated(fault, patch)
    assert "outcome" not in update
    assert update["reason"] == f"in a fresh sandbox {reason}"
    assert patch.patch in update["refuted"]


def test_validate_wants_a_command_to_pass_in_the_last_run_too():
    passed, failed = result("make test"), failed_result("make test")

    def fails_at_last(_number, asked, _seen):
        return report(failed if asked.tests is None or not asked.changes else passed)

    failing = Baseline(failing=(failed,), passing=(), runs=1)
    assert "outcome" not in validated(fails_at_last, baseline=failing)


def test_a_refuted_choice_takes_its_own_unshrunk_patch_with_it_and_no_alternatives():
    """Alternatives of one operator or model share their origin: it does not distinguish them."""
    fails_always = FakeTestbeds(
        lambda _n: FakeTestbed(FILES, fault=lambda _number, _run, _seen: report(failed_result(TOTAL)))
    )
    run = runtime(testbeds=fails_always, strategy="react")
    alternative = attempt(swap("a - b", "b + a", origin="same"))
    unshrunk = attempt(by_model(both(swap("a - b", "a + b", origin="same"), OTHER)))
    # the alternative is refuted already: the larger patch is shrunk, and refuted in its turn
    before = state(plausible=(alternative, unshrunk), refuted=(alternative.candidate.patch,))
    chosen = dataclasses.replace(before, **selected_and_minimised(before, run))
    assert texts(chosen.chosen) == {PATH: SOURCE.replace("a - b", "a + b")}
    after = dataclasses.replace(chosen, **validate(chosen, run))
    assert unshrunk.candidate.patch in after.refuted
    # and a first refutation leaves the alternative standing
    before = state(plausible=(alternative, attempt(swap("a - b", "a+b", origin="same", score=9.0))))
    chosen = dataclasses.replace(before, **selected_and_minimised(before, run))
    after = dataclasses.replace(chosen, **validate(chosen, run))
    assert alternative.candidate.patch not in after.refuted
