"""Several drafts in the first turn of a strategy with a model."""

from dataclasses import replace

import pytest
from agent_support import attempt, by_model, runtime, swap
from every_case import every_case
from scripted_model import RIGHT, WRONG, Model, asked, code, run

from bot.agent.state import RepairState
from bot.agent.strategies.turn import begin
from bot.domain import Suspicion, Verdict
from bot.request import Budget, ModelOptions
from bot.result import Outcome


def test_further_drafts_of_one_shot_are_asked_for_by_the_same_question_until_one_passes():
    model = Model([WRONG, WRONG, RIGHT, RIGHT])
    result = run("single", model, model=ModelOptions(drafts=4))
    assert (result.outcome, result.attempts, result.turns) == (Outcome.PATCHED, 3, 1)
    assert len(set(asked(model))) == 1
    assert [options.temperature for options in model.options] == pytest.approx([0.0, 0.4, 0.5])
    result = run("single", Model([WRONG] * 5), model=ModelOptions(drafts=4))
    assert (result.outcome, result.attempts) == (Outcome.NO_PATCH, 4)


def test_several_drafts_are_counted_and_end_with_the_first_plausible_one():
    model = Model([WRONG, code("b"), code("a"), RIGHT])
    options = ModelOptions(drafts=3)
    result = run("reflect", model, budget=Budget(attempts=2), model=options)
    assert (result.outcome, result.attempts, result.first_plausible_turn) == (Outcome.PATCHED, 4, 2)
    assert len(set(asked(model)[:3])) == 1  # for the cache
    assert len({options.seed for options in model.options}) == 4
    exhausted = run("reflect", Model([WRONG] * 9), budget=Budget(attempts=2), model=options)
    assert (exhausted.attempts, exhausted.turns) == (4, 2)


@every_case("strategy", ["react", "reflect", "tools"])
def test_each_strategy_begins_with_the_drafts_that_one_shot_asks_for(strategy):
    """So that none finds less than as many drafts without feedback do."""
    seen = []
    for name in ("single", strategy):
        model = Model([WRONG] * 12)
        run(name, model, budget=Budget(attempts=3), model=ModelOptions(drafts=4))
        seen.append(list(zip(model.requests, model.options, strict=True))[:4])
    assert len(seen[0]) == 4
    assert seen[0] == seen[1]


TWO = {"shop.py": "def first(a):\n    return a - 1\n\n\ndef second(a):\n    return first(a) - 1\n"}
"""Two functions, of which the first is a little more suspicious."""
SUSPICIONS = (Suspicion(path="shop.py", line=2, score=1.0), Suspicion(path="shop.py", line=6, score=0.8))


def test_drafts_go_through_the_suspicious_functions_and_a_later_turn_goes_on_with_the_nearest():
    context = runtime(files=TWO, strategy="reflect", model=ModelOptions(drafts=3)).context
    current, lines = RepairState(suspicions=SUSPICIONS), []
    for _ in range(4):
        begun = begin(current, context)
        lines.append((begun.turn, begun.suspicions[0].line))
        current = replace(begun, suspicions=SUSPICIONS)
    assert lines == [(1, 2), (1, 6), (1, 2), (2, 2)]
    near = swap("first(a) - 1", "first(a)", text=TWO["shop.py"])
    tried = (attempt(by_model(near), verdict=Verdict.FAILING, progress=0.5),)
    after = begin(replace(current, turn=1, drafted=3, history=tried), context)
    assert (after.turn, after.suspicions[0].line) == (2, 6)


def test_a_function_that_is_much_less_suspicious_is_asked_for_in_no_draft():
    context = runtime(files=TWO, strategy="reflect", model=ModelOptions(drafts=3)).context
    suspicions = (SUSPICIONS[0], replace(SUSPICIONS[1], score=0.4))
    second = begin(RepairState(suspicions=suspicions, turn=1, drafted=1), context)
    assert second.suspicions[0].line == 2
