"""Other examples, whole: by a schedule, by a label, at a line, with a model's jobs of their own."""

import pytest
import yaml
from fakes.action import SHUTDOWN
from workflows import copies
from workflows.machine import rights

pytestmark = [pytest.mark.docker, pytest.mark.slow]
DONE = "success"


def test_each_morning_what_fails_gets_one_suggestion(machine):
    place = machine.shop()
    workflow = copies.example("scheduled.yml")
    ended = machine.run(place, workflow, "schedule", {})
    assert ended.results == {"propose": DONE, "publish": DONE}, ended.log
    assert len(place.suggestions) == 1
    again = machine.run(place, workflow, "schedule", {})
    assert again.results == {"propose": DONE}, again.log
    assert "stands already" in again.jobs["propose"].outputs["reason"]


def test_where_the_search_finds_a_patch_a_workflow_with_a_model_asks_none(machine):
    """The jobs are the caller's own. The model's server cannot be reached from here."""
    place = machine.shop()
    workflow = copies.example("github-models.yml")
    asked = yaml.safe_load(workflow)["jobs"]["publish"]["permissions"]
    payload = {"inputs": {"pull-request": str(place.pull.number)}, "ref": "refs/heads/main"}
    ended = machine.run(place, workflow, "workflow_dispatch", payload, granted={"publish": rights(asked)})
    assert ended.results == {"propose": DONE, "publish": DONE}, ended.log
    assert list(machine.store.artifacts) == ["regreen-proposal-1"]
    assert ended.jobs["propose"].outputs["tokens"] == "0"
    assert ended.jobs["publish"].outputs["delivery"] == "suggestion"
    assert len(place.suggestions) == 1


def test_what_is_asked_by_a_label_is_answered_below(machine):
    place = machine.shop(log=SHUTDOWN)
    ended = machine.run(place, copies.example("comment-commands.yml"), "pull_request", place.label())
    assert ended.results == {"propose": DONE, "publish": DONE}, ended.log
    assert ended.jobs["propose"].outputs["outcome"] == "not_code"
    assert any("regreen:state" in comment for comment in place.comments)
    assert not machine.asked("acknowledge")


def test_what_is_asked_at_a_line_is_acknowledged_and_answered_below(machine):
    place = machine.shop(log=SHUTDOWN)
    payload = place.ask_at_line()
    payload["comment"]["author_association"] = "MEMBER"
    kind = "pull_request_review_comment"
    ended = machine.run(place, copies.example("comment-commands.yml"), kind, payload)
    assert ended.results == {"propose": DONE, "acknowledge": DONE, "publish": DONE}, ended.log
    assert ended.jobs["propose"].outputs["outcome"] == "not_code"
    assert any("regreen:state" in comment for comment in place.comments)
    assert machine.asked("acknowledge")


def test_a_comment_that_asks_for_nothing_starts_no_job(machine):
    place = machine.shop()
    assert machine.say(place, "Nice work!").results == {}
    assert place.writes == []
