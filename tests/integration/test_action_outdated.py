"""A test that a pull request left behind: what it would expect is suggested if the base branch allows it."""

import hashlib
import json

import pytest
from fakes.action import FAILING_LOG, RIGHT, TESTS, act, shop
from fakes.github import serve
from fakes.proposals import edit, proposal, published

from bot.patch.apply import from_sources
from bot.patch.diff import unified_diff

pytestmark = pytest.mark.bubblewrap
FILE, CODE = "tests/test_prices.py", "shop/prices.py"
CONFIG = ".github/regreen.yml"
ALLOWED = {CONFIG: b"allow-test-changes: true\n"}
LABEL = "This changes what the test expects"
NEW = b"\n\ndef test_a_quarter():\n    assert half(16) == 4\n"
INTENDED = {CODE: RIGHT.replace(b"price / 2", b"price / 4"), FILE: TESTS + NEW}
LOG = FAILING_LOG.replace("with_tax - assert 81 == 119", "half - assert 2.0 == 4")
SUGGESTED = "```suggestion\n    assert half(8) == 2.0\n```"


def outdated(github, *, begin=ALLOWED, change=INTENDED):
    return shop(github, begin=begin, change=change, log=LOG)


@pytest.fixture
def run(tmp_path, project_environment):
    def repair(place, **inputs):
        directory = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        return act(place, directory, sandbox_python=project_environment / "bin/python", **inputs)

    return repair


@pytest.fixture(scope="module")
def proposed(tmp_path_factory, project_environment):
    """What ``mode: propose`` leaves where the base branch allows it."""
    directory = tmp_path_factory.mktemp("propose")
    with serve() as server:
        python = project_environment / "bin/python"
        ran = act(outdated(server), directory, mode="propose", sandbox_python=python)
    assert ran.status == 0, ran.log
    return json.loads((directory / "workspace" / ran.outputs["proposal"]).read_bytes())


@pytest.fixture
def publish(proposed, tmp_path):
    def run(place, *, change=(), **more):
        now = {"head_sha": place.head, "head_ref": place.pull.pull.head_ref, "run_id": place.run.id}
        directory = tmp_path / f"publish-{len(list(tmp_path.iterdir()))}"
        return published(place, directory, {**proposed, **now, **dict(change)}, **more)

    return run


def test_the_new_value_is_suggested_with_its_label_and_once(github, publish):
    place = outdated(github)
    for _ in range(2):
        ran = publish(place)
        assert ran.status == 0, ran.log
        assert (ran.outputs["outcome"], ran.outputs["delivery"]) == ("not_code", "none")
        assert ran.outputs["patch"] == ""
    (suggestion,) = place.suggestions
    assert f"**{LABEL}**" in suggestion
    assert SUGGESTED in suggestion
    (comment,) = place.comments
    assert f"**{LABEL}.**" in comment
    assert "+    assert half(8) == 2.0" in comment
    assert "### Regreen found nothing in the code to repair" in comment


@pytest.mark.parametrize("delivery", ["commit", "pull-request", "auto"])
def test_no_way_of_delivery_writes_it_to_a_branch(github, publish, delivery):
    place = outdated(github)
    head = place.head
    assert publish(place, delivery=delivery).outputs["delivery"] == "none"
    assert (place.head, place.fixes, place.own_branches) == (head, [], [])
    assert not [one for one in place.writes if "/git/" in one]
    assert len(place.suggestions) == 1


def test_a_comment_cannot_apply_it(github, publish, tmp_path):
    place = outdated(github)
    publish(place)
    head = place.head
    ran = act(place, tmp_path / "apply", "issue_comment", payload=place.ask("/regreen apply"))
    assert ran.status == 0, ran.log
    assert place.head == head
    assert ran.outputs["delivery"] == "none"


def test_nothing_is_published_with_delivery_none(github, publish):
    place = outdated(github)
    publish(place, delivery="none")
    assert place.suggestions == []
    assert LABEL not in "".join(place.comments)


def test_where_the_diff_does_not_show_the_test_the_comment_has_it(github, run):
    apart = {CODE: INTENDED[CODE], "tests/test_new.py": b"from shop.prices import half\n" + NEW}
    place = outdated(github, change=apart)
    ran = run(place)
    assert ran.status == 0, ran.log
    assert place.suggestions == []
    (comment,) = place.comments
    assert f"**{LABEL}.**" in comment
    assert "+    assert half(8) == 2.0" in comment


def test_it_is_taken_back_when_the_branch_moves_on(github, publish, tmp_path):
    place = outdated(github)
    publish(place)
    github.world.push(place.repository, "feature", {"more.py": b"x = 1\n"})
    ran = act(place, tmp_path / "later", mode="publish")
    assert ran.status == 0, ran.log
    (suggestion,) = place.suggestions
    assert "```suggestion" not in suggestion
    assert LABEL not in "".join(place.comments)


def test_the_description_of_the_pull_request_shows_the_purpose(github, run):
    place = outdated(github, change={CODE: INTENDED[CODE]})
    place.pull.body = "Prices:\n\n- ``half``: divide by 4 in place of 2"
    ran = run(place, mode="propose")
    assert ran.status == 0, ran.log
    assert (ran.outputs["outcome"], ran.outputs["patch"]) == ("not_code", "")


def test_without_a_description_it_is_repaired(github, run):
    ran = run(outdated(github, change={CODE: INTENDED[CODE]}), mode="propose")
    assert ran.outputs["outcome"] == "patched", ran.log


def test_a_pull_request_that_turns_it_on_for_itself_gets_nothing(github, run):
    place = outdated(github, begin={}, change={**INTENDED, **ALLOWED})
    ran = run(place, comment_on="always")
    assert ran.status == 0, ran.log
    assert place.suggestions == []
    (comment,) = place.comments
    assert "what this change replaces on purpose" in comment
    assert LABEL not in comment + ran.said


def test_a_proposal_that_holds_it_anyway_gets_nothing(github, publish):
    place = outdated(github, begin={}, change={**INTENDED, **ALLOWED})
    ran = publish(place, comment_on="always")
    assert ran.status == 0, ran.log
    assert place.suggestions == []
    assert LABEL not in "".join(place.comments) + ran.said


@pytest.mark.parametrize("name", ["REGREEN_ALLOW_TEST_CHANGES", "INPUT_ALLOW-TEST-CHANGES"])
def test_a_workflow_cannot_turn_it_on(github, run, name):
    place = outdated(github, begin={})
    ran = run(place, variables={name: "true"})
    assert ran.status == 2, ran.log
    assert "only the configuration file can set it" in ran.log
    assert place.writes == []


TEXT = INTENDED[FILE].decode()


def changed(old, new, path=FILE, text=TEXT):
    """New expectations that change ``text``, whatever that is."""
    at = text.index(old)
    after = text[:at] + new + text[at + len(old) :]
    patch = from_sources({path: text}, {path: after})
    return {
        "originals": [{"path": path, "sha256": hashlib.sha256(text.encode()).hexdigest()}],
        "edits": [edit(path, at, at + len(old), new.encode())],
        "diff": unified_diff(patch, {path: text}),
    }


TAMPERED = {
    "code in place of a literal": (changed("4\n\n\ndef test_a", "half(8)\n\n\ndef test_a"), "no literal"),
    "a comment behind the literal": (changed("8) == 4", "8  # ) == 4"), "more than a literal"),
    "a whole assertion": (changed("half(8) == 4", "True"), "no literal of an assertion"),
    "a file of code": (
        changed("4", "2", path=CODE, text=INTENDED[CODE].decode()),
        "no file of tests",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_what_is_no_asserted_literal_is_refused(github, publish, name):
    new, said = TAMPERED[name]
    place = outdated(github)
    ran = publish(place, change={"new_expectations": new})
    assert ran.status == 5, ran.log
    assert said in ran.log
    assert place.writes == []


def test_it_never_comes_beside_a_patch(github, tmp_path, proposed):
    place = outdated(github)
    both = proposal(place, {CODE: RIGHT}, new_expectations=proposed["new_expectations"])
    ran = published(place, tmp_path / "both", both)
    assert ran.status == 5, ran.log
    assert "what tests expect is changed beside a repair" in ran.log
    assert place.writes == []
