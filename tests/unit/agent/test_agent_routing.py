"""The edges: where to go next; and the node that ends a run without a patch: it says why."""

from dataclasses import replace
from functools import partial

from agent_support import PATH, RIGHT, TOTAL, WRONG, attempt, by_model, runtime, state, swap
from every_case import every_case

from bot.agent import routing
from bot.agent.nodes.conclude import conclude
from bot.agent.state import RepairState
from bot.choice.choose import looks
from bot.choice.doubts import FEW_NEIGHBOURS
from bot.domain import Baseline, RuledOut, Suspicion
from bot.request import Budget, SearchOptions
from bot.result import Outcome

FOUND = (attempt(RIGHT),)
BY_MODEL = (attempt(by_model(RIGHT)),)
MANY = tuple(attempt(swap("a - b", f"a + b + {n}")) for n in range(routing.PLAUSIBLE_LIMIT))
AROUND = RepairState(plausible=FOUND, looked_around=True)
LATER = replace(AROUND, first_plausible_at=0.0, last_plausible_at=3.0)
TRIED_NEAR = RepairState(plausible=FOUND, ruled_out=RuledOut(near=FEW_NEIGHBOURS))


def after(route, state, *, spent=False, **more):
    """Where ``route`` leads from ``state`` to, where the budget is ``spent`` or not."""
    context = runtime(budget=Budget(seconds=100, attempts=0), **more).context
    context.stopwatch.earlier = 101.0 * spent
    return route(state, context)


def test_unless_over():
    onward = partial(routing.unless_over, following=["localise", "rehearse"])
    assert after(onward, RepairState()) == ["localise", "rehearse"]
    assert after(onward, RepairState(), spent=True) == "conclude"
    assert after(onward, RepairState(outcome=Outcome.FLAKY), spent=True) == "__end__"
    assert after(routing.after_outdated, RepairState()) == "propose"
    assert after(routing.after_outdated, RepairState(outcome=Outcome.NOT_CODE)) == "__end__"


@every_case(
    ("state", "strategy", "spent", "expected"),
    [
        (RepairState(), "search", False, "propose"),
        (RepairState(), "react", False, "propose"),
        (RepairState(), "search", True, "conclude"),
        (RepairState(exhausted=True), "search", False, "conclude"),
        (RepairState(plausible=BY_MODEL, first_plausible_at=0.0), "react", False, "select"),
        (RepairState(plausible=BY_MODEL, first_plausible_at=0.0), "hybrid", False, "select"),
        (RepairState(plausible=FOUND, first_plausible_at=0.0), "hybrid", False, "propose"),
        (RepairState(plausible=FOUND, first_plausible_at=0.0, elapsed=0.5), "search", False, "propose"),
        (RepairState(plausible=FOUND, first_plausible_at=0.0, elapsed=2.0), "search", False, "propose"),
        (RepairState(plausible=FOUND, first_plausible_at=0.0, elapsed=20.0), "search", False, "select"),
        (replace(AROUND, first_plausible_at=0.0, elapsed=3.9), "search", False, "propose"),
        (replace(AROUND, first_plausible_at=0.0, elapsed=4.0), "search", False, "select"),
        (replace(TRIED_NEAR, first_plausible_at=0.0, elapsed=4.0), "search", False, "select"),
        (
            replace(LATER, elapsed=6.9),
            "search",
            False,
            "propose",
        ),
        (
            replace(LATER, elapsed=7.0),
            "search",
            False,
            "select",
        ),
        (
            replace(LATER, last_plausible_at=12.0, elapsed=12.0),
            "search",
            False,
            "select",
        ),
        (replace(AROUND, first_plausible_at=45.0, elapsed=59.0), "search", False, "propose"),
        (replace(AROUND, first_plausible_at=45.0, elapsed=60.0), "search", False, "select"),
        (RepairState(plausible=FOUND, first_plausible_at=0.0), "search", True, "select"),
        (RepairState(plausible=FOUND, first_plausible_at=0.0, exhausted=True), "search", False, "select"),
        (RepairState(plausible=MANY, first_plausible_at=0.0), "search", False, "select"),
        (RepairState(plausible=MANY[1:], first_plausible_at=0.0), "search", False, "propose"),
        (RepairState(plausible=FOUND, refuted=(RIGHT.patch,)), "react", False, "propose"),
        (RepairState(plausible=FOUND, refuted=(RIGHT.patch,)), "react", True, "conclude"),
    ],
)
def test_after_evaluate(state, strategy, spent, expected):
    assert after(routing.after_evaluate, state, spent=spent, strategy=strategy) == expected


def test_a_proof_that_takes_long_is_not_kept_waiting_for_alternatives():
    found = RepairState(plausible=FOUND, first_plausible_at=61.0, elapsed=61.5)
    slow = replace(found, baseline=Baseline(seconds=90.0))
    assert after(routing.after_evaluate, slow) == "select"
    assert after(routing.after_evaluate, replace(found, baseline=Baseline(seconds=1.0))) == "propose"
    assert after(routing.after_evaluate, replace(slow, plausible=())) == "propose"
    context = runtime(budget=Budget(seconds=100)).context
    subject = (RIGHT.patch, slow.baseline)
    context.early.begin_for(subject, looks(FOUND[0], context.sources), lambda _needed: None)
    assert routing.after_evaluate(slow, context) == "propose"


def test_without_alternatives_the_first_plausible_patch_is_enough():
    state = RepairState(plausible=FOUND, first_plausible_at=0.0)
    search = SearchOptions(alternatives=False)
    assert after(routing.after_evaluate, state, search=search) == "select"
    assert after(routing.after_evaluate, RepairState(), search=search) == "propose"


@every_case(
    ("state", "spent", "expected"),
    [
        (RepairState(outcome=Outcome.PATCHED, plausible=FOUND), False, "__end__"),
        (RepairState(plausible=(*FOUND, attempt(WRONG)), refuted=(RIGHT.patch,)), True, "select"),
        (RepairState(plausible=FOUND, refuted=(RIGHT.patch,)), False, "propose"),
        (RepairState(plausible=FOUND, refuted=(RIGHT.patch,)), True, "conclude"),
        (RepairState(plausible=FOUND, refuted=(RIGHT.patch,), exhausted=True), False, "conclude"),
    ],
)
def test_after_validate(state, spent, expected):
    assert after(routing.after_validate, state, spent=spent) == expected


def test_standing_counts_what_is_not_refuted():
    state = RepairState(plausible=(*FOUND, attempt(WRONG)), refuted=(WRONG.patch, WRONG.patch))
    assert routing.standing(state) == 1


SUSPECT = (Suspicion(path=PATH, line=2, score=1.0),)
NINE = {"attempts": 9, "suspicions": SUSPECT}
REPAIRS_ALONE = "makes the failing tests pass without breaking others"


@every_case(
    ("more", "outcome", "reason"),
    [
        (NINE, Outcome.BUDGET_EXHAUSTED, "no verified patch: the limit of 9 attempts is reached"),
        ({**NINE, "exhausted": True}, Outcome.NO_PATCH, f"none of 9 candidates {REPAIRS_ALONE}"),
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
        (
            {"exhausted": True, "suspicions": SUSPECT},
            Outcome.NO_PATCH,
            f"the strategy proposed nothing: {TOTAL}: AssertionError: two and two",
        ),
    ],
    ids=["budget", "exhausted", "refuted", "no suspicion", "no candidate"],
)
def test_conclude_says_why(more, outcome, reason):
    update = conclude(state(**more), runtime(budget=Budget(attempts=9)))
    assert (update["outcome"], update["reason"]) == (outcome, reason)
