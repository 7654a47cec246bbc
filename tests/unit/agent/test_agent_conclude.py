"""The node that ends a run without a patch: it says why."""

from agent_support import (
    PATH,
    RIGHT,
    TOTAL,
    runtime,
    state,
)
from every_case import every_case

from bot.agent.nodes.conclude import conclude
from bot.domain import Suspicion
from bot.request import Budget
from bot.result import Outcome

SUSPECT = (Suspicion(path=PATH, line=2, score=1.0),)


@every_case(
    ("more", "outcome", "reason"),
    [
        (
            {"attempts": 9, "suspicions": SUSPECT},
            Outcome.BUDGET_EXHAUSTED,
            "no verified patch: the limit of 9 attempts is reached",
        ),
        (
            {"attempts": 9, "suspicions": SUSPECT, "exhausted": True},
            Outcome.NO_PATCH,
            "none of 9 candidates makes the failing tests pass without breaking others",
        ),
        (
            {"attempts": 3, "suspicions": SUSPECT, "refuted": (RIGHT.patch,), "reason": "red again"},
            Outcome.NO_PATCH,
            "the patches found did not hold: red again",
        ),
        (
            {"exhausted": True},
            Outcome.NO_PATCH,
            f"no source line could be tied to the failing tests: {TOTAL}: AssertionError: two and two",
        ),
        ({"exhausted": True, "suspicions": SUSPECT}, Outcome.NO_PATCH, "the strategy proposed nothing"),
    ],
    ids=["budget", "exhausted", "refuted", "no suspicion", "no candidate"],
)
def test_conclude_says_why(more, outcome, reason):
    update = conclude(state(**more), runtime(budget=Budget(attempts=9)))
    assert (update["outcome"], update["reason"]) == (outcome, reason)
