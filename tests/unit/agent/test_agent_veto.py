"""The critic that may say no before a patch runs."""

import json

from every_case import every_case
from scripted_model import RIGHT, WRONG, Model, asked, code, run

from bot.errors import ModelUnavailable
from bot.request import Budget, Critic, ModelOptions
from bot.result import Outcome


def opinion(repairs, reason="it multiplies"):
    return json.dumps({"reason": reason, "repairs": repairs})


VETO = ModelOptions(critic=Critic.VETO)


def test_a_veto_goes_back_with_its_reason():
    model = Model([WRONG, opinion(repairs=False), RIGHT])
    result = run("reflect", model, model=VETO)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, 2)
    assert "does not believe in it: it multiplies" in asked(model)[2]


def test_a_critic_that_always_says_no_cannot_block_a_repair():
    model = Model([RIGHT, opinion(repairs=False), RIGHT])
    assert run("reflect", model, model=VETO).attempts == 2
    no = opinion(repairs=False)
    ever = Model(
        [WRONG, no, code("b"), code("a"), no, code("b * b"), code("a * a"), no, code("a / 1"), RIGHT]
    )
    result = run("reflect", ever, model=VETO, budget=Budget(attempts=9))
    assert result.outcome is Outcome.PATCHED
    assert run("reflect", Model([RIGHT]), model=VETO, budget=Budget(attempts=1)).outcome is Outcome.PATCHED


@every_case("said", ["", "hm", "{}", opinion(repairs=True), "repairs?"])
def test_what_the_critic_says_is_no_veto_unless_it_is_one(said):
    assert run("reflect", Model([RIGHT, said]), model=VETO).attempts == 1


def test_a_critic_that_is_lost_changes_nothing():
    model = Model([RIGHT, ModelUnavailable("gone")])
    assert run("reflect", model, model=VETO).outcome is Outcome.PATCHED
