"""The strategies with a model, turn by turn, with a model that says what it was told to; and the critic."""

import json

import pytest
from agent_support import FILES, PATH, PROJECTS, SOURCE, by_model, swap
from agent_support import attempt as tried
from every_case import every_case
from fakes.progress import FakeClock
from scripted_model import REPAIRED, RIGHT, SAME, WRONG, Model, Recorded, asked, code, run
from sections import GOLDEN

from bot.agent.state import RepairState
from bot.agent.strategies.reflect import next_step
from bot.agent.strategies.tools import called_code, stuck
from bot.domain import Flaw, Usage, Verdict
from bot.errors import ModelUnavailable
from bot.patch.apply import apply
from bot.ports import Completion, ToolCall
from bot.request import Budget, Critic, ModelOptions, SearchOptions
from bot.result import Outcome

PROMISE = '    """The sum of two."""\n'
DOCUMENTED = {**FILES, PATH: SOURCE.replace("def total(a, b):\n", f"def total(a, b):\n{PROMISE}")}


def test_one_shot_is_one_shot():
    model = Model([WRONG, RIGHT])
    result = run("single", model)
    assert (result.outcome, result.attempts, result.turns) == (Outcome.NO_PATCH, 1, 1)
    assert len(model.requests) == 1
    result = run("single", Model([RIGHT]), budget=Budget(attempts=1))
    assert (result.outcome, result.first_plausible_turn) == (Outcome.PATCHED, 1)
    assert apply(result.patch, FILES) == REPAIRED


class Slow(Model):
    """One whose first answer takes longer than there is time."""

    def __init__(self, clock):
        super().__init__([])
        self.clock = clock

    def complete(self, request):
        self.clock.now += 100
        raise ModelUnavailable("still answering when the time was over")


@every_case("strategy", ["single", "react", "reflect", "tools"])
def test_a_model_that_is_still_answering_when_the_time_is_over_ends_no_run_in_an_error(strategy):
    clock = FakeClock()
    files = {**FILES, PATH: SOURCE.replace("a - b", "compute(a, b)")}
    result = run(strategy, Slow(clock), files=files, clock=clock, budget=Budget(seconds=60, attempts=5))
    assert result.outcome is Outcome.BUDGET_EXHAUSTED
    assert (
        "time budget of 60 s ended while searching; no model answered any more: still answering"
        in result.reason
    )


RAN = tried(by_model(swap("a - b", "a * b")), Verdict.FAILING)


@every_case(
    ("flaw", "step"),
    [
        (Flaw.UNCHANGED, "repeat"),
        (Flaw.REPEATED, "repeat"),
        (Flaw.SYNTAX, "syntax"),
        (Flaw.CUT, "syntax"),
        (Flaw.SIGNATURE, "signature"),
        (Flaw.UNREADABLE, "refused"),
        (Flaw.REFUSED, "refused"),
        (Flaw.VETOED, "refused"),
    ],
)
def test_how_the_turn_before_ended_decides_what_is_asked_next(flaw, step):
    refused = tried(by_model(swap("a - b", "a")), Verdict.REJECTED, flaw=flaw)
    for history, expected in (((refused,), step), ((refused, RAN), "reflect"), ((RAN, refused), "reflect")):
        assert next_step(RepairState(turn=2, history=history)) == expected
        assert next_step(RepairState(turn=3, history=history)) == "draft"


def test_a_model_reflects_on_the_one_failed_assertion():
    model = Model([WRONG, RIGHT])
    result = run("reflect", model)
    assert (result.outcome, result.first_plausible_turn, result.turns) == (Outcome.PATCHED, 2, 2)
    second = asked(model)[1]
    assert "-    return a - b\n+    return a * b" in second
    assert "it breaks another test" in second
    assert model.options[0].temperature < model.options[1].temperature
    assert asked(model)[0].split("Tests:")[0] == second.split("Tests:")[0]  # for the cache


def test_who_only_talks_is_asked_for_the_code_in_the_same_turn():
    model = Model(["It subtracts, and should add.", RIGHT])
    result = run("reflect", model)
    assert (result.outcome, result.attempts, result.turns) == (Outcome.PATCHED, 1, 1)
    assert (result.usage.calls, result.usage.tokens) == (2, 200)
    assert [message.role for message in model.requests[1]] == ["system", "user", "assistant", "user"]
    assert model.requests[1][2].content == "It subtracts, and should add."
    assert model.requests[1][:2] == model.requests[0]
    # Who talks again is refused, and nobody is asked on without tokens.
    talk = Model(["It subtracts.", "It should add.", RIGHT])
    result = run("reflect", talk)
    assert (result.outcome, result.first_plausible_turn) == (Outcome.PATCHED, 2)
    spent = run("reflect", Model(["It subtracts.", RIGHT]), budget=Budget(attempts=5, tokens=100))
    assert (spent.outcome, spent.usage.calls) == (Outcome.BUDGET_EXHAUSTED, 1)


def test_a_function_that_is_only_repeated_is_written_anew():
    model = Model([SAME, code("b * a"), RIGHT])
    result = run("reflect", model, files=DOCUMENTED)
    assert result.outcome is Outcome.PATCHED
    first, second, third = asked(model)
    assert "return a - b" in first
    assert "return a - b" not in second
    assert "The sum of two." in second
    assert "Your version:" in third
    assert "return b * a" in third
    assert apply(result.patch, DOCUMENTED)[PATH] == DOCUMENTED[PATH].replace("a - b", "a + b")


def test_each_slip_is_told_and_nothing_unreadable_ends_the_run():
    slips = [
        "no idea",
        "none at all",
        "```python\ndef total(a, b:\n    return\n```",
        code("a", "total(a)"),
        SAME,
    ]
    model = Model([*slips, RIGHT])
    result = run("reflect", model)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, 5)
    _first, asked_on, after_nothing, after_syntax, after_signature, after_same = asked(model)
    assert asked_on.startswith("Write the corrected function")
    assert "cannot be used" in after_nothing
    assert "never closed" in after_syntax
    assert "must begin with" in after_signature
    assert "Complete this line" in after_same


def called(text):
    return ToolCall(id="1", name="run_tests", arguments=json.dumps({"code": text}))


BARE = "def total(a, b):\n    return {}"


def test_a_tool_is_called_until_the_tests_pass():
    replies = [WRONG, called(BARE.format("a / b")), called(BARE.format("a + b"))]
    model = Model(replies)
    result = run("tools", model)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, 3)
    tools = [[tool.name for tool in options.tools] for options in model.options]
    assert tools == [[], ["run_tests"], ["run_tests"]]
    # Nobody knows yet whether this model makes calls.
    assert [message.role for message in model.requests[1]] == ["system", "user", "assistant", "user"]
    roles = [message.role for message in model.requests[2]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "tool"]
    _system, _task, call, answer, last, _result = model.requests[2]
    assert json.loads(call.tool_calls[0].arguments)["code"] == BARE.format("a * b")
    assert answer.answers == call.tool_calls[0].id != last.tool_calls[0].id
    assert "test_zero" in answer.content


def test_without_tool_calling_the_text_is_the_call():
    text = "<tool_call>" + json.dumps({"arguments": {"code": BARE.format("a / b")}})
    model = Model([WRONG, text, RIGHT])
    assert run("tools", model).attempts == 3
    assert [message.role for message in model.requests[2]] == [
        *["system", "user"],
        *["assistant", "user"] * 2,
    ]
    said = ["run_tests with" in request[1].content for request in model.requests]
    assert said == [False, True, False]


@every_case("text", (GOLDEN / "reading" / "calls.txt").read_text("utf-8").splitlines())
def test_a_call_is_found_however_it_is_written(text):
    assert called_code(Completion(text=text, usage=Usage(), model="m")) == "x = 1"


def test_arguments_that_are_no_json_are_read_as_text():
    call = ToolCall(id="1", name="run_tests", arguments=RIGHT)
    assert called_code(Completion(text="", usage=Usage(), model="m", tool_calls=(call,))) == RIGHT


def test_who_goes_round_in_circles_is_warned_and_asked_cooler():
    again = called(BARE.format("a * b"))
    model = Model([WRONG, again, again, again, RIGHT])
    trajectory = Recorded()
    assert run("tools", model, trajectory=trajectory).attempts == 5
    stages = [event["stage"] for event in trajectory.of("prompt")]
    assert stages == ["draft", "call", "unstick", "unstick", "unstick"]
    heat = [options.temperature for options in model.options[1:]]
    assert heat[0] > heat[1] > heat[2] == heat[3] == 0.0
    assert "round in circles" in model.requests[2][1].content


def test_who_makes_no_calls_and_goes_round_in_circles_is_asked_for_single_lines():
    model = Model([SAME, json.dumps({"instead": ["return a", "return a + b"]})])
    trajectory = Recorded()
    assert run("tools", model, trajectory=trajectory).outcome is Outcome.PATCHED
    assert [event["stage"] for event in trajectory.of("prompt")] == ["draft", "instead"]


def test_the_same_end_again_is_a_circle_too():
    again = [tried(by_model(swap("a - b", f"a * {n}"), n), Verdict.FAILING, detail="x") for n in (1, 2, 3)]
    assert stuck(again) == 2
    assert stuck(again[:1]) == 0
    assert stuck([*again, tried(by_model(swap("a - b", "a")), Verdict.FAILING, detail="y")]) == 0


def hybrid(model, **more):
    # Single changes alone: what the search does with its time is told elsewhere.
    return run(
        "hybrid",
        model,
        files=PROJECTS["hopeless for the search"],
        search=SearchOptions(order=1, progress=False),
        **more,
    )


@pytest.mark.slow
def test_the_search_comes_first_and_a_model_sees_what_it_learned():
    assert run("hybrid", Model([])).first_plausible_turn == 0
    model = Model([code("[points, (limit, bonus)]", "grade(points, bonus, limit)")])
    result = hybrid(model)
    assert (result.outcome, result.first_plausible_turn) == (Outcome.PATCHED, 1)
    assert result.attempts > 30
    assert "in vain: " in asked(model)[0]


def test_after_its_share_of_the_time_the_search_waits_for_the_model_and_goes_on_after_it():
    model = Model([code("0", "grade(points, bonus, limit)")] * 2)
    result = hybrid(model, budget=Budget(attempts=2, seconds=60.0), clock=FakeClock(step=0.01))
    assert result.outcome in {Outcome.BUDGET_EXHAUSTED, Outcome.NO_PATCH}
    assert result.turns == 2


def test_a_model_that_is_not_to_be_had_costs_the_search_nothing():
    result = hybrid(Model([ModelUnavailable("no such host")]))
    assert result.outcome is Outcome.NO_PATCH
    assert result.reason.endswith("no model answered any more: no such host")
    assert result.attempts > 30


def opinion(repairs, reason="it multiplies"):
    return json.dumps({"reason": reason, "repairs": repairs})


VETO, NO = ModelOptions(critic=Critic.VETO), opinion(repairs=False)


def test_a_veto_goes_back_with_its_reason():
    model = Model([WRONG, NO, RIGHT])
    result = run("reflect", model, model=VETO)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, 2)
    assert "does not believe in it: it multiplies" in asked(model)[2]


def test_a_critic_that_always_says_no_cannot_block_a_repair():
    assert run("reflect", Model([RIGHT, NO, RIGHT]), model=VETO).attempts == 2
    ever = Model(
        [WRONG, NO, code("b"), code("a"), NO, code("b * b"), code("a * a"), NO, code("a / 1"), RIGHT]
    )
    assert run("reflect", ever, model=VETO, budget=Budget(attempts=9)).outcome is Outcome.PATCHED
    assert run("reflect", Model([RIGHT]), model=VETO, budget=Budget(attempts=1)).outcome is Outcome.PATCHED


@every_case("said", ["", "hm", "{}", opinion(repairs=True), "repairs?", ModelUnavailable("gone")])
def test_what_the_critic_says_is_no_veto_unless_it_is_one(said):
    result = run("reflect", Model([RIGHT, said]), model=VETO)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, 1)
