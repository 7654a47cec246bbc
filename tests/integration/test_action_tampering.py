"""A proposal that was tampered with between the job that proposes and the one that publishes."""

import json

import pytest
from fakes.action import RIGHT, act, shop
from fakes.proposals import edit, proposal, published

from bot.delivery.proposal_parts import MAX_BYTES

FIXED = {"shop/prices.py": RIGHT}


def test_a_proposal_that_nobody_touched_is_published(github, tmp_path):
    place = shop(github)
    ran = published(place, tmp_path, proposal(place, FIXED))
    assert ran.outputs["delivery"] == "suggestion", ran.log


def elsewhere(path):
    return {"edits": [edit(path, 0, 0, b"x = 1\n")], "originals": [{"path": path, "sha256": None}]}


TAMPERED = {
    "another repository": {"repository": "octo/other"},
    "another pull request": {"pull": 4711},
    "another commit": {"head_sha": "0" * 40},
    "another branch": {"head_ref": "main"},
    "a workflow": elsewhere(".github/workflows/ci.yml"),
    "a path out of the repository": elsewhere("../../etc/cron.d/x.py"),
    "an absolute path": elsewhere("/etc/x.py"),
    "git's own files": elsewhere(".git/hooks/pre-commit"),
    "a test": elsewhere("tests/conftest.py"),
    "a diff that shows something else": {"diff": "--- a/README.md\n+++ b/README.md\n"},
    "no diff": {"diff": ""},
    "another original": {"originals": [{"path": "shop/prices.py", "sha256": "0" * 64}]},
    "an edit out of range": {"edits": [edit("shop/prices.py", 10**6, 10**6 + 1, b"+")]},
    "an edit that brings in a command": {
        "edits": [edit("shop/prices.py", 0, 0, b"import os;os.system('id')\n")]
    },
    "a field that nobody knows": {"command": "id"},
    "another version": {"version": 2},
    "no evidence": {"evidence": None},
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
def test_a_proposal_that_was_tampered_with_is_refused(github, tmp_path, change):
    place = shop(github)
    ran = published(place, tmp_path, proposal(place, FIXED, **change))
    assert ran.outputs.get("delivery", "none") == "none"
    assert ran.status == 5 or "the proposal is not for" in ran.outputs["reason"], ran.log
    assert place.writes == []


FOREIGN = {
    "another pull request": ({"pull": 4711}, "dev", "The proposal is not for"),
    "another commit": ({"head_sha": "0" * 40}, "dev", "The proposal is not for"),
    "refused": ({}, "dev", "The proposal is refused"),
    "by somebody who may not": ({}, "reader", "To have Regreen do something"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_was_not_checked_is_shown_nowhere(github, tmp_path, name):
    """The summary and the outputs called it a verified patch."""
    change, actor, why = FOREIGN[name]
    place = shop(github)
    diff = "--- a/.github/workflows/ci.yml\n+++ b/.github/workflows/ci.yml\n+on: pull_request_target\n"
    document = proposal(place, FIXED, **change, diff=diff, explanation="Trust me")
    ran = published(place, tmp_path, document, actor=actor)
    assert (ran.outputs["outcome"], ran.outputs["patch"], place.writes) == ("skipped", "", [])
    assert "Regreen found" not in ran.said
    assert "pull_request_target" not in ran.said
    assert "Trust me" not in ran.said
    assert why.lower() in ran.summary.lower().replace("`", "")


def test_a_proposal_that_a_person_has_to_read_is_a_comment_with_a_warning(github, tmp_path):
    """Its job gives no warning; the one that publishes finds it, and says so in the summary."""
    place = shop(github)
    ran = published(place, tmp_path, proposal(place, {"shop/prices.py": b"import tarfile\n" + RIGHT}))
    assert ran.outputs["delivery"] == "comment", ran.log
    assert "Read it before you apply it" in ran.summary
    assert "new use of tarfile" in ran.summary


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 10_000, b" " * (MAX_BYTES + 1)], ids=len
)
def test_what_is_no_proposal_is_refused(github, tmp_path, content):
    place = shop(github)
    ran = published(place, tmp_path, content)
    assert ran.status in {2, 5}
    assert "Traceback" not in ran.log
    assert place.writes == []


@pytest.mark.parametrize(
    "name", ["../outside.json", "/etc/hostname", "link.json", "directory/../../outside.json"]
)
def test_the_proposals_name_leads_nowhere_else(github, tmp_path, name):
    place = shop(github)
    (tmp_path / "workspace").mkdir()
    (tmp_path / "outside.json").write_text(json.dumps(proposal(place, FIXED)))
    (tmp_path / "workspace/link.json").symlink_to(tmp_path / "outside.json")
    ran = act(place, tmp_path, mode="publish", proposal=name)
    assert (ran.status, place.writes) == (2, [])
    assert "does not lie in the workspace" in ran.log


def test_a_patch_to_github_is_refused_whoever_proposes_it(github, tmp_path):
    place = shop(github, begin={".github/workflows/ci.yml": b"on: push\n"})
    ran = published(place, tmp_path, proposal(place, FIXED, **elsewhere(".github/actions/x.py")))
    assert ran.status == 5
    assert "protected" in ran.log
    assert place.writes == []
