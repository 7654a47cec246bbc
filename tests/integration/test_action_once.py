"""One search per commit, and a job that can write only where there is something to write."""

import pytest
from fakes.action import act, shop

pytestmark = pytest.mark.bubblewrap


@pytest.fixture
def repaired(github, repair):
    """The pull request after one repair."""
    place = shop(github)
    ran = repair(place)
    assert ran.outputs["delivery"] == "suggestion", ran.log
    return place


def second_run(place):
    """The run of the same commit that another event started, such as ``push`` beside ``pull_request``."""
    world = place.github.world
    run = world.run(place.repository, place.head, branch="feature", event="push", pulls=(place.pull.number,))
    world.job(run, "test", log=place.run.jobs[-1].log)
    place.run = run


@pytest.mark.slow
def test_a_second_run_of_the_same_commit_is_not_searched(repaired, repair):
    second_run(repaired)
    for mode in ("propose", "repair"):
        ran = repair(repaired, mode=mode, proposal=f"{mode}/proposal.json")
        assert (ran.status, ran.outputs["outcome"]) == (0, "skipped"), ran.log
        assert "stands already" in ran.outputs["reason"]
        assert (ran.outputs["proposal"], ran.outputs["publish"]) == ("", "false")
        assert "sandbox: opening" not in ran.log
    assert (len(repaired.comments), len(repaired.suggestions)) == (1, 1)


@pytest.mark.slow
def test_other_settings_and_a_request_are_searched(repaired, repair):
    second_run(repaired)
    assert repair(repaired, mode="propose", max_attempts=7).outputs["attempts"] != "0"
    asked = repair(repaired, "issue_comment", payload=repaired.ask(), mode="propose")
    assert asked.outputs["outcome"] == "patched"


@pytest.mark.slow
def test_a_success_starts_a_job_that_writes_only_for_what_is_out_of_date(repaired, repair):
    repaired.run.conclusion = "success"
    ran = repair(repaired, mode="propose")
    assert (ran.outputs["outcome"], ran.outputs["publish"]) == ("skipped", "true"), ran.log
    assert repair(repaired, mode="publish").status == 0
    assert "CI passes" in repaired.comments[0]
    assert repair(repaired, mode="propose").outputs["publish"] == "false"


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


def test_a_pull_request_cannot_make_its_bot_trusted(github, tmp_path):
    config = ".github/regreen.yml"
    change = {"shop/prices.py": b"x = 1\n", config: b"trusted-bots: dependabot[bot]\n"}
    place = shop(github, begin={config: b"delivery: comment\n"}, change=change)
    bot = github.world.user("dependabot[bot]")
    place.pull.user = place.run.actor = place.run.triggering_actor = bot
    assert act(place, tmp_path, actor=bot.login).outputs["outcome"] == "skipped"
