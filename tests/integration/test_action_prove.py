"""``mode: prove``: a pull request's own change is judged, and a check run says how."""

import json

import pytest
from fakes.action import RIGHT, TESTS, WRONG, act, granted, shop
from fakes.github_markdown import read
from fakes.proposals import proposal, published

pytestmark = pytest.mark.bubblewrap
CODE, TEST = "shop/prices.py", "tests/test_prices.py"
BROKEN = {CODE: WRONG}


@pytest.fixture
def prove(tmp_path, project_environment):
    """Judges the pull request of ``place`` by its number."""

    def run(place, kind="workflow_dispatch", **inputs):
        directory = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        chosen = {"sandbox_python": project_environment / "bin/python", "pull_request": place.pull.number}
        return act(place, directory, kind, **{"mode": "prove", **chosen, **inputs})

    return run


def judged(github, change, **more):
    """The shop whose base fails, and a pull request that makes ``change``."""
    return shop(github, begin=BROKEN, change=change, **more)


def reader(github):
    return github.world.actions_token(granted("propose"))


def test_the_right_change_is_verified_and_a_check_run_says_so(github, prove):
    place = judged(github, {CODE: RIGHT, "README.md": b"# The shop\n"})
    ran = prove(place, token=github.world.actions_token({**granted("propose"), "checks": "write"}))
    assert (ran.status, ran.outputs["outcome"]) == (0, "patched"), ran.log
    assert (ran.outputs["delivery"], ran.outputs["publish"]) == ("check", "false")
    (check,) = place.repository.checks
    assert (check["name"], check["head_sha"]) == ("Regreen", place.head)
    assert check["conclusion"] in {"success", "neutral"}
    assert ran.outputs["url"] == check["html_url"]
    for page in (check["output"]["summary"], ran.summary):
        assert "+    return net + tax" in page
        assert "Failed before | 1 test" in page
    assert place.writes == ["POST /repos/octo/app/check-runs"]


def test_who_may_not_write_checks_hands_the_verdict_to_who_may(github, prove, tmp_path):
    place = judged(github, {CODE: RIGHT})
    ran = prove(place, token=reader(github))
    assert (ran.status, ran.outputs["outcome"], ran.outputs["publish"]) == (0, "patched", "true"), ran.log
    assert "the token lacks `checks: write`: add it to the job's `permissions`" in ran.log
    assert "+    return net + tax" in ran.summary
    assert place.repository.checks == []
    document = (tmp_path / "run-0/workspace" / ran.outputs["proposal"]).read_bytes()
    assert json.loads(document)["judged"] is True
    token = github.world.actions_token({**granted("publish"), "checks": "write"})
    again = published(
        place,
        tmp_path / "publish",
        document,
        "workflow_dispatch",
        token=token,
        pull_request=place.pull.number,
    )
    assert (again.status, again.outputs["delivery"]) == (0, "check"), again.log
    (check,) = place.repository.checks
    assert check["head_sha"] == place.head
    assert (place.comments, place.suggestions, place.fixes) == ([], [], [])


def test_a_change_that_brings_its_tests_is_judged_by_them_and_decides_nothing(github, prove):
    added = TESTS + b"\n\ndef test_with_twice_the_tax():\n    assert with_tax(100, 40) == 140\n"
    place = judged(github, {CODE: RIGHT, TEST: added})
    ran = prove(place, token=github.world.actions_token({**granted("propose"), "checks": "write"}))
    assert (ran.status, ran.outputs["outcome"]) == (0, "patched"), ran.log
    (check,) = place.repository.checks
    assert check["conclusion"] == "neutral"
    assert "came with it: read them as well" in check["output"]["summary"]


def without(name):
    return TESTS.replace(b"def test_with_tax", b"def with_tax_test") if name == "test" else b""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({TEST: without("test")}, f"{TEST} is protected", id="edits the test"),
        pytest.param({TEST: None}, f"{TEST} is deleted", id="deletes the test"),
        pytest.param(
            {"conftest.py": b"import os\nos._exit(0)\n"}, "conftest.py is protected", id="ends the run"
        ),
        pytest.param(
            {CODE: RIGHT, ".github/regreen.yml": b"test-command: 'true'\n"},
            ".github/regreen.yml is protected",
            id="configures Regreen",
        ),
        pytest.param(
            {CODE: WRONG + b"\nwith_tax = lambda net, rate: 119 if net == 100 else 0\n"},
            "the patch is refused: shop/prices.py",
            id="special-cases the test",
        ),
    ],
)
def test_a_hostile_change_is_refused_and_the_check_fails(github, prove, change, reason):
    place = judged(github, change)
    ran = prove(place, token=github.world.actions_token({**granted("propose"), "checks": "write"}))
    assert (ran.status, ran.outputs["outcome"], ran.outputs["patch"]) == (0, "no_patch", ""), ran.log
    assert reason in ran.outputs["reason"]
    (check,) = place.repository.checks
    assert check["conclusion"] == "failure"


@pytest.mark.slow
def test_a_base_that_passes_gives_no_verdict(github, prove):
    place = shop(github, change={CODE: RIGHT + b"\nMORE = 1\n"})
    ran = prove(place, token=github.world.actions_token({**granted("propose"), "checks": "write"}))
    assert (ran.status, ran.outputs["outcome"]) == (0, "not_reproduced"), ran.log
    assert place.repository.checks[0]["conclusion"] == "neutral"


def test_a_change_that_conflicts_with_the_base_is_not_judged(github, prove):
    place = judged(github, {CODE: RIGHT})
    github.world.push(place.repository, "main", {CODE: WRONG.replace(b"net - tax", b"net * tax")})
    ran = prove(place)
    assert (ran.status, ran.outputs["outcome"]) == (0, "skipped"), ran.log
    assert "cannot be judged: the two conflict now" in ran.outputs["reason"]


@pytest.mark.parametrize(
    ("kind", "actor", "fork", "said"),
    [
        ("workflow_dispatch", "reader", "", "it takes 'write' to have Regreen do something"),
        ("pull_request", "dev", "stranger", "comes from a fork"),
    ],
    ids=["a reader asks", "a fork unasked"],
)
def test_the_rules_of_trust_hold_here_too(github, prove, kind, actor, fork, said):
    place = judged(github, {CODE: RIGHT}, fork=fork)
    ran = prove(place, kind, actor=actor)
    assert (ran.status, ran.outputs["outcome"]) == (0, "skipped"), ran.log
    assert said in ran.outputs["reason"]
    assert not github.seen("GET", "tarball")
    assert place.writes == []


def test_a_branch_is_not_judged(github, prove):
    ran = prove(judged(github, {CODE: RIGHT}), pull_request="", branch="feature")
    assert "only a pull request's change is judged" in ran.outputs["reason"], ran.log


def tampered(place, change):
    """A verdict on the right change of the shop's price, with what ``change`` says."""
    good = proposal(place, {CODE: RIGHT}, commit=place.repository.branch_head("main"), judged=True)
    return good | change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ""),
        ({"judged": False}, "is not the file that the patch was made for"),
        ({"head_sha": "0" * 40}, "the proposal is not for pull request 1"),
        ({"base_sha": "0" * 40}, "No commit found for the ref"),
        ({"diff": "--- a\n"}, "the diff that it shows is not what its edits do"),
        ({"repository": "octo/other"}, "it is for octo/other"),
    ],
    ids=["none", "as a repair", "another head", "another base", "another diff", "another repository"],
)
def test_a_verdict_that_was_tampered_with_writes_no_check(github, tmp_path, change, said):
    place = judged(github, {CODE: RIGHT})
    token = github.world.actions_token({**granted("publish"), "checks": "write"})
    ran = published(
        place,
        tmp_path / "run",
        tampered(place, change),
        "workflow_dispatch",
        token=token,
        pull_request=place.pull.number,
    )
    if not change:
        assert [check["conclusion"] for check in place.repository.checks] == ["success"], ran.log
        return
    assert said in ran.log
    assert place.writes == []


def test_a_verdict_on_less_than_the_pull_request_changes_is_no_success(github, tmp_path):
    place = judged(github, {CODE: RIGHT, "shop/__pycache__/prices.cpython-312.pyc": b"other code"})
    token = github.world.actions_token({**granted("publish"), "checks": "write"})
    ran = published(
        place,
        tmp_path / "run",
        tampered(place, {}),
        "workflow_dispatch",
        token=token,
        pull_request=place.pull.number,
    )
    (check,) = place.repository.checks
    assert check["conclusion"] == "neutral", ran.log
    assert "than what was judged" in check["output"]["summary"]


def test_markup_in_a_verdict_is_nothing_but_text(github, tmp_path):
    place = judged(github, {CODE: RIGHT})
    hostile = "@everyone <img src=x> </details> [a](https://evil.example)"
    none = {"outcome": "no_patch", "evidence": None, "originals": [], "edits": [], "diff": ""}
    document = tampered(place, {**none, "reason": hostile})
    del document["evidence"]
    token = github.world.actions_token({**granted("publish"), "checks": "write"})
    published(
        place, tmp_path / "run", document, "workflow_dispatch", token=token, pull_request=place.pull.number
    )
    (check,) = place.repository.checks
    assert check["conclusion"] == "failure"
    assert "everyone" in check["output"]["summary"]
    assert not read(check["output"]["summary"]).acted_upon
