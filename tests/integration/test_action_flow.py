"""The Action against the stand-in for GitHub: from an event to what stands on the pull request.

One repair is made; what it proposes is published in many worlds, since equal histories have equal shas.
"""

import json

import pytest
from fakes.action import FLAKY, SHUTDOWN, WRONG, act, granted, shop
from fakes.github import serve
from fakes.proposals import published

pytestmark = pytest.mark.bubblewrap


@pytest.fixture(scope="module")
def proposed(tmp_path_factory, project_environment):
    """What ``mode: propose`` leaves for the red pull request: its run, and the proposal."""
    directory = tmp_path_factory.mktemp("propose")
    with serve() as server:
        place = shop(server)
        ran = act(
            place,
            directory,
            mode="propose",
            sandbox_python=project_environment / "bin/python",
            search_without="alternatives",
        )
        ran.writes = place.writes
    assert ran.status == 0, ran.log
    return ran, (directory / "workspace" / ran.outputs["proposal"]).read_bytes()


@pytest.fixture
def publish(proposed, tmp_path):
    """Publishes the proposal; ``change`` is what somebody did to it on its way."""

    def run(place, kind="workflow_run", *, change=None, **rest):
        document = json.loads(proposed[1])
        document |= {"head_sha": place.head, "head_ref": place.pull.pull.head_ref, "run_id": place.run.id}
        if change:
            change(document)
        directory = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        return published(place, directory, document, kind, **rest)

    return run


def test_proposing_finds_a_patch_and_writes_nothing_to_github(proposed):
    ran, proposal = proposed
    assert ran.outputs["outcome"] == "patched"
    assert "+    return net + tax" in ran.outputs["patch"]
    assert ran.outputs["url"] == ""
    assert int(ran.outputs["attempts"]) > 0
    assert float(ran.outputs["seconds"]) > 0
    assert (ran.outputs["tokens"], ran.outputs["delivery"]) == ("0", "none")
    assert "return net + tax" in ran.summary
    assert "::group::The verified patch" in ran.log
    assert ran.writes == []
    assert json.loads(proposal)["outcome"] == "patched"


def test_the_culprit_is_annotated_and_the_tests_are_called_what_they_were(proposed):
    ran, proposal = proposed
    found = json.loads(proposal)
    assert found["compared"]
    assert {one["before"] for one in found["failing"]} <= {"regression", "new test"}
    assert "| Before this change | " in ran.summary
    (culprit,) = found["culprit_lines"]
    (noted,) = [line for line in ran.log.splitlines() if line.startswith("::warning ")]
    assert f"file={culprit['path']}" in noted
    assert f"line={culprit['first']}," in noted
    assert "the culprit" in noted


def test_a_line_in_the_diff_becomes_a_suggestion_once(github, publish):
    place = shop(github)
    ran = publish(place)
    assert ran.status == 0, ran.log
    assert ran.outputs["delivery"] == "suggestion"
    (suggestion,) = place.suggestions
    assert "```suggestion\n    return net + tax\n```" in suggestion
    assert len(place.comments) == 1
    assert ran.outputs["url"].startswith("http")
    assert not place.own_branches
    again = publish(place)
    assert again.status == 0, again.log
    assert (len(place.suggestions), len(place.comments), len(place.fixes)) == (1, 1, 0)


def test_a_fork_is_not_repaired_unasked(github, publish, tmp_path):
    place = shop(github, fork="stranger")
    for ran in (act(place, tmp_path, mode="propose"), publish(place)):
        assert ran.status == 0
        assert "fork" in ran.outputs["reason"]
    assert place.writes == []
    assert not github.seen("GET", "tarball")


def test_a_fork_is_repaired_for_somebody_who_can_write(github, publish):
    place = shop(github, fork="stranger")
    ran = publish(place, "issue_comment", payload=place.ask(user="boss"), actor="boss")
    assert ran.outputs["delivery"] == "suggestion", ran.log
    assert len(place.suggestions) == 1
    assert not place.own_branches


def test_the_payload_is_not_believed_about_who_wrote_what(github, publish):
    place = shop(github)
    comment = place.say("Nice work!", user="stranger")
    payload = place.event("issue_comment", comment=comment, sender="boss")
    payload["comment"]["body"] = "/regreen fix"
    ran = publish(place, "issue_comment", payload=payload, actor="boss")
    assert "edited" in ran.outputs["reason"]
    assert place.writes == []


@pytest.mark.parametrize(
    ("log", "outcome", "cause"), [(SHUTDOWN, "not_code", "infrastructure"), (FLAKY, "flaky", "flaky")]
)
def test_what_is_not_the_codes_doing_is_told_in_the_summary_and_not_repaired(
    github, tmp_path, log, outcome, cause
):
    place = shop(github, log=log)
    ran = act(place, tmp_path, sandbox="docker")
    assert (ran.status, ran.outputs["outcome"]) == (0, outcome), ran.log
    assert cause in ran.outputs["reason"]
    assert ran.outputs["patch"] == ""
    assert place.writes == []
    assert len(ran.summary) > 50
    for name in ("one", "two"):  # where that is wanted, below the pull request too, once
        assert act(place, tmp_path / name, comment_on="always").status == 0
    assert len(place.comments) == 1


def test_options_come_from_the_base_branch_and_never_from_the_pull_request(github, publish):
    config = ".github/regreen.yml"
    change = {"shop/prices.py": WRONG, config: b"delivery: none\ncomment-on: never\n"}
    place = shop(github, begin={config: b"delivery: comment\n"}, change=change)
    ran = publish(place)
    assert ran.outputs["delivery"] == "comment", ran.log
    assert len(place.comments) == 1


def test_options_come_from_the_branch_where_a_tag_has_its_name(github, publish):
    config = ".github/regreen.yml"
    place = shop(github, begin={config: b"delivery: comment\n"})
    head = github.world.push(place.repository, "elsewhere", {config: b"delivery: commit\n"})
    github.world.move(place.repository, "refs/tags/main", head)
    assert publish(place).outputs["delivery"] == "comment"


@pytest.mark.parametrize(
    ("kind", "file", "said"),
    [
        (
            "workflow_run",
            b"\ndelivery: pigeon\n",
            "::.github/regreen.yml:2: delivery: 'pigeon' is not one of",
        ),
        ("workflow_dispatch", b"", "pull-request, run-id and branch"),
    ],
    ids=["a mistake in the file", "by hand nothing is named"],
)
def test_what_cannot_be_configured_is_named(github, tmp_path, kind, file, said):
    ran = act(shop(github, begin={".github/regreen.yml": file}), tmp_path, kind)
    assert ran.status == 2
    assert said in ran.log


def test_apply_dismiss_and_explain_below_the_pull_request(github, publish, tmp_path):
    place = shop(github)
    publish(place)
    for number, command in enumerate(("explain", "apply")):
        payload = place.ask(f"/regreen {command}")
        ran = act(place, tmp_path / f"command-{number}", "issue_comment", payload=payload)
        assert ran.status == 0, ran.log
    assert ran.outputs["delivery"] == "commit"
    assert "The patch was committed onto the branch. [Here it is](https://" in ran.summary
    assert b"net + tax" in place.content("feature", "shop/prices.py")
    assert any("Executed" in body or "suspicious" in body for body in place.comments[1:])
    again = place.ask("/regreen dismiss")
    assert act(place, tmp_path / "again", "issue_comment", payload=again).status == 0


def test_a_schedule_finds_what_fails_and_leaves_what_has_its_answer(github, publish, tmp_path):
    place = shop(github)
    assert publish(place, "schedule").outputs["delivery"] == "suggestion"
    ran = act(place, tmp_path / "next", "schedule")
    assert "stands already" in ran.outputs["reason"]


def test_nothing_published_is_a_failure_that_keeps_the_patch(github, publish):
    place = shop(github)
    ran = publish(place, token=github.world.actions_token(granted("propose")))
    assert ran.status != 0
    assert "pull-requests: write" in ran.log
    assert "return net + tax" in ran.summary
    assert "return net + tax" in ran.outputs["patch"]


def test_without_a_proposal_there_is_nothing_to_publish(github, tmp_path):
    place = shop(github)
    ran = act(place, tmp_path, mode="publish")
    assert (ran.status, ran.outputs["outcome"]) == (0, "skipped")
    assert place.writes == []
