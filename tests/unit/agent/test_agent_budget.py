"""Each limit ends what it limits, says so, and is asked about in one place."""

import dataclasses

import pytest
from agent_support import FakeClock, runtime
from every_case import every_case

from bot.agent.model.asking import Question, ask
from bot.agent.state import RepairState
from bot.domain import Usage
from bot.ports import Completion, Message
from bot.request import Budget


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


def test_time_is_limited_for_every_strategy():
    clock = FakeClock()
    for strategy in ("search", "react", "hybrid"):
        run = runtime(strategy=strategy, budget=Budget(seconds=10), clock=clock)
        assert not run.context.budget_reason(RepairState())
        run.context.stopwatch.earlier = 10
        assert (
            run.context.budget_reason(RepairState())
            == "the time budget of 10 s ended while reproducing the failure"
        )


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
