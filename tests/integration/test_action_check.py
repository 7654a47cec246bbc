"""The check run of a repair: neutral, with annotations in the diff, and one of it for a head."""

import json

import pytest
from fakes.action import RIGHT, WRONG, granted, shop
from fakes.github import Fault
from fakes.github_markdown import read
from fakes.proposals import proposal, published

CODE = "shop/prices.py"
NAME = "Regreen repair"


@pytest.fixture
def place(github):
    return shop(github)


@pytest.fixture
def publish(github, tmp_path):
    """Publishes a proposal for the right price, changed by ``change``, with the right to write checks."""

    def run(place, change=None, *, token="", **more):
        document = proposal(place, {CODE: RIGHT}) | (change or {})
        allowed = github.world.actions_token({**granted("publish"), "checks": "write"})
        directory = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        found = {name: value for name, value in document.items() if value is not None}
        return published(place, directory, found, token=token or allowed, **more)

    return run


NONE = {"outcome": "no_patch", "evidence": None, "originals": [], "edits": [], "diff": ""}


def test_a_repair_is_a_neutral_check_run_with_its_lines_in_the_diff(place, publish):
    lines = [{"path": CODE, "first": 1, "last": 90}]
    found = {"culprit": "`net + tax` became `net - tax`", "culprit_lines": lines}
    ran = publish(place, {**found, "explanation": "`net - tax` becomes `net + tax`"})
    assert (ran.status, ran.outputs["delivery"]) == (0, "suggestion"), ran.log
    (check,) = place.repository.checks
    assert (check["name"], check["head_sha"], check["conclusion"]) == (NAME, place.head, "neutral")
    for said in ("+    return net + tax", ran.outputs["url"]):
        assert said in check["output"]["summary"]
    patch, culprit = check["annotations"]
    at = WRONG.splitlines().index(b"    return net - tax") + 1
    assert (patch["path"], patch["start_line"], patch["end_line"]) == (CODE, at, at)
    assert patch["message"] == "`net - tax` becomes `net + tax`"
    assert culprit["title"] == "Regreen: the culprit"
    assert culprit["end_line"] == at + 3  # the last line that the diff shows


def test_a_second_event_for_the_same_head_changes_the_one_check_run(place, publish):
    first = publish(place)
    writes = len(place.writes)
    again = publish(place)
    assert (first.status, again.status) == (0, 0), again.log
    assert "published before" in again.summary
    assert len(place.writes) == writes
    assert len(place.repository.checks) == 1


def test_without_a_patch_it_says_so_without_a_comment(place, publish):
    document = {**NONE, "reason": "1200 candidates, none passes"}
    ran = publish(place, document)
    assert (ran.status, ran.outputs["delivery"], place.comments) == (0, "none", []), ran.log
    (check,) = place.repository.checks
    assert (check["conclusion"], check["output"]["title"]) == ("neutral", "Regreen found no patch")
    assert "1200 candidates, none passes" in check["output"]["summary"]
    publish(place)
    publish(place, document)  # a proposal stands: what another job did not find changes nothing
    (check,) = place.repository.checks
    assert check["output"]["title"].startswith("Regreen found a patch")


def test_what_was_dismissed_is_not_shown(place, publish, repair):
    publish(place)
    repair(place, "issue_comment", payload=place.ask("/regreen dismiss"))
    ran = publish(place)
    assert ran.outputs["delivery"] == "none", ran.log
    (check,) = place.repository.checks
    assert check["output"]["title"] == "Regreen proposes nothing here"
    assert "net + tax" not in check["output"]["summary"]


def test_who_may_not_write_checks_delivers_as_before_and_says_so_once(place, publish, github):
    ran = publish(place, token=github.world.actions_token(granted("publish")))
    assert (ran.status, ran.outputs["delivery"]) == (0, "suggestion"), ran.log
    assert ran.log.count("`checks: write`") == 1
    assert "check run: none was written: the token lacks `checks: write`" in ran.log
    assert place.repository.checks == []
    assert not [one for one in place.writes if "check-runs" in one]


def test_a_check_run_that_fails_costs_nothing_else(place, publish, github):
    github.fail("POST", "/check-runs$", Fault(status=422))
    ran = publish(place)
    assert (ran.status, ran.outputs["delivery"]) == (0, "suggestion"), ran.log
    assert "check run: none was written: cannot write a check run" in ran.log


def test_nothing_is_written_where_delivery_is_none(place, publish):
    publish(place, delivery="none")
    assert place.writes == []


def test_a_verdict_and_a_repair_do_not_stand_for_each_other(place, publish):
    base = place.repository.branch_head("main")
    verdict = {**NONE, "judged": True, "base_sha": base, "reason": "the patch is refused"}
    for _ in range(2):
        publish(place, verdict, kind="workflow_dispatch", pull_request=place.pull.number)
        publish(place)
    found = sorted((check["name"], check["conclusion"]) for check in place.repository.checks)
    assert found == [("Regreen", "failure"), (NAME, "neutral")]


def test_markup_in_a_repair_is_nothing_but_text(place, publish):
    hostile = "@everyone <img src=x> </details> [a](https://evil.example)\u202e\n::error::no"
    lines = [{"path": CODE, "first": 1, "last": 2}, {"path": "../../etc/passwd", "first": 1, "last": 2}]
    publish(place, {**NONE, "reason": hostile, "culprit": hostile, "culprit_lines": lines})
    (check,) = place.repository.checks
    assert not read(check["output"]["summary"]).acted_upon
    (note,) = check["annotations"]
    assert note["path"] == CODE
    assert "\n" not in note["message"]
    assert "\u202e" not in json.dumps(check, ensure_ascii=False)
