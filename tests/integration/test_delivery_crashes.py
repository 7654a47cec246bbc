"""A process that dies anywhere leaves nothing that the next one doubles, and loses nothing.

Between two writes all moments are alike to GitHub, so a death after each number of writes is each death.
"""

import re
from itertools import count

import pytest
from delivery_bench import AFTER, FILE, Died, comments, delivery, fixes, line_comments

from bot.delivery import commands
from bot.delivery.options import DeliveryOptions
from bot.delivery.withdraw import dismiss_proposal, withdraw_stale
from bot.patch.policy.gate import Policy

ASKED = 4711
_PASSING = re.compile(
    r"http://127\.0\.0\.1:\d+|\b[0-9a-f]{12,40}\b|(issuecomment|discussion_r|pullrequestreview)(-|\\+u002d)?\d+"
    r"|proposal [A-Za-z0-9+/=]+|(?<=fix-)\w+-[0-9a-f]{8}"
)


def published(here):
    here.publish()


def moved(here):
    withdraw_stale(here.client, here.number)


def said_no(here):
    dismiss_proposal(here.client, here.number, actor="octo")


def applied(here):
    commands.apply(here.client, here.number, policy=Policy(), actor="octo", comment_id=here.ask())


def explained(here):
    commands.explain(here.client, here.number, comment_id=ASKED)


def seen(here):
    """All that is on GitHub, as a person would see it."""
    own = [name for name in here.repository.refs if "regreen/" in name]
    branch = here.repository.branch_head("feature")
    every = here.repository.issues.values()
    return {
        "comments": comments(here) if here.number else [],
        "lines": [(one.path, one.line, one.body) for one in line_comments(here)] if here.number else [],
        "fixes": [(one.number, one.state, one.body) for one in fixes(here)],
        "branches": own,
        "feature": branch is not None and here.client.file(FILE, ref=branch) == AFTER,
        "issues": len(every),
    }


def dies(here, act, after: int) -> bool:
    try:
        act(here.crashing(after))
    except Died:
        return True
    return False


PUBLISHED = {
    "suggestion": {"near": True},
    "fork": {"near": True, "fork": True},
    "pull request": {},
    "commit": {"options": DeliveryOptions(delivery="commit")},
    "comment": {"options": DeliveryOptions(delivery="comment")},
    "branch, no pull": {"pull": False},
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_publication_that_was_cut_off_is_taken_up(name):
    with delivery(**PUBLISHED[name]) as here:
        here.publish()
        whole = stable(seen(here))
    for after in count():
        with delivery(**PUBLISHED[name]) as here:
            died = dies(here, published, after)
            if died and after and here.number:
                assert any(here.artifact.patch_id in body for body in comments(here))
            here.publish()
            assert stable(seen(here)) == whole
            if not died:
                break
    assert after > 0


@pytest.mark.parametrize("near", [True, False])
def test_what_was_cut_off_and_is_out_of_date_is_taken_back_whole(near):
    for after in count():
        with delivery(near=near) as here:
            died = dies(here, published, after)
            here.server.world.push(here.repository, "feature", {"more.py": b"z = 1\n"})
            moved(here)
            found = seen(here)
            assert found["branches"] == []
            assert all(state == "closed" for _, state, _ in found["fixes"])
            assert not any("```suggestion" in body for _, _, body in found["lines"])
            assert all("**Withdrawn:**" in body for body in found["comments"])
            if not died:
                break
    assert after > 1


ENDED = {
    "the head moved, suggestion": ({"near": True}, moved, True),
    "the head moved, pull request": ({}, moved, True),
    "dismissed, suggestion": ({"near": True}, said_no, False),
    "dismissed, pull request": ({}, said_no, False),
    "applied, suggestion": ({"near": True}, applied, False),
    "applied, pull request": ({}, applied, False),
    "explained": ({}, explained, False),
}


@pytest.mark.parametrize("name", ENDED)
def test_what_was_being_taken_back_is_taken_back_by_the_next(name):
    said, act, moves = ENDED[name]

    def ready(here):
        here.publish()
        if moves:
            here.server.world.push(here.repository, "feature", {"more.py": b"z = 1\n"})

    with delivery(**said) as here:
        ready(here)
        act(here)
        whole = stable(seen(here))
    for after in count():
        with delivery(**said) as here:
            ready(here)
            died = dies(here, act, after)
            act(here)
            assert stable(seen(here)) == whole
            if not died:
                break
    assert after > 0


def stable(found) -> str:
    """``found`` without what a port, a clock or a counter makes of it."""
    return _PASSING.sub("_", repr(found))
