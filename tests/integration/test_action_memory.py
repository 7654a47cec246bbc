"""Operators whose patches people took in a repository come earlier in its next searches."""

import json

import pytest
from delivery_cases import artifact, result, state
from fakes.action import TESTS, WRONG, shop
from fakes.github import Fault

from bot.delivery.sticky import packed_line, state_line

pytestmark = [pytest.mark.bubblewrap, pytest.mark.slow]
CODE, TEST = "shop/prices.py", "tests/test_prices.py"
# The base has nothing that could be put back.
BEGIN = {CODE: b"", TEST: b"def test_nothing():\n    pass\n"}


@pytest.fixture
def search(github, repair, tmp_path):
    """One search for the fault in new code; the number of candidates that it took, and the operator."""
    place = shop(github, begin=BEGIN, change={CODE: WRONG, TEST: TESTS})

    def run():
        name = f"proposal-{len(list(tmp_path.iterdir()))}.json"
        ran = repair(place, mode="propose", proposal=name)
        assert ran.outputs["outcome"] == "patched", ran.log
        (found,) = tmp_path.rglob(name)
        return int(ran.outputs["attempts"]), json.loads(found.read_text())["operator"]

    run.place = place
    return run


def remember(place, operator, *, user):
    """A comment below another pull request as Regreen leaves it when its patch was taken."""
    world = place.github.world
    world.push(place.repository, "other", {"more.py": b"x = 1\n"})
    proposed = artifact(result(operator=operator))
    taken = state(proposed, status="applied", why="the branch has moved on")
    body = f"{state_line(taken)}\n{packed_line(proposed)}"
    world.comment(world.pull(place.repository, "other"), body, user=user)


def test_what_was_taken_comes_earlier_in_the_next_search(search):
    place, world = search.place, search.place.github.world
    assert search() == (1, "arithmetic")
    remember(place, "variable", user=world.user("stranger"))
    assert search() == (1, "arithmetic")
    remember(place, "variable", user=world.bot)
    attempts, operator = search()
    assert (attempts > 1, operator) == (True, "arithmetic")
    place.github.fail("GET", "/issues/comments$", Fault(status=403, message="no"))
    assert search() == (1, "arithmetic")
    assert place.writes == []


CONFIG = ".github/regreen.yml"


@pytest.mark.parametrize(("text", "kept"), [(b"decisions: branch\n", True), (b"", False)])
def test_what_a_person_dismisses_is_kept_on_a_branch_where_the_default_branch_says_so(
    github, repair, text, kept
):
    place = shop(github, begin={CONFIG: text})
    assert repair(place).outputs["outcome"] == "patched"
    ran = repair(place, "issue_comment", payload=place.ask("/regreen dismiss"))
    assert ran.status == 0, ran.log
    assert ("refs/heads/regreen/memory" in place.repository.refs) is kept


def test_a_memory_that_cannot_be_kept_costs_nothing_else(github, repair):
    place = shop(github, begin={CONFIG: b"decisions: branch\n"})
    repair(place)
    github.fail("POST", "/git/trees", Fault(status=403, message="no"))
    ran = repair(place, "issue_comment", payload=place.ask("/regreen dismiss"))
    assert (ran.status, place.own_branches) == (0, []), ran.log
    assert "memory: it was not kept" in ran.log
