"""The loop's nodes, one by one: localise, gate, evaluate, minimise, validate, conclude, record."""

import dataclasses

import pytest
from agent_support import (
    FILES,
    HALF,
    PATH,
    RIGHT,
    SOURCE,
    TESTS,
    TOTAL,
    WRONG,
    ZERO,
    attempt,
    baseline,
    both,
    by_model,
    red,
    report,
    result,
    runtime,
    swap,
)
from fakes.testbed import FakeClock, FakeTestbed, FakeTestbeds, ScriptedTestbed

from bot.agent.evaluation import evaluate as try_patch
from bot.agent.nodes.conclude import conclude
from bot.agent.nodes.evaluate import evaluate
from bot.agent.nodes.gate import gate
from bot.agent.nodes.localise import localise
from bot.agent.nodes.minimise import minimise
from bot.agent.nodes.record import HISTORY_LIMIT, record
from bot.agent.nodes.validate import validate
from bot.agent.state import RepairState
from bot.domain import Baseline, Flaw, Outcome, Patch, Proposal, SpanEdit, Suspicion, Usage, Verdict
from bot.patch.apply import apply
from bot.patch.policy import Policy
from bot.request import Budget
from sandbox.reports import Frame, TestStatus

OTHER = swap("a / 2", "a // 2", origin="other")
RIVAL = swap("a - b", "b + a", origin="rival")


def state(**more):
    return RepairState(**{"baseline": baseline(), **more})


def texts(chosen):
    return apply(chosen.proposal.patch, FILES)


def slow_by(seconds):
    """A clock, and a testbed on which each run takes ``seconds`` of it."""
    clock = FakeClock()

    def wait(_number, _run):
        clock.now += seconds

    return {"clock": clock, "testbed": FakeTestbed(FILES, before_run=wait)}


# localise


def test_localise_suspects_what_only_the_failing_test_runs():
    update = localise(state(), runtime())
    top = update["suspicions"][0]
    assert (top.path, top.line, top.score) == (PATH, 2, 1.0)
    assert {suspicion.path for suspicion in update["suspicions"]} == {PATH}


def test_localise_traces_the_failing_and_the_passing_tests():
    testbed = FakeTestbed(FILES)
    localise(state(), runtime(testbed=testbed))
    assert [(run.tests, run.trace, run.quick) for run in testbed.runs] == [((TOTAL, ZERO, HALF), True, True)]


def test_localise_traces_tests_of_other_files_by_themselves_so_that_no_zygote_has_to_hold_them():
    before = Baseline(failing=(red("a.py::test_red"),), passing=(result("b.py::test_green"),), runs=1)
    testbed = ScriptedTestbed(report())
    localise(RepairState(baseline=before), runtime(testbed=testbed))
    asked = [(run.tests, run.trace, run.quick) for run in testbed.runs]
    assert asked == [(("a.py::test_red",), True, True), (("b.py::test_green",), True, False)]


def test_localise_makes_nothing_quick_for_a_strategy_that_tries_few_candidates():
    testbed = FakeTestbed(FILES)
    localise(state(), runtime(testbed=testbed, strategy="react"))
    assert [run.quick for run in testbed.runs] == [False]


def test_localise_suspects_no_file_that_may_not_change():
    everything = Policy(protected=("*.py",))
    assert localise(state(), runtime(policy=everything))["suspicions"] == ()
    allowed = Policy(protected=("*.py",), allow=("shop.py",))
    assert localise(state(), runtime(policy=allowed))["suspicions"]


def test_localise_compares_with_tests_of_the_same_file_first_and_within_its_time():
    failing = red("a/test_x.py::test_red")
    passing = (
        result("b/test_y.py::test_far", seconds=0.2),
        result("a/test_x.py::test_near", seconds=0.7),
        result("a/test_x.py::test_next", seconds=0.2),
        result("b/test_z.py::test_slow", seconds=30.0),
        result("b/test_z.py::test_after"),
    )
    testbed = ScriptedTestbed(report())
    before = Baseline(failing=(failing,), passing=passing, runs=1)
    localise(RepairState(baseline=before), runtime(testbed=testbed))
    near = ("a/test_x.py::test_near", "a/test_x.py::test_next")
    assert [run.tests for run in testbed.runs] == [("a/test_x.py::test_red", *near)]


def test_localise_keeps_the_untraced_frames_when_the_trace_ends_otherwise():
    frame = Frame(path=PATH, line=6, function="half")
    before = Baseline(failing=(red(TOTAL, frames=(frame,)),), runs=1)
    testbed = ScriptedTestbed(report(red(TOTAL, TestStatus.TIMEOUT)))
    (suspicion,) = localise(RepairState(baseline=before), runtime(testbed=testbed))["suspicions"]
    assert (suspicion.path, suspicion.line) == (PATH, 6)
    assert len(testbed.runs) == 1  # no passing test to compare with


# gate


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        (swap("total(2, 2) == 4", "True", path="test_shop.py", text=TESTS), "test_shop.py is protected"),
        (swap("a - b", "a +"), "syntax error in shop.py line 2"),
        (
            Proposal(patch=Patch(edits=(SpanEdit(path=PATH, start=900, end=901, text=""),)), origin="x"),
            "lies outside",
        ),
        (Proposal(patch=Patch(edits=()), origin="x"), "the patch changes nothing"),
        (swap("a - b", "__import__('os').system('id')"), "shop.py"),
    ],
    ids=["protected", "syntax", "unappliable", "empty", "dangerous"],
)
def test_the_gate_turns_down_with_the_reason(proposal, reason):
    proposal = by_model(proposal)
    update = gate(state(proposals=(proposal,)), runtime(strategy="react"))
    assert update["proposals"] == ()
    assert update["attempts"] == 1
    (refused,) = update["history"]
    assert (refused.verdict, refused.flaw, refused.proposal) == (Verdict.REJECTED, Flaw.REFUSED, proposal)
    assert reason in refused.detail


def test_the_gate_turns_down_what_was_tried_or_refuted():
    tried = state(
        proposals=tuple(map(by_model, (WRONG, RIGHT, OTHER))),
        history=(attempt(WRONG, Verdict.FAILING),),
        refuted=(RIGHT.patch,),
    )
    update = gate(tried, runtime(strategy="react"))
    assert update["proposals"] == (by_model(OTHER),)
    assert [a.detail for a in update["history"][1:]] == ["the same patch was tried before"] * 2
    assert {a.flaw for a in update["history"][1:]} == {Flaw.REPEATED}


def test_the_gate_keeps_the_order_of_what_may_run():
    broken = swap("a - b", "a -")
    waiting = tuple(map(by_model, (WRONG, broken, RIGHT)))
    update = gate(state(proposals=waiting, attempts=4), runtime(strategy="react"))
    assert update["proposals"] == (waiting[0], waiting[2])
    assert update["attempts"] == 5


def test_a_candidate_of_the_search_is_read_by_the_policy_when_it_turns_the_tests_green():
    cheat = swap("return a - b", "import socket\n    return a + b")
    waiting = state(proposals=(cheat, RIGHT), baseline=baseline())
    assert gate(waiting, runtime()) == {}
    update = evaluate(waiting, runtime())
    assert update["attempts"] == 2
    assert [kept.proposal for kept in update["plausible"]] == [RIGHT]


# one patch on the testbed


def test_the_verdicts():
    context = runtime().context
    right, wrong = try_patch(RIGHT, baseline(), context), try_patch(swap("a - b", "a"), baseline(), context)
    assert (right.verdict, right.fixed, right.broken) == (Verdict.PLAUSIBLE, (TOTAL,), ())
    assert (wrong.verdict, wrong.fixed) == (Verdict.FAILING, ())
    assert wrong.detail == f"{TOTAL}: AssertionError: two and two"


def test_a_patch_that_breaks_a_passing_test_fails_and_says_which():
    verdict = try_patch(WRONG, baseline(), runtime().context)  # 2 * 2 is 4, 5 * 0 is not 5
    assert (verdict.verdict, verdict.fixed, verdict.broken) == (Verdict.FAILING, (TOTAL,), (ZERO,))
    assert verdict.detail.startswith(f"{ZERO}: AssertionError")


def test_a_patch_that_fixes_some_and_breaks_none_is_partial():
    files = {**FILES, "test_more.py": "from shop import half\n\ndef test_odd():\n    assert half(3) == 1\n"}
    verdict = try_patch(RIGHT, baseline(files), runtime(files=files).context)
    # the cheapest failing test decides whether a candidate is looked at further
    assert {result.test for result in baseline(files).failing} == {TOTAL, "test_more.py::test_odd"}
    assert verdict.verdict in {Verdict.PARTIAL, Verdict.FAILING}
    slow_odd = dataclasses.replace(
        baseline(files),
        failing=tuple(
            dataclasses.replace(result, seconds=9.0 if "odd" in result.test else 0.0)
            for result in baseline(files).failing
        ),
    )
    verdict = try_patch(RIGHT, slow_odd, runtime(files=files).context)
    assert (verdict.verdict, verdict.fixed) == (Verdict.PARTIAL, (TOTAL,))


def test_the_cheapest_failing_test_goes_first_and_hanging_ones_last():
    before = Baseline(
        failing=(
            red("t.py::hangs", TestStatus.TIMEOUT, 0.0),
            red("t.py::slow", seconds=2.0),
            red("t.py::fast", seconds=0.1),
        ),
        passing=(result("far.py::p"), result("t.py::q")),
        runs=1,
    )
    green = report(*(result(f"t.py::{name}") for name in ("fast", "slow", "hangs")))
    testbed = ScriptedTestbed(
        report(result("t.py::fast")), green, report(result("t.py::q"), result("far.py::p"))
    )
    verdict = try_patch(RIGHT, before, runtime(testbed=testbed).context)
    assert [run.tests for run in testbed.runs] == [
        ("t.py::fast",),
        ("t.py::slow", "t.py::hangs"),
        ("t.py::q", "far.py::p"),
    ]
    assert [run.stop_at_first_failure for run in testbed.runs] == [False, False, True]
    assert testbed.runs[1].timeout_s == {"t.py::slow": 10.0, "t.py::hangs": 1.0}
    assert verdict.verdict is Verdict.PLAUSIBLE


def test_nothing_else_runs_when_the_first_test_still_fails():
    testbed = FakeTestbed(FILES)
    try_patch(swap("a - b", "a"), baseline(), runtime(testbed=testbed).context)
    assert [run.tests for run in testbed.runs] == [(TOTAL,)]


def test_no_run_is_spent_on_passing_tests_when_there_are_none():
    testbed = ScriptedTestbed(report(result(TOTAL)))
    before = Baseline(failing=(red(TOTAL),), runs=1)
    assert try_patch(RIGHT, before, runtime(testbed=testbed).context).verdict is Verdict.PLAUSIBLE
    assert [run.tests for run in testbed.runs] == [(TOTAL,)]


@pytest.mark.parametrize(
    ("failure", "tight", "patient"),
    [
        (red(TOTAL, seconds=0.01), 0.25, 1.0),
        (red(TOTAL, seconds=2.0), 10.0, 10.0),
        (red(TOTAL, TestStatus.TIMEOUT, 30.0), 0.25, 6.0),
        (red(TOTAL, TestStatus.TIMEOUT, 2.0), 0.25, 1.0),
    ],
    ids=["floor", "factor", "hanging", "hanging floor"],
)
def test_a_test_may_take_a_multiple_of_its_time(failure, tight, patient):
    before = Baseline(failing=(failure,), runs=1)
    testbed = ScriptedTestbed(report(failure), report(failure))
    run = runtime(testbed=testbed)
    try_patch(RIGHT, before, run.context)
    try_patch(dataclasses.replace(RIGHT, patient=True), before, runtime(testbed=testbed).context)
    limits = [asked.timeout_s[TOTAL] for asked in testbed.runs]
    assert limits == [pytest.approx(tight), pytest.approx(patient)]


def test_a_model_s_patch_is_waited_for_with_patience():
    failure = red(TOTAL, seconds=0.01)
    testbed = ScriptedTestbed(report(failure))
    run = runtime(testbed=testbed, strategy="react")
    try_patch(by_model(RIGHT), Baseline(failing=(failure,), runs=1), run.context)
    assert testbed.runs[0].timeout_s == {TOTAL: 1.0}


def test_candidates_that_come_to_an_end_tell_how_long_others_may_take():
    failure, slower = red(TOTAL, seconds=0.001), red(TOTAL, seconds=0.04)
    hung = red(TOTAL, TestStatus.TIMEOUT, seconds=9.0)
    testbed = ScriptedTestbed(report(slower), report(hung), report(failure))
    run = runtime(testbed=testbed)
    for _ in range(3):
        try_patch(RIGHT, Baseline(failing=(failure,), runs=1), run.context)
    assert [asked.timeout_s[TOTAL] for asked in testbed.runs] == [
        0.25,
        pytest.approx(0.4),
        pytest.approx(0.4),
    ]


def test_what_seemed_to_hang_is_kept_for_later_and_then_tried_with_more_time():
    slow = swap("return a - b", "return a + b + sum(0 for _ in range(300))")
    run = runtime()
    update = evaluate(state(proposals=(slow,)), run)
    assert update["hanging"] == (dataclasses.replace(slow, patient=True),)
    again = evaluate(state(proposals=update["hanging"], exhausted=True), run)
    assert [attempt.proposal for attempt in again["plausible"]] == list(update["hanging"])
    assert again["hanging"] == ()


def test_a_patch_that_hangs_is_a_verdict():
    hanging = swap("return a - b", "while True: a += 1")
    verdict = try_patch(hanging, baseline(), runtime().context)
    assert verdict.verdict is Verdict.FAILING
    assert "OutOfTime" in verdict.detail


def test_a_report_with_less_than_every_passing_test_breaks_the_patch():
    testbed = ScriptedTestbed(
        report(result(TOTAL)),
        report(result(ZERO), complete=False, problem="the test process ended with exit status 0"),
    )
    verdict = try_patch(RIGHT, baseline(), runtime(testbed=testbed).context)
    assert verdict.verdict is Verdict.FAILING
    assert verdict.detail == "the test process ended with exit status 0"


def test_an_attempts_detail_is_one_line_of_limited_length():
    message = "left\n  !=\nright" + "x" * 1000
    testbed = ScriptedTestbed(report(red(TOTAL, exception="E", message=message)))
    verdict = try_patch(RIGHT, baseline(), runtime(testbed=testbed).context)
    assert "\n" not in verdict.detail
    assert verdict.detail.startswith(f"{TOTAL}: E: left != right")
    assert len(verdict.detail) == 500


# evaluate


def test_evaluate_tries_each_waiting_proposal_and_tells_the_progress():
    run = runtime()
    update = evaluate(state(proposals=(WRONG, OTHER), exhausted=True, attempts=3), run)
    assert update["attempts"] == 5
    assert update["proposals"] == ()
    assert update["exhausted"]
    assert run.context.progress.ticks == [(4, "a - b -> a * b"), (5, "a / 2 -> a // 2")]


def test_evaluate_of_a_models_strategy_stops_at_the_first_plausible_patch():
    run = runtime(strategy="react")
    update = evaluate(state(proposals=tuple(map(by_model, (WRONG, RIGHT, OTHER)))), run)
    assert update["attempts"] == 2
    assert [a.proposal for a in update["plausible"]] == [by_model(RIGHT)]
    assert update["first_plausible_turn"] == 1
    assert len(run.context.progress.ticks) == 2


def test_evaluate_of_the_search_looks_for_rivals_for_a_while():
    run = runtime(clock=FakeClock(step=0.01))
    update = evaluate(state(proposals=(RIGHT, RIVAL, WRONG)), run)
    assert [a.proposal for a in update["plausible"]] == [RIGHT, RIVAL]
    assert update["first_plausible_at"] < update["elapsed"]


def test_evaluate_of_the_search_stops_when_the_rivals_time_is_over():
    waiting = (WRONG, RIGHT, RIVAL, OTHER)
    update = evaluate(state(proposals=waiting, reference=baseline().failing), runtime(**slow_by(0.5)))
    assert [a.proposal for a in update["plausible"]] == [RIGHT, RIVAL]
    assert update["proposals"] == (OTHER,)
    assert update["first_plausible_at"] == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("budget", "more", "tried"),
    [
        (Budget(attempts=2), {}, 2),
        (Budget(seconds=20.0), {}, 2),
        (Budget(attempts=0, seconds=0.0, tokens=0), {}, 3),
    ],
    ids=["attempts", "seconds", "none"],
)
def test_evaluate_stops_at_the_budget(budget, more, tried):
    run = runtime(budget=budget, **slow_by(10.0))
    waiting = (swap("a - b", "a"), swap("a - b", "b"), swap("a - b", "-a"))
    known = {"reference": baseline().failing, **more}
    update = evaluate(state(proposals=waiting, exhausted=True, **known), run)
    assert update["attempts"] == tried
    assert update["exhausted"] is (tried == 3)


@pytest.mark.parametrize(
    ("budget", "more"),
    [
        (Budget(tokens=10), {"usage": Usage(prompt_tokens=10)}),
        (Budget(attempts=1), {"turn": 1, "drafted": 1}),
    ],
    ids=["tokens", "attempts"],
)
def test_what_a_model_wrote_in_its_last_turn_is_tried(budget, more):
    run = runtime(strategy="react", budget=budget)
    before = state(proposals=(by_model(RIGHT),), **more)
    assert run.context.budget_reason(before)
    assert [a.verdict for a in evaluate(before, run)["history"]] == [Verdict.PLAUSIBLE]


def test_what_an_early_stop_leaves_untried_keeps_waiting():
    run = runtime(budget=Budget(attempts=1))
    update = evaluate(state(proposals=(WRONG, RIGHT, OTHER)), run)
    assert update["proposals"] == (RIGHT, OTHER)


# record


def test_record_counts_and_keeps_the_best():
    run = runtime(strategy="react", clock=FakeClock(step=1.0))
    partial = attempt(WRONG, Verdict.PARTIAL, fixed=("a",))
    better = attempt(OTHER, Verdict.PARTIAL, fixed=("a", "b"))
    first = record(RepairState(attempts=1), [partial, better, partial], run.context)
    assert first["attempts"] == 4
    assert first["best_partial"] == better
    assert (first["plausible"], first["first_plausible_at"]) == ((), None)
    second = record(RepairState(best_partial=better), [partial, attempt()], run.context)
    assert second["best_partial"] == better
    assert second["plausible"] == (attempt(),)
    assert second["first_plausible_at"] is not None
    assert second["first_plausible_attempt"] == second["attempts"]
    found = RepairState(attempts=3, first_plausible_at=0.5, first_plausible_attempt=2)
    third = record(found, [attempt(RIVAL)], run.context)
    assert (third["first_plausible_at"], third["first_plausible_attempt"]) == (0.5, 2)


def test_record_keeps_a_limited_history_for_models_and_none_for_the_search():
    many = [swap("a - b", f"a + {n}") for n in range(HISTORY_LIMIT + 5)]
    told = [attempt(by_model(one), Verdict.FAILING) for one in many]
    assert record(RepairState(), told, runtime(strategy="react").context)["history"] == tuple(told[5:])
    searched = [attempt(one, Verdict.FAILING) for one in many]
    assert record(RepairState(), searched, runtime().context)["history"] == ()


# minimise


def test_minimise_drops_the_edits_that_are_not_needed():
    large = attempt(by_model(both(RIGHT, OTHER)))
    update = minimise(state(plausible=(large,)), runtime(strategy="react"))
    assert texts(update["chosen"]) == {PATH: SOURCE.replace("a - b", "a + b")}
    assert update["unshrunk"] == large.proposal.patch
    assert update["chosen"].proposal.origin == large.proposal.origin


def test_minimise_leaves_a_candidate_of_the_search_whole():
    update = minimise(state(plausible=(attempt(both(RIGHT, OTHER)),)), runtime())
    assert update["chosen"].proposal.patch == update["unshrunk"]


def test_minimise_never_makes_a_patch_that_the_policy_refuses():
    source = SOURCE.replace("    return a - b\n", "    assert b >= 0\n    return a - b\n")
    files = {**FILES, PATH: source}
    moved = both(
        swap("    assert b >= 0\n", "", text=source),
        swap("return a - b\n", "assert b >= 0\n    return a + b\n", text=source),
    )
    run = runtime(strategy="react", files=files)
    update = minimise(state(plausible=(attempt(by_model(moved)),)), run)
    assert "assert b >= 0" in apply(update["chosen"].proposal.patch, files)[PATH]


def test_minimise_chooses_the_smallest_change_and_not_a_deletion():
    deletes = attempt(swap(" - b", "", origin="delete"))
    large, small = attempt(both(RIVAL, OTHER)), attempt(RIGHT)
    update = minimise(state(plausible=(deletes, large, small)), runtime())
    assert update["chosen"] == small


def test_minimise_passes_over_what_was_refuted():
    update = minimise(state(plausible=(attempt(RIGHT), attempt(RIVAL)), refuted=(RIGHT.patch,)), runtime())
    assert update["chosen"].proposal == RIVAL


def test_two_changes_are_shrunk_to_what_is_needed():
    needless = both(RIGHT, OTHER, order=2, explanation="this; that")
    found = minimise(state(plausible=(attempt(needless),)), runtime())
    assert apply(found["chosen"].proposal.patch, FILES) == apply(RIGHT.patch, FILES)
    assert found["chosen"].proposal.explanation == "part of: this; that"
    assert found["unshrunk"] == needless.patch


# validate


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
    assert [asked.tests for asked in fresh.runs] == [(TOTAL,), (TOTAL,), (TOTAL,), None]
    right = SOURCE.replace("a - b", "a + b").encode()
    assert all(dict(asked.changes) == {PATH: right} for asked in fresh.runs)
    assert testbeds.closed == 1
    assert run.context.testbed.runs == []


def test_validate_does_not_blame_the_patch_for_a_test_that_fails_without_it_too():
    def half_fails_now_and_then(number, _run, seen):
        if number < 4:
            return seen
        passing = tuple(found for found in seen.results if found.test != HALF)
        return report(*passing, red(HALF))

    testbeds = FakeTestbeds(lambda _n: FakeTestbed(FILES, fault=half_fails_now_and_then))
    update = validate(state(plausible=(attempt(),), chosen=attempt()), runtime(testbeds=testbeds))
    assert update["outcome"] is Outcome.PATCHED
    assert update["evidence"].pass_to_pass == (ZERO,)


def test_validate_sees_what_breaks_only_in_the_whole_suite():
    def zero_fails_after_the_others(_number, asked, seen):
        if asked.tests is not None:
            return seen
        return report(*(found for found in seen.results if found.test != ZERO), red(ZERO))

    testbeds = FakeTestbeds(lambda _n: FakeTestbed(FILES, fault=zero_fails_after_the_others))
    update = validate(state(plausible=(attempt(),), chosen=attempt()), runtime(testbeds=testbeds))
    assert update["reason"] == f"in a fresh sandbox the patch broke passing tests: {ZERO}"


def test_validate_wants_a_command_to_pass_in_the_last_run_too():
    command = "make test"

    def red_at_last(_number, asked, _seen):
        return report(red(command) if asked.tests is None else result(command))

    testbeds = FakeTestbeds(lambda _n: FakeTestbed(FILES, fault=red_at_last))
    failing = Baseline(failing=(red(command),), passing=(), runs=1)
    chosen = state(baseline=failing, plausible=(attempt(),), chosen=attempt())
    assert "outcome" not in validate(chosen, runtime(testbeds=testbeds))


def test_validate_refutes_what_fails_in_one_of_the_repeats():
    def second_run_is_red(number, _run, seen):
        return report(red(TOTAL)) if number == 2 else seen

    testbeds = FakeTestbeds(lambda _n: FakeTestbed(FILES, fault=second_run_is_red))
    update = validate(state(plausible=(attempt(),), chosen=attempt()), runtime(testbeds=testbeds))
    assert "outcome" not in update
    assert update["reason"] == "in a fresh sandbox the failing tests did not pass (run 2 of 3)"
    assert RIGHT.patch in update["refuted"]


def test_validate_refutes_what_breaks_a_passing_test():
    update = validate(state(plausible=(attempt(WRONG),), chosen=attempt(WRONG)), runtime())
    assert update["reason"] == f"in a fresh sandbox the patch broke passing tests: {ZERO}"
    assert WRONG.patch in update["refuted"]


def test_validate_believes_the_exit_status_and_not_the_results_alone():
    def lies(_number, _run, seen):
        return dataclasses.replace(seen, exit_status=3)

    testbeds = FakeTestbeds(lambda _n: FakeTestbed(FILES, fault=lies))
    update = validate(state(plausible=(attempt(),), chosen=attempt()), runtime(testbeds=testbeds))
    assert "outcome" not in update


def test_a_refuted_choice_takes_its_own_unshrunk_patch_with_it_and_no_rivals():
    """Rivals of one operator or model share their origin: it does not tell them apart."""
    red_always = FakeTestbeds(
        lambda _n: FakeTestbed(FILES, fault=lambda _number, _run, _seen: report(red(TOTAL)))
    )
    run = runtime(testbeds=red_always, strategy="react")
    rival = attempt(swap("a - b", "b + a", origin="same"))
    unshrunk = attempt(by_model(both(swap("a - b", "a + b", origin="same"), OTHER)))
    # the rival is refuted already: the larger patch is shrunk, and refuted in its turn
    before = state(plausible=(rival, unshrunk), refuted=(rival.proposal.patch,))
    chosen = dataclasses.replace(before, **minimise(before, run))
    assert texts(chosen.chosen) == {PATH: SOURCE.replace("a - b", "a + b")}
    after = dataclasses.replace(chosen, **validate(chosen, run))
    assert unshrunk.proposal.patch in after.refuted
    # and a first refutation leaves the rival standing
    before = state(plausible=(rival, attempt(swap("a - b", "a+b", origin="same", score=9.0))))
    chosen = dataclasses.replace(before, **minimise(before, run))
    after = dataclasses.replace(chosen, **validate(chosen, run))
    assert rival.proposal.patch not in after.refuted


# conclude

SUSPECT = (Suspicion(path=PATH, line=2, score=1.0),)


@pytest.mark.parametrize(
    ("more", "outcome", "reason"),
    [
        (
            {"attempts": 9, "suspicions": SUSPECT},
            Outcome.BUDGET_EXHAUSTED,
            "no verified patch: the limit of 9 attempts is reached",
        ),
        (
            {"attempts": 9, "suspicions": SUSPECT, "exhausted": True},
            Outcome.NO_PATCH,
            "none of 9 candidates makes the failing tests pass without breaking others",
        ),
        (
            {"attempts": 3, "suspicions": SUSPECT, "refuted": (RIGHT.patch,), "reason": "red again"},
            Outcome.NO_PATCH,
            "the patches found did not hold: red again",
        ),
        ({"exhausted": True}, Outcome.NO_PATCH, "no source line could be tied to the failing tests"),
        ({"exhausted": True, "suspicions": SUSPECT}, Outcome.NO_PATCH, "the strategy proposed nothing"),
    ],
    ids=["budget", "exhausted", "refuted", "no suspicion", "no proposal"],
)
def test_conclude_says_why(more, outcome, reason):
    update = conclude(state(**more), runtime(budget=Budget(attempts=9)))
    assert (update["outcome"], update["reason"]) == (outcome, reason)
