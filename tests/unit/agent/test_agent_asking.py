"""What a model is asked within: its context, each limit of the budget, the next model where one is lost."""

import dataclasses
import json

import pytest
from agent_support import FILES, PATH, SOURCE, runtime
from every_case import every_case
from scripted_model import RIGHT, SAME, WRONG, Model, Recorded, asked, run

from bot.agent.model.asking import Question, ask
from bot.agent.state import RepairState
from bot.domain import Usage
from bot.errors import ContextOverflow, ModelUnavailable
from bot.ports import Completion, Message
from bot.request import Budget
from bot.result import Outcome


@pytest.mark.slow
def test_a_prompt_that_does_not_fit_is_shortened():
    padding = "".join(f"    a = a + {n} - {n}\n" for n in range(90))
    files = {**FILES, PATH: SOURCE.replace("    return a - b", f"{padding}    return a - b")}
    model = Model([ContextOverflow("too long"), ContextOverflow("too long"), RIGHT])
    run("reflect", model, files=files, budget=Budget(attempts=1))
    sizes = [len(prompt) for prompt in asked(model)]
    assert sizes[0] > sizes[1] > sizes[2]


def test_what_never_fits_ends_the_run_only_where_no_model_ever_answered():
    with pytest.raises(ContextOverflow):
        run("reflect", Model([ContextOverflow("too long")] * 9))
    result = run("reflect", Model([WRONG, *[ContextOverflow("too long")] * 9]))
    assert result.reason.endswith("no model answered any more: too long")


GONE = ModelUnavailable("gone")


@every_case(
    ("cheap", "strong", "counts"),
    [
        ([GONE], [RIGHT], (1, 1, 1)),
        ([SAME, SAME, SAME], [RIGHT], (3, 2, 1)),  # it is stuck
        ([SAME, SAME, WRONG, RIGHT], [GONE, RIGHT], (4, 4, 1)),
        ([SAME, SAME, WRONG], [ContextOverflow("too long"), RIGHT], (4, 3, 2)),  # the strong one's was small
    ],
)
def test_another_model_is_asked_where_one_is_lost_or_stuck(cheap, strong, counts):
    one, other, trajectory = Model(cheap), Model(strong, context_tokens=300), Recorded()
    result = run("reflect", one, other, trajectory=trajectory)
    assert result.outcome is Outcome.PATCHED
    assert (result.attempts, len(one.requests), len(other.requests)) == counts
    lost = [event["lost"] for event in trajectory.of("model") if "lost" in event]
    assert lost == [str(reply) for reply in (*cheap, *strong) if isinstance(reply, Exception)]


def test_a_cascade_of_which_nobody_is_left_ends_the_run():
    cheap, strong = Model([WRONG, WRONG], "cheap"), Model([], "strong")
    result = run("reflect", cheap, strong)
    assert result.reason.endswith("no model answered any more: the script is over")


def test_everything_is_told_to_the_trajectory():
    trajectory = Recorded()
    run("react", Model([WRONG, "plus", RIGHT]), trajectory=trajectory)
    assert [event["stage"] for event in trajectory.of("prompt")] == ["draft", "think", "patch"]
    assert trajectory.of("reply")[0]["text"] == WRONG
    verdicts = trajectory.of("verdict")
    assert [event["verdict"] for event in verdicts] == ["failing", "plausible"]
    assert [event["turn"] for event in verdicts] == [1, 2]
    assert "+    return a + b" in verdicts[1]["patch"]
    json.dumps(trajectory.events)


class Priced:
    """A model whose replies cost what they are told to."""

    context_tokens = 0

    def __init__(self, *costs, model="small"):
        self.model = model
        self.costs = list(costs)
        self.asked = []

    def complete(self, request):
        self.asked.append(request.max_tokens)
        usage = Usage(calls=1, prompt_tokens=90, completion_tokens=10, cost=self.costs.pop(0), seconds=2.0)
        return Completion(text="x", usage=usage, model=self.model)


def question(max_tokens=500):
    return Question(
        stage="patch", compose=lambda _: [Message(role="user", content="?")], max_tokens=max_tokens
    )


@every_case(
    ("budget", "usage", "words"),
    [
        (Budget(cost=0.5), Usage(cost=0.5), "the budget of 0.5 US dollars is used up"),
        (Budget(cost=0.5), Usage(cost=0.49), ""),
        (Budget(cost=0), Usage(cost=99.0), ""),
        (
            Budget(tokens=100),
            Usage(prompt_tokens=60, completion_tokens=40),
            "the budget of 100 tokens is used up",
        ),
        (Budget(tokens=0), Usage(prompt_tokens=10**9), ""),
    ],
)
def test_tokens_and_dollars_are_limited(budget, usage, words):
    context = runtime(strategy="react", budget=budget).context
    assert context.budget_reason(RepairState(usage=usage)) == words


def test_a_reply_may_be_no_longer_than_what_is_left():
    model = Priced(0.2, 0.2, 0.2)
    context = runtime(strategy="react", backends=[model], budget=Budget(tokens=300, cost=0.5)).context
    state = RepairState()
    for _ in range(3):
        state = dataclasses.replace(state, **ask(question(), state, context).update)
    # 300 tokens, then 200 of which a half is paid for at 500 a dollar, then what a reply needs at least
    assert model.asked == [300, 150, 50]


def test_what_each_model_cost_is_told_apart():
    small, large = Priced(0.1, 0.1), Priced(1.0, model="large")
    context = runtime(strategy="react", backends=[small, large]).context
    state = RepairState()
    for tier in (0, 1, 0):
        state = dataclasses.replace(state, tier=tier)
        state = dataclasses.replace(state, **ask(question(), state, context).update)
    costs = {model: (usage.calls, usage.cost, usage.seconds) for model, usage in state.usage_by_model}
    assert costs == {"small": (2, 0.2, 4.0), "large": (1, 1.0, 2.0)}
    assert state.usage.cost == pytest.approx(1.2)
