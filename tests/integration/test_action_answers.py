"""A request is answered at once, and the answer says how it goes and how it ended."""

import json

import pytest
from fakes.action import SHUTDOWN, act, shop
from fakes.github import Fault

from bot.action.acknowledge import EDIT_SECONDS, LiveAnswer
from bot.errors import GitHubError

pytestmark = pytest.mark.bubblewrap


def asks(place, body="/regreen fix", *, user="dev"):
    comment = place.say(body, user=user)
    return comment, place.event("issue_comment", comment=comment, sender=user)


def acknowledge(place, directory, payload, **more):
    return act(place, directory, "issue_comment", payload=payload, mode="acknowledge", **more)


def test_a_request_is_seen_and_answered_once(github, tmp_path):
    place = shop(github)
    comment, payload = asks(place)
    for name in ("one", "two"):
        ran = acknowledge(place, tmp_path / name, payload, time_budget="10m")
        assert (ran.status, ran.outputs["outcome"]) == (0, "skipped"), ran.log
    assert comment.reactions == {"eyes"}
    _, answer = place.comments
    assert "Regreen looks for a patch, for at most 10 min once the environment is built." in answer
    assert f"/octo/app/actions/runs/{place.own_run.id})" in answer
    assert not github.seen("GET", "tarball")


@pytest.mark.parametrize(
    ("body", "user"), [("/regreen fix", "reader"), ("/regreen apply", "dev"), ("Thank you", "dev")]
)
def test_only_a_request_of_somebody_who_can_write_is_answered(github, tmp_path, body, user):
    place = shop(github)
    _, payload = asks(place, body, user=user)
    assert acknowledge(place, tmp_path, payload, actor=user).status == 0
    assert place.writes == []


def test_the_answer_comes_where_the_reaction_is_refused(github, tmp_path):
    place = shop(github)
    _, payload = asks(place)
    github.fail("POST", "/reactions", Fault(status=403), times=-1)
    assert acknowledge(place, tmp_path, payload).status == 0
    assert len(place.comments) == 2


def test_the_job_that_publishes_says_in_the_answer_how_it_ended(github, tmp_path):
    place = shop(github, log=SHUTDOWN)
    _, payload = asks(place)
    acknowledge(place, tmp_path / "first", payload)
    proposed = act(
        place, tmp_path / "run", "issue_comment", payload=payload, mode="propose", sandbox="docker"
    )
    assert proposed.outputs["publish"] == "true"
    assert json.loads((tmp_path / "run/workspace/regreen-proposal.json").read_text())["outcome"] == "not_code"
    assert act(place, tmp_path / "run", "issue_comment", payload=payload, mode="publish").status == 0
    _, answer, note = place.comments
    assert "Regreen found no patch. [The comment says why](" in answer
    assert "regreen:state" in note


def test_where_there_is_nothing_to_repair_the_answer_says_so(github, tmp_path):
    place = shop(github, branch="regreen/fix-1-aaaaaaaa")
    _, payload = asks(place)
    acknowledge(place, tmp_path / "first", payload)
    assert act(place, tmp_path / "then", "issue_comment", payload=payload, mode="publish").status == 0
    _, answer = place.comments
    assert "one of Regreen's own" in answer
    assert "at most" not in answer


@pytest.mark.slow
def test_in_one_job_the_answer_says_how_far_the_repair_is(github, tmp_path, project_environment, monkeypatch):
    monkeypatch.setattr("bot.action.acknowledge.EDIT_SECONDS", 0.0)
    place = shop(github)
    comment, payload = asks(place)
    python = project_environment / "bin/python"
    ran = act(place, tmp_path, "issue_comment", payload=payload, sandbox_python=python)
    assert ran.outputs["delivery"] == "suggestion", ran.log
    assert comment.reactions == {"eyes"}
    said = [one.body for one in github.requests if one.method == "PATCH" and "issues/comments" in one.path]
    assert any("Regreen is at work: search" in str(body) for body in said)
    answers = [body for body in place.comments if "regreen:answer" in body]
    assert len(answers) == 1
    assert "Regreen found a patch. [Here it is](" in answers[0]


class Heard:
    def __init__(self):
        self.stages, self.ticks, self.said, self.now = [], [], [], 0.0

    def stage(self, name, detail=""):
        self.stages.append((name, detail))

    def tick(self, *, attempts=None, detail=""):
        self.ticks.append((attempts, detail))


def test_an_edit_comes_every_fifteen_seconds_at_most_and_holds_nothing_untrusted():
    heard = Heard()
    live = LiveAnswer(inner=heard, say=heard.said.append, seconds=300, clock=lambda: heard.now)
    live.stage("log", "evil @octocat")
    for second in range(40):
        heard.now = float(second)
        live.tick(attempts=second * 100, detail="evil @octocat")
    assert (EDIT_SECONDS, len(heard.ticks), heard.stages) == (15.0, 40, [("log", "evil @octocat")])
    assert heard.said == [
        "Regreen is at work: log",
        "Regreen is at work: log, 1500 candidates tried, at most 5 min left",
        "Regreen is at work: log, 3000 candidates tried, at most 4 min left",
    ]


def test_where_github_refuses_an_edit_the_repair_goes_on_and_no_other_is_tried():
    heard = Heard()

    def refuse(text):
        heard.said.append(text)
        raise GitHubError("no")

    live = LiveAnswer(inner=heard, say=refuse, seconds=300, clock=lambda: heard.now)
    for heard.now in (0.0, 100.0, 200.0):
        live.stage("search")
    assert len(heard.said) == 1
    assert len(heard.stages) == 3


@pytest.mark.parametrize("mode", ["repair", "publish"])
def test_who_asks_for_what_cannot_be_is_told_why(github, tmp_path, mode):
    place = shop(github, branch="regreen/fix-1-aaaaaaaa")
    ran = act(place, tmp_path, "issue_comment", payload=asks(place)[1], mode=mode)
    assert (ran.status, ran.outputs["outcome"]) == (0, "skipped"), ran.log
    assert "one of Regreen's own" in place.comments[-1]


def test_who_asks_hears_of_it_without_a_patch_too(github, tmp_path):
    place = shop(github, log=SHUTDOWN)
    assert act(place, tmp_path, "issue_comment", payload=asks(place)[1]).status == 0
    assert len(place.comments) == 3  # the request, its answer and the comment


def test_a_comment_that_is_no_command_is_left_alone(github, tmp_path):
    place = shop(github)
    _, payload = asks(place, "> /regreen fix\nI would not.")
    ran = act(place, tmp_path, "issue_comment", payload=payload)
    assert (ran.status, ran.outputs["outcome"]) == (0, "skipped")
    assert place.writes == []
