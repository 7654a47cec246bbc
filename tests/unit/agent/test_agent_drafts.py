"""Several drafts in the first turn of a strategy with a model."""

import pytest
from every_case import every_case
from scripted_model import RIGHT, WRONG, Model, asked, code, run

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
