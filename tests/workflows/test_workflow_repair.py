"""The reusable workflow, whole: the examples call it for an event, and it runs on the stand-in for GitHub."""

import re

import pytest
from fakes.action import SHUTDOWN, TESTS, WRONG
from workflows import copies
from workflows.machine import GRANTED, rights, token_of

pytestmark = [pytest.mark.docker, pytest.mark.slow]
DONE = "success"
PUBLISHED = {"propose": DONE, "publish": DONE}
REQUESTED = {"propose": DONE, "acknowledge": DONE, "publish": DONE}


def test_a_failing_pull_request_gets_one_suggestion_which_is_explained_and_applied(machine):
    place = machine.shop()
    ended = machine.completed(place)
    assert ended.results == PUBLISHED, ended.log
    (suggestion,) = place.suggestions
    assert "```suggestion\n    return net + tax\n```" in suggestion
    (artifact,) = machine.store.artifacts
    assert re.fullmatch(r"regreen-proposal-[0-9a-f-]{36}", artifact)
    assert ended.jobs["propose"].outputs["outcome"] == "patched"
    assert ended.jobs["publish"].outputs["delivery"] == "suggestion"
    assert machine.asked("propose") == []
    (answer,) = place.comments
    assert "suggested in the review" in answer

    before = place.writes
    again = machine.completed(place)
    assert again.results == {"propose": DONE}, again.log
    assert place.writes == before
    assert list(machine.store.artifacts) == [artifact]

    ended = machine.say(place, "/regreen explain")
    assert ended.results == PUBLISHED, ended.log
    assert "suspicious" in place.comments[-1]

    ended = machine.say(place, "/regreen apply")
    assert ended.results == PUBLISHED, ended.log
    assert ended.jobs["publish"].outputs["delivery"] == "commit"
    assert b"net + tax" in place.content("feature", "shop/prices.py")
    assert list(machine.store.artifacts) == [artifact]


def test_a_fault_outside_of_the_diff_gets_a_pull_request_until_the_tests_pass(machine):
    begin = {"shop/prices.py": WRONG, "tests/test_prices.py": b"def test_nothing():\n    pass\n"}
    place = machine.shop(begin=begin, change={"tests/test_prices.py": TESTS})
    ended = machine.completed(place)
    assert ended.results == PUBLISHED, ended.log
    (fix,) = place.fixes
    assert (fix.pull.base_ref, fix.pull.draft, fix.state) == ("feature", True, "open")
    assert b"net + tax" in place.content(fix.pull.head_ref, "shop/prices.py")

    place.run.conclusion = "success"
    ended = machine.completed(place)
    assert ended.results == PUBLISHED, ended.log
    assert "CI passes" in place.comments[0]
    assert fix.state == "closed"
    assert place.own_branches == []

    before = place.writes
    ended = machine.completed(place)
    assert ended.results == {"propose": DONE}, ended.log
    assert place.writes == before


def test_a_fork_gets_nothing_unasked_and_a_suggestion_on_request(machine):
    place = machine.shop(fork="elsewhere")
    ended = machine.completed(place)
    assert ended.results == {"propose": DONE}, ended.log
    assert "fork" in ended.jobs["propose"].outputs["reason"]
    assert place.writes == []

    ended = machine.say(place, "/regreen fix", user="reader")
    assert ended.results == {"propose": DONE}, ended.log
    assert place.writes == []

    ended = machine.say(place, "/regreen fix", user="boss")
    assert ended.results == REQUESTED, ended.log
    assert ended.jobs["publish"].outputs["delivery"] == "suggestion"
    assert len(place.suggestions) == 1
    assert any("Regreen looks for a patch" in str(one.body) for one in machine.asked("acknowledge"))
    assert machine.asked("propose") == []

    ended = machine.say(place, "/regreen dismiss", user="boss")
    assert ended.results == PUBLISHED, ended.log
    assert '"status":"dismissed"' in "".join(place.comments)
    assert place.own_branches == []


def test_by_hand_with_a_token_that_only_reads_the_patch_is_in_the_summary(machine):
    place = machine.shop()
    readers = {job: dict.fromkeys(granted, "read") for job, granted in GRANTED.items()}
    inputs = {"pull-request": str(place.pull.number), "run-id": "", "branch": ""}
    ended = machine.run(
        place,
        copies.example("dispatch.yml"),
        "workflow_dispatch",
        {"inputs": inputs, "ref": "refs/heads/main"},
        granted=readers,
    )
    assert ended.results == {"propose": DONE, "publish": "failure"}, ended.log
    assert "pull-requests: write" in ended.log
    for job in ended.jobs.values():
        assert "return net + tax" in job.summary
    assert (place.suggestions, place.comments, place.own_branches) == ([], [], [])


def test_an_app_publishes_with_the_permissions_that_its_token_is_made_with(machine):
    place = machine.shop(log=SHUTDOWN, begin={".github/regreen.yml": b"comment-on: always\n"})
    (made,) = [
        one["with"] for one in copies.JOBS["publish"]["steps"] if "permission-contents" in one.get("with", ())
    ]
    asked = {name.removeprefix("permission-"): level for name, level in made.items() if "permission-" in name}
    machine.github.world.actions_token(rights(asked), value=token_of("app"), login="our-app[bot]")
    ended = machine.completed(place, example="app-token.yml")
    assert ended.results == PUBLISHED, ended.log
    (comment,) = place.pull.comments
    assert comment.user.login == "our-app[bot]"
    assert machine.asked("publish") == []
    assert "private-key-of-the-app" not in ended.log


def test_where_the_engine_does_not_know_the_workflows_commit_nothing_is_run(machine):
    place = machine.shop()
    ended = machine.completed(place, repair=copies.SOURCE)
    assert ended.results == {"propose": "failure"}
    assert "cannot check out unknown/job.workflow_repository" in ended.log
    assert [one for one in ended.jobs["propose"].steps if one == "Look for a patch"] == []
    assert place.writes == []
