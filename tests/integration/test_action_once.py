"""One search per commit, and a job that can write only where there is something to write."""

import pytest
from fakes.action import SHUTDOWN, act, shop

pytestmark = pytest.mark.bubblewrap


@pytest.fixture
def repaired(github, tmp_path, project_environment):
    """The pull request after one repair, and what runs the Action again with the same settings."""
    place = shop(github)

    def again(name, kind="workflow_run", **more):
        chosen = {"sandbox_python": project_environment / "bin/python", "search_without": "alternatives"}
        return act(place, tmp_path / name, kind, **{**chosen, **more})

    first = again("first")
    assert first.outputs["delivery"] == "suggestion", first.log
    return place, again


def second_run(place):
    """The run of the same commit that another event started, such as ``push`` beside ``pull_request``."""
    world = place.github.world
    run = world.run(place.repository, place.head, branch="feature", event="push", pulls=(place.pull.number,))
    world.job(run, "test", log=place.run.jobs[-1].log)
    place.run = run


@pytest.mark.slow
def test_a_second_run_of_the_same_commit_is_not_searched(repaired):
    place, again = repaired
    second_run(place)
    for mode in ("propose", "repair"):
        ran = again(mode, mode=mode, proposal=f"{mode}/proposal.json")
        assert (ran.status, ran.outputs["outcome"]) == (0, "skipped"), ran.log
        assert "stands already" in ran.outputs["reason"]
        assert (ran.outputs["proposal"], ran.outputs["publish"]) == ("", "false")
        assert "sandbox: opening" not in ran.log
    assert (len(place.comments), len(place.suggestions)) == (1, 1)


@pytest.mark.slow
def test_other_settings_and_a_request_are_searched(repaired):
    place, again = repaired
    second_run(place)
    assert again("settings", mode="propose", max_attempts=7).outputs["attempts"] != "0"
    payload = place.event("issue_comment", comment=place.say("/regreen fix"))
    assert again("asked", "issue_comment", payload=payload, mode="propose").outputs["outcome"] == "patched"


@pytest.mark.slow
def test_a_success_starts_a_job_that_writes_only_for_what_is_out_of_date(repaired, github, tmp_path):
    place, again = repaired
    place.run.conclusion = "success"
    ran = again("success", mode="propose")
    assert (ran.outputs["outcome"], ran.outputs["publish"]) == ("skipped", "true"), ran.log
    assert again("publish", mode="publish").status == 0
    assert "CI passes" in place.comments[0]
    assert again("later", mode="propose").outputs["publish"] == "false"


def test_a_success_without_any_proposal_needs_no_job_that_writes(github, tmp_path):
    place = shop(github)
    place.run.conclusion = "success"
    ran = act(place, tmp_path, mode="propose")
    assert (ran.status, ran.outputs["publish"]) == (0, "false"), ran.log
    assert place.writes == []


def test_a_proposal_of_an_app_is_seen_by_the_job_that_only_reads(github, tmp_path):
    """What the App published is not the work of the token that proposes: it is a hint all the same."""
    place = shop(github)
    state = f'{{"status":"delivered","head":"{place.head}","patch":"{"a" * 16}"}}'
    place.say(f"<!-- regreen:state:1 {state} -->", user="an-app")
    place.run.conclusion = "success"
    assert act(place, tmp_path, mode="propose").outputs["publish"] == "true"


@pytest.mark.parametrize(
    ("body", "who", "publish"),
    [
        ("/regreen apply", "dev", "true"),
        ("/regreen dismiss", "dev", "true"),
        ("/regreen fix", "dev", "true"),
        ("/regreen fix", "reader", "false"),
        ("Thank you", "dev", "false"),
    ],
)
def test_a_comment_needs_a_job_that_writes_where_it_gets_an_answer(github, tmp_path, body, who, publish):
    place = shop(github, log=SHUTDOWN)
    payload = place.event("issue_comment", comment=place.say(body, user=who), sender=who)
    ran = act(place, tmp_path, "issue_comment", payload=payload, actor=who, mode="propose")
    assert (ran.status, ran.outputs["publish"]) == (0, publish), ran.log
    assert place.writes == []


def test_a_pull_request_cannot_make_its_bot_trusted(github, tmp_path):
    config = ".github/regreen.yml"
    change = {"shop/prices.py": b"x = 1\n", config: b"trusted-bots: dependabot[bot]\n"}
    place = shop(github, begin={config: b"delivery: comment\n"}, change=change)
    bot = github.world.user("dependabot[bot]")
    place.pull.user = place.run.actor = place.run.triggering_actor = bot
    assert act(place, tmp_path, actor=bot.login).outputs["outcome"] == "skipped"
