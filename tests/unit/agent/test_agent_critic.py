"""The critic: a ranker that is heard where looks alone would choose, or one that may refuse a patch."""

import json

from agent_support import RIGHT, attempt, baseline, runtime, swap
from every_case import every_case
from scripted_model import RIGHT as RIGHT_REPLY
from scripted_model import WRONG as WRONG_REPLY
from scripted_model import Model, asked, code, run

from bot.agent.model.critic import MAX_ALTERNATIVES, prefer
from bot.agent.nodes.select import select
from bot.agent.state import RepairState
from bot.domain import Usage
from bot.errors import ModelUnavailable
from bot.request import Budget, Critic, ModelOptions
from bot.result import Basis, Outcome

ALTERNATIVES = (attempt(RIGHT), attempt(swap("a - b", "abs(a) + b")))


def context(*models, critic=Critic.RANK):
    return runtime(backends=models, model=ModelOptions(critic=critic))


def state(plausible=ALTERNATIVES, **more):
    return RepairState(baseline=baseline(), plausible=tuple(plausible), drawn=9, **more)


@every_case(
    ("said", "number"),
    [
        ('{"choice": 2}', 1),
        ("2", 1),
        ("The first: 1.", 0),
        ('{"choice": 3}', None),
        ("0", None),
        ("none", None),
    ],
)
def test_a_number_is_a_choice_if_there_is_such_a_alternative(said, number):
    assert prefer(ALTERNATIVES, state(), context(Model([said])).context).preferred == number


def test_only_a_few_alternatives_are_shown_as_numbered_changes():
    many = [attempt(swap("a - b", f"a + b + {n}")) for n in range(9)]
    model = Model(["1"])
    prefer(many, state(), context(model).context)
    prompt = model.requests[0][-1].content
    assert f"{MAX_ALTERNATIVES}.\n```diff" in prompt
    assert f"{MAX_ALTERNATIVES + 1}." not in prompt
    assert model.options[0].schema["properties"]["choice"]["enum"] == list(range(1, MAX_ALTERNATIVES + 1))


def test_the_critic_is_not_asked_once_the_tokens_are_used_up():
    model = Model(["2"])
    spent = Budget().tokens
    found = select(state(usage=Usage(calls=1, prompt_tokens=spent)), context(model))
    assert (found["chosen"], model.requests) == (select(state(), context(critic=Critic.OFF))["chosen"], [])
    select(state(usage=Usage(calls=1, prompt_tokens=spent - 1)), context(model))
    assert len(model.requests) == 1


def test_the_critic_chooses_where_looks_alone_would():
    alone = select(state(), context(critic=Critic.OFF))
    assert alone["choice"].basis is Basis.LOOKS
    other = next(
        alternative for alternative in ALTERNATIVES if alternative.candidate != alone["chosen"].candidate
    )
    run = context(Model([json.dumps({"choice": 2})], "judge"))
    heard = select(state(), run)
    assert heard["chosen"].candidate.patch == other.candidate.patch
    assert heard["choice"].reason.endswith("judge prefers this one")
    assert heard["choice"].ambiguous  # an opinion is no evidence
    assert heard["usage"].calls == 1


@every_case("models", [[], [Model([ModelUnavailable("gone")])], [Model(["hm"])]])
def test_without_an_answer_the_choice_stays(models):
    alone = select(state(), context(critic=Critic.OFF))
    heard = select(state(), context(*models))
    assert (heard["chosen"], heard["choice"]) == (alone["chosen"], alone["choice"])


def test_an_only_patch_is_not_talked_about():
    model = Model(["1"])
    select(state(ALTERNATIVES[:1]), context(model))
    assert model.requests == []


# The critic that may say no before a patch runs.


def opinion(repairs, reason="it multiplies"):
    return json.dumps({"reason": reason, "repairs": repairs})


VETO, NO = ModelOptions(critic=Critic.VETO), opinion(repairs=False)


def test_a_veto_goes_back_with_its_reason():
    model = Model([WRONG_REPLY, NO, RIGHT_REPLY])
    result = run("reflect", model, model=VETO)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, 2)
    assert "does not believe in it: it multiplies" in asked(model)[2]


def test_a_critic_that_always_says_no_cannot_block_a_repair():
    right = RIGHT_REPLY
    assert run("reflect", Model([right, NO, right]), model=VETO).attempts == 2
    ever = Model(
        [WRONG_REPLY, NO, code("b"), code("a"), NO, code("b * b"), code("a * a"), NO, code("a / 1"), right]
    )
    assert run("reflect", ever, model=VETO, budget=Budget(attempts=9)).outcome is Outcome.PATCHED
    assert run("reflect", Model([right]), model=VETO, budget=Budget(attempts=1)).outcome is Outcome.PATCHED


@every_case("said", ["", "hm", "{}", opinion(repairs=True), "repairs?", ModelUnavailable("gone")])
def test_what_the_critic_says_is_no_veto_unless_it_is_one(said):
    result = run("reflect", Model([RIGHT_REPLY, said]), model=VETO)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, 1)
