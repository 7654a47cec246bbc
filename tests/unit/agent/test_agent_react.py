"""The strategy with a model: what it is asked, how its replies are read, when it ends."""

import json

import pytest
from agent_support import FILES, PATH, SOURCE, TOTAL, repaired
from every_case import every_case
from fakes.progress import FakeClock
from langgraph.checkpoint.memory import InMemorySaver

from bot.agent.checkpoint import StateSerializer
from bot.agent.model.briefing.brief import Brief
from bot.agent.model.briefing.failure import FailureBrief
from bot.agent.strategies.edited_lines import schema_for
from bot.agent.strategies.turn import TEMPERATURES
from bot.backends.scripted import ScriptedBackend
from bot.errors import ModelUnavailable
from bot.patch.apply import apply
from bot.request import Budget
from bot.result import Outcome


def edit(find, replace, explanation="because"):
    edits = [{"op": "substitute", "path": PATH, "find": find, "replace": replace}]
    return json.dumps({"explanation": explanation, "edits": edits})


def line_edit(line, new):
    return json.dumps({"edits": [{"line": line, "new": new}]})


def choices(request):
    """The lines among which the schema of ``request`` lets a model choose."""
    return request.schema["properties"]["edits"]["items"]["properties"]["line"]["enum"]


UNREADABLE = "I am sorry, I do not know."
WRONG, RIGHT = edit("a - b", "a * b"), edit("a - b", "a + b", "total adds")
PLAN = "The operator in total is wrong."


def run(backend, **more):
    return repaired(
        **{"budget": Budget(attempts=5), **more},
        strategy="react",
        backends=(lambda _remaining: [backend]) if backend else None,
        checkpointer=InMemorySaver(serde=StateSerializer()),
    )


def prompts(backend):
    return [request.messages[1].content for request in backend.requests]


def test_the_third_reply_repairs_and_each_turn_sees_what_was_tried_and_why_it_failed():
    backend = ScriptedBackend([PLAN, UNREADABLE, PLAN, WRONG, PLAN, RIGHT])
    result = run(backend)
    assert result.outcome is Outcome.PATCHED
    assert apply(result.patch, FILES) == {PATH: SOURCE.replace("a - b", "a + b")}
    assert (result.attempts, result.explanation) == (3, "total adds")
    assert result.evidence.fail_to_pass == (TOTAL,)
    assert result.usage.calls == 6
    said = (PLAN, UNREADABLE, PLAN, WRONG, PLAN, RIGHT)
    assert result.usage.completion_tokens == sum(len(reply.split()) for reply in said)
    asked = prompts(backend)
    assert "Tried before" not in asked[0]
    assert "unreadable: the reply holds no patch" in asked[2]
    assert "return a * b: test_shop.py::test_zero: AssertionError" in asked[4]
    assert "unreadable" in asked[4]


def test_the_two_agents_are_asked_differently():
    backend = ScriptedBackend([PLAN, RIGHT])
    run(backend)
    thought, answer = backend.requests
    assert thought.schema is None
    assert choices(answer) == [2]
    assert '"line": 3' in prompts(backend)[1]
    assert PLAN not in prompts(backend)[0]
    assert PLAN in prompts(backend)[1]
    for messages in [request.messages for request in backend.requests]:
        assert [message.role for message in messages] == ["system", "user"]
        assert "2|     return a - b" in messages[1].content
        assert "assert total(2, 2) == 4" in messages[1].content


@every_case(
    "replies",
    [
        [line_edit(2, "    return a + b")],
        [line_edit(2, "return a + b")],  # the blanks are the line's
        [line_edit(2, "2|     return a + b")],
        ["Here it is:\n```json\n" + line_edit(2, "    return a + b") + "\n```"],
    ],
)
def test_a_line_is_replaced_by_its_number(replies):
    result = run(ScriptedBackend([PLAN, *replies]))
    assert result.outcome is Outcome.PATCHED
    assert apply(result.patch, FILES) == {PATH: SOURCE.replace("a - b", "a + b")}
    assert result.explanation == PLAN


def test_a_line_that_is_left_as_it_is_cannot_be_chosen_again_while_there_are_others():
    source = SOURCE.replace("return a - b", "c = a - b\n    return c")
    same = line_edit(2, "    c = a - b")
    backend = ScriptedBackend([PLAN, same, PLAN, line_edit(3, "    return a + b")])
    result = run(backend, files={**FILES, PATH: source})
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, 2)
    assert choices(backend.requests[1]) == [2, 3]
    assert choices(backend.requests[3]) == [3]
    assert "line 2 stays as it is" in prompts(backend)[2]


def test_what_does_not_parse_goes_back_with_the_reason():
    backend = ScriptedBackend([PLAN, line_edit(2, "return (a + b"), PLAN, RIGHT])
    assert run(backend).outcome is Outcome.PATCHED
    assert "syntax" in prompts(backend)[2]


def test_where_no_file_is_shown_an_edit_names_its_path():
    nowhere = Brief(failure=FailureBrief(test="t", code="", values=""))
    edit = schema_for(nowhere)["properties"]["edits"]["items"]
    assert edit["properties"]["path"] == {"type": "string"}
    assert edit["properties"]["line"] == {"type": "integer"}
    assert edit["required"] == ["path", "line", "new"]


def test_each_turn_is_warmer():
    turns = len(TEMPERATURES) + 1
    backend = ScriptedBackend([PLAN, UNREADABLE] * turns)
    run(backend, budget=Budget(attempts=turns))
    seen = [request.temperature for request in backend.requests]
    assert seen[::2] == seen[1::2] == [*TEMPERATURES, TEMPERATURES[-1]]


@every_case(
    ("replies", "budget", "why"),
    [
        (2, Budget(attempts=2), "the limit of 2 attempts is reached"),
        (1, Budget(attempts=5, tokens=50), "the budget of 50 tokens is used up"),
        (9, Budget(attempts=0, seconds=60.0), "the time budget of 60 s ended while searching"),
    ],
)
def test_each_limit_ends_the_turns(replies, budget, why):
    clock = FakeClock(step=2.0 if budget.attempts == 0 else 0.0)
    result = run(ScriptedBackend([PLAN, UNREADABLE] * replies), budget=budget, clock=clock)
    assert (result.outcome, result.diff) == (Outcome.BUDGET_EXHAUSTED, "")
    assert result.reason.startswith(f"no verified patch: {why}; the last change: ")


@every_case("replies", [[PLAN, UNREADABLE], [PLAN, UNREADABLE, PLAN]])
def test_a_model_that_gives_out_leaves_what_was_found(replies):
    result = run(ScriptedBackend(replies))
    assert (result.outcome, result.attempts, result.usage.calls) == (Outcome.NO_PATCH, 1, len(replies))
    said = f"the script holds {len(replies)} replies and one more was asked for"
    assert result.reason.endswith(f"no model answered any more: {said}")


@every_case(
    ("backend", "said"), [(ScriptedBackend([]), "holds 0 replies"), (None, "needs a model: pass --model")]
)
def test_a_model_that_never_answers_or_is_missing_ends_the_run(backend, said):
    with pytest.raises(ModelUnavailable, match=said):
        run(backend)


def test_a_model_is_asked_though_nothing_is_suspicious():
    """The failing test may touch no source that may change; that is no reason to crash."""
    files = {"test_shop.py": "def test_total():\n    assert 1 == 2\n"}
    new = json.dumps(
        {"explanation": "", "edits": [{"op": "insert", "path": "shop.py", "after": 0, "lines": ["x = 1"]}]}
    )
    result = run(ScriptedBackend([PLAN, new]), files=files, budget=Budget(attempts=1))
    assert result.outcome is Outcome.BUDGET_EXHAUSTED
    assert result.attempts == 1
