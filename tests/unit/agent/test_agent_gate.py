"""The node that reads candidates before anything runs: what it turns down, with which reason."""

from agent_support import OTHER, PATH, RIGHT, TESTS, WRONG, attempt, baseline, by_model, runtime, state, swap
from every_case import every_case

from bot.agent.nodes.evaluate import evaluate
from bot.agent.nodes.gate import gate
from bot.domain import Candidate, Flaw, Patch, SpanEdit, Verdict


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
