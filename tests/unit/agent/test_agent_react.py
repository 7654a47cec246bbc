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
from bot.agent.strategies.quoted_lines import quoted, thought_of, thought_schema
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


def instead(*lines):
    return json.dumps({"instead": lines})


def choices(request):
    """The lines among which the schema of ``request`` lets a model choose."""
    return request.schema["properties"]["edits"]["items"]["properties"]["line"]["enum"]


UNREADABLE = "I am sorry, I do not know."
WRONG, RIGHT = edit("a - b", "a * b"), edit("a - b", "a + b", "total adds")
PLAN = "The operator in total is wrong."
SOLVED = "def total(a, b):\n    return a + b"


def run(backend, **more):
    return repaired(
        **{"budget": Budget(attempts=5), **more},
        strategy="react",
        backends=(lambda _remaining: [backend]) if backend else None,
        checkpointer=InMemorySaver(serde=StateSerializer()),
    )


def prompts(backend):
    return [request.messages[1].content for request in backend.requests]


def test_a_function_is_first_repaired_in_one_call():
    backend = ScriptedBackend([f"It adds.\n```python\n{SOLVED}\n```"])
    result = run(backend)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, 1)
    assert result.usage.calls == 1
    assert "Fix bugs in" in prompts(backend)[0]


def test_the_third_turn_repairs_and_each_sees_what_was_tried_and_why_it_failed():
    backend = ScriptedBackend([UNREADABLE, PLAN, WRONG, PLAN, "return a + b"])
    result = run(backend)
    assert result.outcome is Outcome.PATCHED
    assert apply(result.patch, FILES) == {PATH: SOURCE.replace("a - b", "a + b")}
    assert (result.attempts, result.explanation) == (3, PLAN)
    assert result.evidence.fail_to_pass == (TOTAL,)
    assert result.usage.calls == 5
    said = (UNREADABLE, PLAN, WRONG, PLAN, "return a + b")
    assert result.usage.completion_tokens == sum(len(reply.split()) for reply in said)
    asked = prompts(backend)
    assert "Tried before" not in asked[0]
    assert "unreadable: the reply holds no patch" in asked[1]
    assert "return a * b: test_shop.py::test_zero: AssertionError" in asked[3]
    assert "unreadable" in asked[3]


def test_the_two_agents_are_asked_differently():
    backend = ScriptedBackend([UNREADABLE, PLAN, RIGHT])
    run(backend)
    _draft, thought, answer = backend.requests
    assert thought.schema["properties"]["lines"]["items"]["enum"] == ["return a - b"]
    assert choices(answer) == [2]
    assert '"line": 3' in prompts(backend)[2]
    assert PLAN not in prompts(backend)[1]
    assert PLAN in prompts(backend)[2]
    for messages in [request.messages for request in backend.requests[1:]]:
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
    result = run(ScriptedBackend([UNREADABLE, PLAN, *replies]))
    assert result.outcome is Outcome.PATCHED
    assert apply(result.patch, FILES) == {PATH: SOURCE.replace("a - b", "a + b")}
    assert result.explanation == PLAN


def test_a_model_that_copies_is_asked_for_several_other_lines_then_for_one_that_is_hidden():
    source = SOURCE.replace("return a - b", "c = a - b\n    return c")
    copied = "```python\ndef total(a, b):\n    c = a - b\n    return c\n```"
    thought = json.dumps({"why": "It subtracts.", "lines": ["return c", "c = a - b", "return c"]})
    others = [instead("return a", "return -c"), instead("c = a - b", "c = a * b")]
    backend = ScriptedBackend([copied, thought, *others, thought, "return b", "c = a + b"])
    result = run(backend, files={**FILES, PATH: source})
    assert result.outcome is Outcome.PATCHED
    assert apply(result.patch, {PATH: source}) == {PATH: source.replace("a - b", "a + b")}
    assert result.explanation == "It subtracts."
    asked = prompts(backend)
    assert "Perhaps this line is wrong:\n```python\nreturn c\n```" in asked[2]
    assert "Perhaps this line is wrong:\n```python\nc = a - b\n```" in asked[3]
    assert backend.requests[2].schema["properties"]["instead"]["minItems"] == 4
    assert "    return ____" in asked[5]
    assert "    c ____" in asked[6]


def test_a_line_that_is_left_as_it_is_cannot_be_quoted_again_while_there_are_others():
    source = SOURCE.replace("return a - b", "c = a - b\n    return c")
    same = line_edit(2, "    c = a - b")
    backend = ScriptedBackend([UNREADABLE, PLAN, same, PLAN, "return a + b", "c = a + b"])
    result = run(backend, files={**FILES, PATH: source})
    assert result.outcome is Outcome.PATCHED
    lines = [request.schema["properties"]["lines"]["items"]["enum"] for request in backend.requests[1:4:2]]
    assert lines == [["c = a - b", "return c"], ["return c"]]
    assert choices(backend.requests[2]) == [2, 3]
    assert "line 2 stays as it is" in prompts(backend)[3]


def test_what_does_not_parse_goes_back_with_the_reason():
    backend = ScriptedBackend([UNREADABLE, PLAN, line_edit(2, "return (a + b"), PLAN, "return a + b"])
    assert run(backend).outcome is Outcome.PATCHED
    assert "syntax" in prompts(backend)[3]


def test_where_no_file_is_shown_an_edit_names_its_path():
    nowhere = Brief(failure=FailureBrief(test="t", code="", values=""))
    edit = schema_for(nowhere)["properties"]["edits"]["items"]
    assert edit["properties"]["path"] == {"type": "string"}
    assert edit["properties"]["line"] == {"type": "integer"}
    assert edit["required"] == ["path", "line", "new"]
    assert thought_schema(nowhere)["properties"]["lines"]["items"] == {"type": "string"}


@every_case(
    ("reply", "thought", "lines"),
    [
        ('{"why": "x", "lines": ["c = 1", "d = 2"]}', "x\nc = 1\nd = 2", (3, 4)),
        ('{"why": "x", "lines": ["d = 2", "d = 2", 7]}', "x\nd = 2", (4,)),
        ('{"why": "x", "lines": "d = 2"}', '{"why": "x", "lines": "d = 2"}', ()),
        ("The line `d = 2` is wrong.", "The line `d = 2` is wrong.", (4,)),
        ("No line is wrong.", "No line is wrong.", ()),
        (" ", "(nothing)", ()),
        ('{"why": ', '{"why":', ()),
    ],
)
def test_a_thought_quotes_lines(reply, thought, lines):
    shown = Brief(
        failure=FailureBrief(test="t", code="", values=""),
        path=PATH,
        numbered="2| def f():\n3|     c = 1\n4|     d = 2\n5|     c = 1",
    )
    assert thought_of(reply) == thought
    assert quoted(thought, shown) == lines


def test_each_turn_is_warmer():
    turns = len(TEMPERATURES) + 1
    backend = ScriptedBackend([UNREADABLE, *[PLAN, UNREADABLE] * turns])
    run(backend, budget=Budget(attempts=turns))
    seen = [request.temperature for request in backend.requests]
    assert [seen[0], *seen[1::2]] == [*TEMPERATURES, TEMPERATURES[-1]]
    assert seen[1::2] == seen[2::2]


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
    backend = ScriptedBackend([UNREADABLE, *[PLAN, UNREADABLE] * replies])
    result = run(backend, budget=budget, clock=clock)
    assert (result.outcome, result.diff) == (Outcome.BUDGET_EXHAUSTED, "")
    assert result.reason.startswith(f"no verified patch: {why}; the last change: ")


@every_case("replies", [[UNREADABLE], [UNREADABLE, PLAN]])
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
