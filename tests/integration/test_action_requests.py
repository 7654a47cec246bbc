"""Repairs that a person asks for: at a line, by a label, for one test."""

import pytest
from fakes.action import FAILING_LOG, SHUTDOWN, act, shop

pytestmark = pytest.mark.bubblewrap


def at_line(place, body, *, user="dev"):
    """A comment on a line of the pull request, and its event."""
    world = place.github.world
    comment = world.line_comment(
        place.pull, body, user=world.user(user), path="shop/prices.py", line=2, commit=place.head
    )
    about = place.event("pull_request", sender=user) | {"action": "created"}
    return comment, about | {"comment": {"id": comment.id, "body": body, "user": about["sender"]}}


KIND = "pull_request_review_comment"


def labelled(place, name="regreen", sender="dev"):
    return {**place.event("pull_request", sender=sender), "action": "labeled", "label": {"name": name}}


def test_a_comment_on_a_line_is_a_request_with_an_answer(github, tmp_path):
    place = shop(github, log=SHUTDOWN)
    _, payload = at_line(place, "/regreen fix")
    ran = act(place, tmp_path, KIND, payload=payload, sandbox="docker")
    assert (ran.status, ran.outputs["outcome"]) == (0, "not_code"), ran.log
    answer, note = place.comments
    assert "Regreen found no patch. [The comment says why](" in answer
    assert "regreen:state" in note


def test_a_comment_on_a_line_is_acknowledged_there_and_below(github, tmp_path):
    place = shop(github)
    comment, payload = at_line(place, "/regreen fix")
    assert act(place, tmp_path, KIND, payload=payload, mode="acknowledge").status == 0
    assert comment.reactions == {"eyes"}
    (answer,) = place.comments
    assert "Regreen looks for a patch" in answer


@pytest.mark.parametrize(
    ("body", "user", "said"),
    [
        ("/regreen fix", "reader", "reader has the permission 'read'"),
        ("Look at /regreen fix", "dev", "the comment is no command"),
    ],
)
def test_a_comment_on_a_line_of_somebody_else_is_none(github, tmp_path, body, user, said):
    place = shop(github)
    _, payload = at_line(place, body, user=user)
    ran = act(place, tmp_path, KIND, payload=payload, actor=user)
    assert said in ran.outputs["reason"]
    assert place.writes == []


def test_a_comment_on_a_line_is_read_again(github, tmp_path):
    place = shop(github)
    comment, payload = at_line(place, "/regreen fix")
    comment.body = "/regreen fix tests/test_prices.py"
    assert "edited" in act(place, tmp_path, KIND, payload=payload).outputs["reason"]


def test_a_comment_on_a_line_of_a_fork_is_none(github, tmp_path):
    """Its workflow is the fork's own."""
    place = shop(github, fork="elsewhere")
    _, payload = at_line(place, "/regreen fix")
    ran = act(place, tmp_path, KIND, payload=payload)
    assert "comes from a fork" in ran.outputs["reason"]


def test_the_label_asks_for_a_repair_with_an_answer(github, tmp_path):
    place = shop(github, log=SHUTDOWN)
    ran = act(place, tmp_path, "pull_request", payload=labelled(place), sandbox="docker")
    assert (ran.status, ran.outputs["outcome"]) == (0, "not_code"), ran.log
    assert len(place.comments) == 1


@pytest.mark.parametrize(
    ("name", "sender", "said"),
    [("bug", "dev", "the label is not regreen"), ("regreen", "reader", "reader has the permission")],
)
def test_another_label_or_somebody_elses_is_none(github, tmp_path, name, sender, said):
    place = shop(github)
    payload = labelled(place, name, sender)
    ran = act(place, tmp_path, "pull_request", payload=payload, actor=sender)
    assert said in ran.outputs["reason"]
    assert place.writes == []


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
def test_a_request_may_name_one_of_the_failing_tests(
    github, tmp_path, project_environment, test, outcome, line
):
    """No patch makes both pass: each has its own."""
    place = shop(github, begin={"tests/test_prices.py": TWO}, log=FAILING_LOG)
    payload = place.event("issue_comment", comment=place.say(f"/regreen fix {test}"))
    ran = act(
        place,
        tmp_path,
        "issue_comment",
        payload=payload,
        mode="propose",
        sandbox_python=project_environment / "bin/python",
        search_without="alternatives",
        max_attempts=200,
    )
    assert ran.outputs["outcome"] == outcome, ran.log
    assert line in ran.outputs["patch"]
