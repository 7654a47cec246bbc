"""The merge that CI tests, end to end on the stand-in: a failure that shows on no side alone.

The base has got a test since for what the pull request breaks. So the head's own tests pass.
"""

import json

import pytest
from fakes.action import FAILING_LOG, RIGHT, TESTS, WRONG, shop
from fakes.github_markdown import read
from fakes.proposals import published

from bot import compose
from bot.result import Outcome, RepairResult

pytestmark = pytest.mark.bubblewrap
HALF = TESTS.replace(b"import half, with_tax", b"import half").replace(
    b"def test_with_tax():\n    assert with_tax(100, 19) == 119\n\n\n", b""
)
TAX = b"from shop.prices import with_tax\n\n\ndef test_with_tax():\n    assert with_tax(100, 19) == 119\n"
LOG = FAILING_LOG.replace("tests/test_prices.py", "tests/test_tax.py")
SENTENCE = "The tests ran on the merge with the base `main` at `"


def merged(github, *, base=None, begin=None, **more):
    """The shop, whose base went on with ``base`` after the pull request had begun."""
    begin = {"tests/test_prices.py": HALF, **(begin or {})}
    place = shop(github, begin=begin, **{"log": LOG, **more})
    github.world.push(place.repository, "main", {"tests/test_tax.py": TAX, **(base or {})})
    return place


@pytest.mark.slow
def test_what_fails_on_the_merge_alone_is_repaired_on_the_heads_lines(github, repair):
    place = merged(github)
    ran = repair(place)
    assert ran.outputs["delivery"] == "suggestion", ran.log
    (suggestion,) = place.suggestions
    assert "```suggestion\n    return net + tax\n```" in suggestion
    (comment,) = place.comments
    assert SENTENCE in comment
    assert SENTENCE in ran.summary
    assert not read(comment).acted_upon
    assert "the tests ran on the merge with the base" in ran.outputs["reason"]
    assert place.head in json.dumps([one.body for one in github.requests if "/reviews" in one.path])


@pytest.mark.slow
def test_a_pull_request_with_the_fix_is_made_of_the_head_and_holds_nothing_of_the_base(github, repair):
    place = merged(github)
    ran = repair(place, delivery="pull-request")
    assert ran.outputs["delivery"] == "pull-request", ran.log
    (fix,) = place.fixes
    branch = fix.pull.head_ref
    objects = place.repository.objects
    assert objects.commits[place.repository.branch_head(branch)].parents == (place.head,)
    assert place.content(branch, "shop/prices.py") == RIGHT
    assert "tests/test_tax.py" not in objects.at(place.repository.branch_head(branch))
    assert SENTENCE in fix.body


@pytest.mark.slow
def test_a_file_that_the_base_has_changed_is_not_changed(github, repair):
    """The fault is the base's: the failure is older, and a patch would not be one to the head's file."""
    change = {"README.md": b"# Our shop\n"}
    place = merged(github, change=change, base={"shop/prices.py": WRONG})
    ran = repair(place, comment_on="always")
    assert ran.outputs["outcome"] == "not_code", ran.log
    assert "failed before this change as well" in ran.outputs["reason"]
    assert ran.outputs["patch"] == ""
    assert (place.suggestions, place.fixes) == ([], [])
    for page in (ran.outputs["reason"], place.comments[0]):
        assert "2 files differ from the head and were left alone" in page


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [
        ("workflow_run", {}),
        ("pull_request", {}),
        ("issue_comment", {}),
        ("workflow_dispatch", {"pull_request": 1}),
        ("workflow_dispatch", {"run_id": "the run"}),
        ("schedule", {}),
    ],
)
def test_whatever_sets_it_off_goes_the_same_way(github, repair, monkeypatch, kind, inputs):
    seen = []

    def fix(_settings, _progress, *, snapshot, origin):
        seen.append((origin.log, snapshot.files, origin))
        result = RepairResult(outcome=Outcome.NOT_REPRODUCED, reason="no")
        return compose.Repaired(result=result, snapshot=snapshot)

    monkeypatch.setattr("bot.action.attempts.compose.fix", fix)
    place = merged(github)
    if kind == "pull_request":
        place.own_run = place.run
    payload = place.ask() if kind == "issue_comment" else None
    inputs = {name: place.run.id if value == "the run" else value for name, value in inputs.items()}
    ran = repair(place, kind, payload=payload, mode="propose", **inputs)
    assert ran.status == 0, ran.log
    ((log, files, origin),) = seen
    assert log
    assert "tests/test_tax.py" in files
    assert origin.frozen == ("tests/test_tax.py",)
    assert (origin.job, origin.as_of) == ("test", "")
    assert place.writes == []


@pytest.fixture
def proposed(github, repair, tmp_path):
    """The pull request, and the proposal that is made for it."""
    place = merged(github)
    ran = repair(place, mode="propose")
    assert ran.outputs["outcome"] == "patched", ran.log
    (proposal,) = tmp_path.glob(f"*/workspace/{ran.outputs['proposal']}")
    return place, json.loads(proposal.read_bytes())


@pytest.mark.slow
def test_a_proposal_from_a_merge_is_checked_against_the_head(proposed, tmp_path):
    """What the job says of the merge is its word: the head's bytes decide, whatever it is."""
    place, document = proposed
    assert document["job"] == "test"
    assert document["notes"][0].startswith("the tests ran on the merge")
    document["originals"] = [{"path": "tests/test_tax.py", "sha256": None}]
    document["edits"] = [{**document["edits"][0], "path": "tests/test_tax.py"}]
    assert published(place, tmp_path / "tampered", document).status == 5
    assert place.writes == []


@pytest.mark.slow
def test_hostile_notes_of_a_proposal_do_nothing(proposed, tmp_path):
    place, document = proposed
    document["notes"] = ["@everyone <img src=x> #1 ![x](http://evil.example) \u202e::error::x"]
    document["job"] = "`@everyone` <!-- --> \x1b[31m"
    assert published(place, tmp_path / "hostile", document).status == 0
    assert not read(place.comments[0]).acted_upon
    assert "\u202e" not in place.comments[0]
