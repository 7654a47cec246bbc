"""The reusable workflow, whole: the examples call it for an event, and it runs on the stand-in for GitHub."""

import re

import pytest

pytestmark = [pytest.mark.docker, pytest.mark.slow]
DONE = "success"


def test_a_failing_pull_request_gets_a_suggestion_once(machine):
    place = machine.shop()
    ended = machine.completed(place)
    assert ended.results == {"propose": DONE, "publish": DONE}, ended.log
    (suggestion,) = place.suggestions
    assert "```suggestion\n    return net + tax\n```" in suggestion
    assert len(place.comments) == 1
    (artifact,) = machine.store.artifacts
    assert re.fullmatch(r"regreen-proposal-[0-9a-f-]{36}", artifact)
    assert ended.jobs["propose"].outputs["outcome"] == "patched"
    assert ended.jobs["publish"].outputs["delivery"] == "suggestion"
    before = place.writes
    again = machine.completed(place)
    assert again.results == {"propose": DONE}, again.log
    assert place.writes == before
