"""A request is answered at once, and the answer says how it goes and how it ended."""

import json

import pytest
from fakes.action import SHUTDOWN, act, shop
from fakes.github import Fault
from fakes.progress import FakeProgress

from bot.action.acknowledge import EDIT_SECONDS, LiveAnswer
from bot.errors import GitHubError

pytestmark = pytest.mark.bubblewrap


def request(place, directory, payload, **inputs):
    return act(place, directory, "issue_comment", payload=payload, **inputs)


def test_a_request_is_seen_and_answered_once(github, tmp_path):
    place = shop(github)
    payload = place.ask()
    for name in ("one", "two"):
        ran = request(place, tmp_path / name, payload, mode="acknowledge", time_budget="10m")
        assert (ran.status, ran.outputs["outcome"]) == (0, "skipped"), ran.log
    assert place.pull.comments[0].reactions == {"eyes"}
    _, answer = place.comments
    assert "Regreen looks for a patch, for at most 10 min once the environment is built." in answer
    assert f"/octo/app/actions/runs/{place.own_run.id})" in answer
    assert not github.seen("GET", "tarball")


def test_the_answer_comes_where_the_reaction_is_refused(github, tmp_path):
    place = shop(github)
    github.fail("POST", "/reactions", Fault(status=403), times=-1)
    assert request(place, tmp_path, place.ask(), mode="acknowledge").status == 0
    assert len(place.comments) == 2


def test_the_job_that_publishes_says_in_the_answer_how_it_ended(github, tmp_path):
    place = shop(github, log=SHUTDOWN)
    payload = place.ask()
    request(place, tmp_path / "first", payload, mode="acknowledge")
    proposed = request(place, tmp_path / "run", payload, mode="propose", sandbox="docker")
    assert proposed.outputs["publish"] == "true"
    assert json.loads((tmp_path / "run/workspace/regreen-proposal.json").read_text())["outcome"] == "not_code"
    assert request(place, tmp_path / "run", payload, mode="publish").status == 0
    _, answer, note = place.comments
    assert "Regreen found no patch. [The comment says why](" in answer
    assert "regreen:state" in note


@pytest.mark.parametrize("modes", [("repair",), ("publish",), ("acknowledge", "publish")])
def test_where_there_is_nothing_to_repair_the_answer_says_why(github, tmp_path, modes):
    place = shop(github, branch="regreen/fix-1-aaaaaaaa")
    payload = place.ask()
    for mode in modes:
        ran = request(place, tmp_path / mode, payload, mode=mode)
        assert (ran.status, ran.outputs["outcome"]) == (0, "skipped"), ran.log
    _, answer = place.comments
    assert "one of Regreen's own" in answer
    assert "at most" not in answer


@pytest.mark.slow
def test_in_one_job_the_answer_says_how_far_the_repair_is(github, repair, monkeypatch):
    monkeypatch.setattr("bot.action.acknowledge.EDIT_SECONDS", 0.0)
    place = shop(github)
    ran = repair(place, "issue_comment", payload=place.ask())
    assert ran.outputs["delivery"] == "suggestion", ran.log
    assert place.pull.comments[0].reactions == {"eyes"}
    said = [one.body for one in github.requests if one.method == "PATCH" and "issues/comments" in one.path]
    assert any("Regreen is at work: search" in str(body) for body in said)
    (answer,) = [body for body in place.comments if "regreen:answer" in body]
    assert "Regreen found a patch. [Here it is](" in answer


def test_an_edit_comes_every_fifteen_seconds_at_most_and_holds_nothing_untrusted():
    inner, said, now = FakeProgress(), [], [0.0]
    live = LiveAnswer(inner=inner, say=said.append, seconds=300, clock=lambda: now[0])
    live.stage("log", "evil @octocat")
    for now[0] in map(float, range(40)):
        live.tick(attempts=int(now[0]) * 100, detail="evil @octocat")
    assert (EDIT_SECONDS, len(inner.ticks), inner.stages) == (15.0, 40, [("log", "evil @octocat")])
    assert said == [
        "Regreen is at work: log",
        "Regreen is at work: log, 1500 candidates tried, at most 5 min left",
        "Regreen is at work: log, 3000 candidates tried, at most 4 min left",
    ]


def test_where_github_refuses_an_edit_the_repair_goes_on_and_no_other_is_tried():
    inner, said, now = FakeProgress(), [], [0.0]

    def refuse(text):
        said.append(text)
        raise GitHubError("no")

    live = LiveAnswer(inner=inner, say=refuse, seconds=300, clock=lambda: now[0])
    for now[0] in (0.0, 100.0, 200.0):
        live.stage("search")
    assert (len(said), len(inner.stages)) == (1, 3)


def test_who_asks_hears_of_it_without_a_patch_too(github, tmp_path):
    place = shop(github, log=SHUTDOWN)
    assert request(place, tmp_path, place.ask()).status == 0
    assert len(place.comments) == 3  # the request, its answer and the comment
