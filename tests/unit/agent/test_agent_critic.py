"""The critic, which may refuse a model's patch before it runs."""

import json

from every_case import every_case
from scripted_model import RIGHT as RIGHT_REPLY
from scripted_model import WRONG as WRONG_REPLY
from scripted_model import Model, asked, code, run

from bot.errors import ModelUnavailable
from bot.request import Budget, Critic, ModelOptions
from bot.result import Outcome


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
