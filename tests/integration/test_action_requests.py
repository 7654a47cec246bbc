"""Repairs that a person asks for: by a comment, at a line, by a label, for one test; and who is answered."""

import pytest
from fakes.action import SHUTDOWN, act, shop

pytestmark = pytest.mark.bubblewrap
AT_LINE = "pull_request_review_comment"


def request(place, way, body, user):
    """The kind of an event and its payload."""
    match way:
        case "comment":
            return "issue_comment", place.ask(body, user=user)
        case "line":
            return AT_LINE, place.ask_at_line(body, user=user)
        case "label":
            return "pull_request", place.label(body, user=user)


@pytest.mark.parametrize(("way", "body"), [("line", "/regreen fix"), ("label", "regreen")])
def test_a_request_is_repaired_with_an_answer(github, tmp_path, way, body):
    place = shop(github, log=SHUTDOWN)
    kind, payload = request(place, way, body, "dev")
    ran = act(place, tmp_path, kind, payload=payload, sandbox="docker")
    assert (ran.status, ran.outputs["outcome"]) == (0, "not_code"), ran.log
    *answers, note = place.comments
    assert ["Regreen found no patch. [The comment says why](" in one for one in answers] == [True] * (
        way == "line"
    )
    assert "regreen:state" in note


@pytest.mark.parametrize("mode", ["repair", "acknowledge", "propose"])
@pytest.mark.parametrize(
    ("way", "body", "user", "said"),
    [
        ("comment", "/regreen fix", "reader", "reader has the permission 'read'"),
        ("comment", "/regreen fix", "stranger", "stranger has the permission"),
        ("comment", "> /regreen fix\nI would not.", "dev", "the comment is no command"),
        ("line", "/regreen fix", "reader", "reader has the permission 'read'"),
        ("line", "Look at /regreen fix", "dev", "the comment is no command"),
        ("label", "bug", "dev", "the label is not regreen"),
        ("label", "regreen", "reader", "reader has the permission"),
    ],
)
def test_who_cannot_write_or_asks_for_nothing_gets_nothing_done(
    github, tmp_path, way, body, user, said, mode
):
    place = shop(github)
    kind, payload = request(place, way, body, user)
    ran = act(place, tmp_path, kind, payload=payload, actor=user, mode=mode)
    assert (ran.status, ran.outputs["outcome"], place.writes) == (0, "skipped", []), ran.log
    assert said in ran.outputs["reason"] or mode == "acknowledge"
    assert ran.outputs["publish"] == "false" or mode != "propose"
    assert not github.seen("GET", "tarball")


@pytest.mark.parametrize("command", ["apply", "dismiss", "fix"])
def test_a_command_needs_a_job_that_writes(github, tmp_path, command):
    place = shop(github, log=SHUTDOWN)
    payload = place.ask(f"/regreen {command}")
    ran = act(place, tmp_path, "issue_comment", payload=payload, mode="propose")
    assert (ran.status, ran.outputs["publish"]) == (0, "true"), ran.log
    assert place.writes == []


def test_a_comment_on_a_line_is_acknowledged_there_and_below(github, tmp_path):
    place = shop(github)
    assert act(place, tmp_path, AT_LINE, payload=place.ask_at_line(), mode="acknowledge").status == 0
    (comment,) = place.pull.pull.line_comments
    assert comment.reactions == {"eyes"}
    (answer,) = place.comments
    assert "Regreen looks for a patch" in answer


def test_a_comment_on_a_line_is_read_again(github, tmp_path):
    place = shop(github)
    payload = place.ask_at_line()
    place.pull.pull.line_comments[0].body = "/regreen fix tests/test_prices.py"
    assert "edited" in act(place, tmp_path, AT_LINE, payload=payload).outputs["reason"]


def test_a_comment_on_a_line_of_a_fork_is_none(github, tmp_path):
    """Its workflow is the fork's own."""
    place = shop(github, fork="elsewhere")
    ran = act(place, tmp_path, AT_LINE, payload=place.ask_at_line())
    assert "comes from a fork" in ran.outputs["reason"]


TWO = b"""\
from shop.prices import with_tax


def test_with_tax():
    assert with_tax(100, 19) == 119


def test_discount():
    assert with_tax(100, -19) == 82
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "outcome", "line"),
    [
        ("tests/test_prices.py::test_with_tax", "patched", "+    return net + tax\n"),
        ("tests/test_prices.py::test_discount", "patched", "+    return net + tax + 1\n"),
        ("tests/test_prices.py::test_gone", "not_reproduced", ""),
    ],
)
def test_a_request_may_name_one_of_the_failing_tests(github, repair, test, outcome, line):
    """No patch makes both pass: each has its own."""
    place = shop(github, begin={"tests/test_prices.py": TWO})
    payload = place.ask(f"/regreen fix {test}")
    ran = repair(place, "issue_comment", payload=payload, mode="propose", max_attempts=200)
    assert ran.outputs["outcome"] == outcome, ran.log
    assert line in ran.outputs["patch"]
