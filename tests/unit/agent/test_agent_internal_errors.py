"""What a defect in a part of the loop costs: that part."""

import dataclasses

import pytest
from agent_support import (
    ALTERNATIVE,
    OTHER,
    RIGHT,
    TOTAL,
    attempt,
    baseline,
    both,
    by_model,
    failed_result,
    runtime,
    selected_and_minimised,
    state,
)

from bot.agent.model.briefing import brief
from bot.agent.nodes import localise as localising
from bot.choice import choose as choosing
from bot.domain import Suspicion
from bot.result import Basis
from sandbox.reports import Frame


def broken(*_given, **_named):
    raise LookupError("a defect of ours")


def of(defects):
    return [found.part for found in defects.found]


@pytest.mark.parametrize("name", ["callees", "bindings", "marks", "learned", "diff_of", "failure_of"])
def test_a_piece_of_a_briefing_that_raises_is_left_out(name, monkeypatch, outlived):
    suspicions = (Suspicion(path="shop.py", line=2, score=1.0),)
    context = runtime(strategy="react").context
    monkeypatch.setattr(brief, name, broken)
    shown = brief.brief_of(state(suspicions=suspicions), context, room=2000)
    assert shown.target is not None
    assert shown.failure.test
    assert len(outlived.found) == 1


def test_without_localisation_the_frames_are_left(monkeypatch, outlived):
    frame = Frame(path="shop.py", line=2, function="total")
    before = dataclasses.replace(baseline(), failing=(failed_result(TOTAL, frames=(frame,)),))
    monkeypatch.setattr(localising, "suspicious_lines", broken)
    update = localising.localise(state(baseline=before), runtime())
    assert (update["suspicions"][0].path, update["suspicions"][0].line) == ("shop.py", 2)
    assert len(outlived.found) == 1


def test_without_a_trace_the_frames_are_left(monkeypatch, outlived):
    run = runtime()
    monkeypatch.setattr(run.context.testbed, "run", broken)
    assert localising.localise(state(), run)["suspicions"] == ()
    assert of(outlived) == ["the traced run"]


def test_without_a_comparison_the_likeliest_patch_is_chosen(monkeypatch, outlived):
    monkeypatch.setattr(choosing, "rate", broken)
    monkeypatch.setattr("bot.agent.nodes.select.probe_request", broken)
    alternatives = tuple(
        attempt(dataclasses.replace(one, score=score)) for one, score in ((ALTERNATIVE, 0.2), (RIGHT, 0.7))
    )
    update = selected_and_minimised(state(plausible=alternatives), runtime())
    assert update["chosen"].candidate.patch == RIGHT.patch
    assert (update["choice"].basis, update["choice"].alternatives) == (Basis.LOOKS, 1)
    assert of(outlived) == ["the comparison of plausible patches", "the choice among plausible patches"]


def test_without_the_minimiser_the_patch_stays_whole(monkeypatch, outlived):
    monkeypatch.setattr("bot.agent.nodes.minimise.minimised", broken)
    large = attempt(by_model(both(RIGHT, OTHER)))
    update = selected_and_minimised(state(plausible=(large,)), runtime(strategy="react"))
    assert update["chosen"].candidate.patch == large.candidate.patch
    assert of(outlived) == ["the minimiser"]
