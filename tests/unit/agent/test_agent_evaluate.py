"""The nodes that read candidates before anything runs and try what waits, and what is kept of it."""

from dataclasses import replace

import pytest
from agent_support import (
    ALTERNATIVE,
    FILES,
    OTHER,
    PATH,
    RIGHT,
    TESTS,
    TOTAL,
    WRONG,
    attempt,
    baseline,
    by_model,
    failed_result,
    report,
    runtime,
    slow_by,
    state,
    swap,
)
from every_case import every_case
from fakes.progress import FakeClock
from fakes.testbed import FakeTestbed

from bot.agent.nodes.evaluate import evaluate
from bot.agent.nodes.gate import gate
from bot.agent.nodes.record import HISTORY_LIMIT, record
from bot.agent.state import RepairState
from bot.domain import Candidate, Flaw, Patch, SpanEdit, Usage, Verdict
from bot.request import Budget
from sandbox.reports import TestStatus


def test_evaluate_tries_each_waiting_candidate_and_tells_the_progress():
    run = runtime()
    update = evaluate(state(candidates=(WRONG, OTHER), exhausted=True, attempts=3), run)
    assert update["attempts"] == 5
    assert update["candidates"] == ()
    assert update["exhausted"]
    assert run.context.progress.ticks == [(4, "a - b -> a * b"), (5, "a / 2 -> a // 2")]


def test_evaluate_of_a_models_strategy_stops_at_the_first_plausible_patch():
    run = runtime(strategy="react")
    update = evaluate(state(candidates=tuple(map(by_model, (WRONG, RIGHT, OTHER)))), run)
    assert update["attempts"] == 2
    assert [a.candidate for a in update["plausible"]] == [by_model(RIGHT)]
    assert update["first_plausible_turn"] == 1
    assert len(run.context.progress.ticks) == 2


def test_evaluate_of_the_search_looks_for_alternatives_for_a_while():
    run = runtime(clock=FakeClock(step=0.01))
    before = state(candidates=(WRONG, RIGHT, ALTERNATIVE, WRONG))
    first = evaluate(before, run)
    assert [a.candidate for a in first["plausible"]] == [RIGHT]
    assert first["candidates"] == (ALTERNATIVE, WRONG), "its neighbours come before them"
    update = evaluate(replace(before, **first), run)
    assert [a.candidate for a in update["plausible"]] == [RIGHT, ALTERNATIVE]
    assert update["candidates"] == ()
    assert update["first_plausible_at"] < update["elapsed"]


@every_case(
    ("slow", "left"),
    # Nothing new for a while; or others came until the end.
    [(2.0, 1), (6.0, 3)],
)
def test_evaluate_of_the_search_stops_when_the_alternatives_time_is_over(slow, left):
    run = runtime(**slow_by(slow))
    failing = tuple(swap("a - b", code) for code in ("-a", "a", "b"))
    before = state(
        candidates=(WRONG, RIGHT, ALTERNATIVE, *failing), reference=baseline().failing, looked_around=True
    )
    first = evaluate(before, run)
    assert first["first_plausible_at"] == pytest.approx(4.0 * slow)
    update = evaluate(replace(before, **first), run)
    assert [a.candidate for a in update["plausible"]] == [RIGHT, ALTERNATIVE]
    assert update["candidates"] == failing[-left:]


@every_case(
    ("budget", "tried"),
    [(Budget(attempts=2), 2), (Budget(seconds=20.0), 2), (Budget(attempts=0, seconds=0.0, tokens=0), 3)],
)
def test_evaluate_stops_at_the_budget(budget, tried):
    run = runtime(budget=budget, **slow_by(10.0))
    waiting = (swap("a - b", "a"), swap("a - b", "b"), swap("a - b", "-a"))
    update = evaluate(state(candidates=waiting, exhausted=True, reference=baseline().failing), run)
    assert (update["attempts"], update["candidates"]) == (tried, waiting[tried:])
    assert update["exhausted"] is (tried == 3)


@every_case(
    ("budget", "more"),
    [
        (Budget(tokens=10), {"usage": Usage(prompt_tokens=10)}),
        (Budget(attempts=1), {"turn": 1, "drafted": 1}),
    ],
)
def test_what_a_model_wrote_in_its_last_turn_is_tried(budget, more):
    run = runtime(strategy="react", budget=budget)
    before = state(candidates=(by_model(RIGHT),), **more)
    assert run.context.budget_reason(before)
    assert [a.verdict for a in evaluate(before, run)["history"]] == [Verdict.PLAUSIBLE]


def test_record_counts_and_keeps_the_best():
    run = runtime(strategy="react", clock=FakeClock(step=1.0))

    def recorded(before, *attempts):
        return replace(before, **record(before, attempts, run.context))

    partial = attempt(WRONG, Verdict.PARTIAL, fixed=("a",))
    better = attempt(OTHER, Verdict.PARTIAL, fixed=("a", "b"))
    first = recorded(RepairState(attempts=1), partial, better, partial)
    assert (first.attempts, first.best_partial) == (4, better)
    assert (first.plausible, first.first_plausible_at) == ((), None)
    second = recorded(first, partial, attempt())
    assert (second.best_partial, second.plausible) == (better, (attempt(),))
    assert second.first_plausible_at is not None
    assert second.first_plausible_attempt == second.attempts
    third = recorded(second, attempt(ALTERNATIVE))
    assert third.first_plausible_at == second.first_plausible_at
    assert third.first_plausible_attempt == second.first_plausible_attempt


def test_record_keeps_a_limited_history_for_models_and_none_for_the_search():
    many = [swap("a - b", f"a + {n}") for n in range(HISTORY_LIMIT + 5)]
    said = [attempt(by_model(one), Verdict.FAILING) for one in many]
    assert record(RepairState(), said, runtime(strategy="react").context)["history"] == tuple(said[5:])
    searched = [attempt(one, Verdict.FAILING) for one in many]
    assert record(RepairState(), searched, runtime().context)["history"] == ()


def test_a_file_that_hangs_in_place_of_its_tests_is_nothing_to_wait_for():
    ends = (
        failed_result("test_shop.py", TestStatus.TIMEOUT, 1.0),
        failed_result(TOTAL, TestStatus.TIMEOUT, 1.0),
    )
    testbed = FakeTestbed(FILES)
    testbed.run = lambda **_: report(*ends)
    update = evaluate(state(candidates=(WRONG,), reference=baseline().failing), runtime(testbed=testbed))
    assert [candidate.patch for candidate in update["hanging"]] == [WRONG.patch]


@every_case(
    ("candidate", "reason"),
    [
        (swap("total(2, 2) == 4", "True", path="test_shop.py", text=TESTS), "test_shop.py is protected"),
        (swap("a - b", "a +"), "syntax error in shop.py line 2"),
        (
            Candidate(
                patch=Patch(edits=(SpanEdit(path=PATH, start=900, end=901, replacement=""),)), origin="x"
            ),
            "lies outside",
        ),
        (Candidate(patch=Patch(edits=()), origin="x"), "the patch changes nothing"),
        (swap("a - b", "__import__('os').system('id')"), "shop.py"),
    ],
    ids=["protected", "syntax", "unappliable", "empty", "dangerous"],
)
def test_the_gate_turns_down_with_the_reason(candidate, reason):
    candidate = by_model(candidate)
    update = gate(state(candidates=(candidate,)), runtime(strategy="react"))
    assert update["candidates"] == ()
    assert update["attempts"] == 1
    (refused,) = update["history"]
    assert (refused.verdict, refused.flaw, refused.candidate) == (Verdict.REJECTED, Flaw.REFUSED, candidate)
    assert reason in refused.detail


def test_the_gate_turns_down_what_was_tried_or_refuted_and_keeps_the_order_of_the_others():
    broken, last = swap("a - b", "a -"), swap("a - b", "b")
    tried = state(
        candidates=tuple(map(by_model, (WRONG, OTHER, broken, RIGHT, last))),
        attempts=4,
        history=(attempt(WRONG, Verdict.FAILING),),
        refuted=(RIGHT.patch,),
    )
    update = gate(tried, runtime(strategy="react"))
    assert update["candidates"] == (by_model(OTHER), by_model(last))
    assert update["attempts"] == 7
    again, syntax, refuted = update["history"][1:]
    assert [again.detail, refuted.detail] == ["the same patch was tried before"] * 2
    assert [one.flaw for one in (again, syntax, refuted)] == [Flaw.REPEATED, Flaw.REFUSED, Flaw.REPEATED]


def test_a_candidate_of_the_search_is_read_by_the_policy_when_it_turns_the_tests_green():
    cheat = swap("return a - b", "import socket\n    return a + b")
    waiting = state(candidates=(cheat, RIGHT), baseline=baseline())
    assert gate(waiting, runtime()) == {}
    update = evaluate(waiting, runtime())
    assert update["attempts"] == 2
    assert [kept.candidate for kept in update["plausible"]] == [RIGHT]
