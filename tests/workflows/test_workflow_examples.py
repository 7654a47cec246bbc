"""Other examples, whole: by a schedule, by a label, at a line, with a model's jobs of their own."""

import pytest
import yaml
from fakes.action import SHUTDOWN, Shop
from fakes.github.model import LineComment
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


def labelled(place: Shop) -> tuple[str, dict]:
    """Somebody sets the label."""
    return "pull_request", {
        **place.event("pull_request"),
        "action": "labeled",
        "label": {"name": "regreen"},
        "number": place.pull.number,
    }


def at_line(place: Shop) -> tuple[str, dict]:
    """Somebody asks at a line of the diff."""
    world = place.github.world
    comment = LineComment(
        id=world.id(),
        user=world.user("dev"),
        body="/regreen fix",
        created_at=world.now(),
        path="shop/prices.py",
        line=2,
        start_line=None,
        commit=place.head,
        hunk="",
        review=0,
    )
    place.pull.pull.line_comments.append(comment)
    said = {"id": comment.id, "body": comment.body, "user": {"login": "dev"}, "author_association": "MEMBER"}
    return "pull_request_review_comment", {
        **place.event("pull_request"),
        "action": "created",
        "comment": said,
        "number": place.pull.number,
    }


@pytest.mark.parametrize("ask", [labelled, at_line])
def test_what_is_asked_by_a_label_or_at_a_line_is_answered_below(machine, ask):
    place = machine.shop(log=SHUTDOWN)
    ended = machine.run(place, copies.example("comment-commands.yml"), *ask(place))
    acknowledged = {"acknowledge": DONE} if ask is at_line else {}
    assert ended.results == {"propose": DONE, **acknowledged, "publish": DONE}, ended.log
    assert ended.jobs["propose"].outputs["outcome"] == "not_code"
    assert any("regreen:state" in comment for comment in place.comments)
    assert bool(machine.asked("acknowledge")) is bool(acknowledged)


def test_a_comment_that_asks_for_nothing_starts_no_job(machine):
    place = machine.shop()
    assert machine.say(place, "Nice work!").results == {}
    assert place.writes == []
