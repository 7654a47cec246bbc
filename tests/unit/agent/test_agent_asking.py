"""What a model is asked within: its context, the budget, the next model where one is lost."""

import json

import pytest
from agent_support import FILES, PATH, SOURCE
from scripted_model import RIGHT, SAME, WRONG, Model, Recorded, asked, run

from bot.errors import ContextOverflow, ModelUnavailable
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


def test_the_next_model_is_asked_where_one_is_lost_or_stuck():
    cheap, strong = Model([ModelUnavailable("gone")], "cheap"), Model([RIGHT], "strong")
    trajectory = Recorded()
    assert run("reflect", cheap, strong, trajectory=trajectory).outcome is Outcome.PATCHED
    assert trajectory.of("model")[0]["lost"] == "gone"
    cheap, strong = Model([SAME, SAME, SAME], "cheap"), Model([RIGHT], "strong")
    result = run("reflect", cheap, strong)
    assert (result.attempts, len(cheap.requests), len(strong.requests)) == (3, 2, 1)


def test_the_cheap_model_goes_on_where_the_strong_one_is_lost():
    cheap = Model([SAME, SAME, WRONG, RIGHT], "cheap")
    strong = Model([ModelUnavailable("gone"), RIGHT], "strong")
    result = run("reflect", cheap, strong)
    assert (result.outcome, len(cheap.requests), len(strong.requests)) == (Outcome.PATCHED, 4, 1)


def test_a_model_whose_context_was_too_small_once_is_asked_again():
    cheap = Model([SAME, SAME, WRONG], "cheap")
    strong = Model([ContextOverflow("too long"), RIGHT], "strong", context_tokens=300)
    result = run("reflect", cheap, strong)
    assert (result.outcome, len(cheap.requests)) == (Outcome.PATCHED, 3)


def test_a_cascade_of_which_nobody_is_left_ends_the_run():
    cheap, strong = Model([WRONG, WRONG], "cheap"), Model([], "strong")
    result = run("reflect", cheap, strong)
    assert result.reason.endswith("no model answered any more: the script is over")


def test_everything_is_told_to_the_trajectory():
    trajectory = Recorded()
    run("react", Model(["plus", WRONG, "plus", RIGHT]), trajectory=trajectory)
    assert [event["stage"] for event in trajectory.of("prompt")] == ["think", "patch"] * 2
    assert [event["text"] for event in trajectory.of("reply")][1] == WRONG
    verdicts = trajectory.of("verdict")
    assert [event["verdict"] for event in verdicts] == ["failing", "plausible"]
    assert [event["turn"] for event in verdicts] == [1, 2]
    assert "+    return a + b" in verdicts[1]["patch"]
    json.dumps(trajectory.events)
