"""A proposal that was tampered with between the job that proposes and the one that publishes."""

import base64
import hashlib
import json

import pytest
from fakes.action import WRONG, act, shop
from fakes.proposals import about

from bot.delivery.proposal import MAX_BYTES

DIFF = """\
diff --git a/shop/prices.py b/shop/prices.py
--- a/shop/prices.py
+++ b/shop/prices.py
@@ -1,5 +1,5 @@
 def with_tax(net, tax):
-    return net - tax
+    return net + tax
.
.
 def half(price):
""".replace("\n.", "\n ")


def proposal(place, **change):
    """A proposal with which nothing is wrong but what ``change`` says; None takes a field away."""
    at = WRONG.index(b"-")
    document = {
        **about(place, ["tests/test_prices.py::test_with_tax"]),
        "originals": [{"path": "shop/prices.py", "sha256": hashlib.sha256(WRONG).hexdigest()}],
        "edits": [
            {"path": "shop/prices.py", "start": at, "end": at + 1, "text": base64.b64encode(b"+").decode()}
        ],
        "diff": DIFF,
    }
    document |= change
    return {name: value for name, value in document.items() if value is not None}


def published(place, directory, document, **more):
    (directory / "workspace").mkdir(parents=True)
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    (directory / "workspace/regreen-proposal.json").write_bytes(text)
    return act(place, directory, mode="publish", **more)


def test_a_proposal_that_nobody_touched_is_published(github, tmp_path):
    place = shop(github)
    ran = published(place, tmp_path, proposal(place))
    assert ran.outputs["delivery"] == "suggestion", ran.log


def elsewhere(path):
    edit = {"path": path, "start": 0, "end": 0, "text": "eCA9IDEK"}
    return {"edits": [edit], "originals": [{"path": path, "sha256": None}]}


def inserted(code):
    text = base64.b64encode(code).decode()
    return {"edits": [{"path": "shop/prices.py", "start": 0, "end": 0, "text": text}]}


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
    "an edit out of range": {
        "edits": [{"path": "shop/prices.py", "start": 10**6, "end": 10**6 + 1, "text": "Kw=="}]
    },
    "an edit that brings in a command": inserted(b"import os;os.system('id')\n"),
    "an edit that leaves no Python": inserted(b"("),
    "an edit that quits": inserted(b"exit(0)\n"),
    "a field that nobody knows": {"command": "id"},
    "another version": {"version": 2},
    "no evidence": {"evidence": None},
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
def test_a_proposal_that_was_tampered_with_is_refused(github, tmp_path, change):
    place = shop(github)
    ran = published(place, tmp_path, proposal(place, **change))
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
    document = proposal(place, **change, diff=diff, explanation="Trust me")
    ran = published(place, tmp_path, document, actor=actor)
    assert (ran.outputs["outcome"], ran.outputs["patch"], place.writes) == ("skipped", "", [])
    assert "Regreen found" not in ran.said
    assert "pull_request_target" not in ran.said
    assert "Trust me" not in ran.said
    assert why.lower() in ran.summary.lower().replace("`", "")


def test_a_proposal_that_a_person_has_to_read_is_a_comment_with_a_warning(github, tmp_path):
    """Its job gives no warning; the one that publishes finds it, and says so in the summary."""
    place = shop(github)
    text = base64.b64encode(b"import tarfile\n").decode()
    document = proposal(place)
    document["edits"].append({"path": "shop/prices.py", "start": 0, "end": 0, "text": text})
    document["diff"] = DIFF.replace("-1,5 +1,5 @@\n", "-1,5 +1,6 @@\n+import tarfile\n")
    ran = published(place, tmp_path, document)
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
    (tmp_path / "outside.json").write_text(json.dumps(proposal(place)))
    (tmp_path / "workspace/link.json").symlink_to(tmp_path / "outside.json")
    ran = act(place, tmp_path, mode="publish", proposal=name)
    assert (ran.status, place.writes) == (2, [])
    assert "does not lie in the workspace" in ran.log


def test_a_patch_to_github_is_refused_whoever_proposes_it(github, tmp_path):
    place = shop(github, begin={".github/workflows/ci.yml": b"on: push\n"})
    ran = published(place, tmp_path, proposal(place, **elsewhere(".github/actions/x.py")))
    assert ran.status == 5
    assert "protected" in ran.log
    assert place.writes == []
