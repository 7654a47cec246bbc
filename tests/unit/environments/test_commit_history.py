"""The commits of a range, and the first that fails, whatever the repository is like."""

import pytest
from dulwich import porcelain
from every_case import every_case
from git_support import AUTHOR

from bot.environments.versions.history import commits_between, first_failing, merged_commits
from bot.errors import ConfigurationError


def commit(checkout, message):
    """A commit whose only file and message say ``message``."""
    when = {"commit_timestamp": 1_700_000_000, "commit_timezone": 0}
    return checkout.commit({"m.py": message}, message=message.encode(), **when).decode()


def test_a_chain_begins_with_the_first_and_ends_with_the_last(checkout):
    ids = [commit(checkout, f"number {number}\n\nmore") for number in range(4)]
    found = commits_between(checkout.top, f"{ids[0]}..")
    assert [one.id for one in found] == ids
    assert (found[1].subject, found[1].author, found[1].date) == ("number 1", "A", "2023-11-14")
    assert [one.id for one in commits_between(checkout.top, f"{ids[1][:9]}..{ids[2]}")] == ids[1:3]


def merge(checkout):
    """main: first, own, merge; side: first, one, two."""
    repository = checkout.repository
    first = commit(checkout, "first")
    porcelain.branch_create(repository, "side")
    own = commit(checkout, "own")
    porcelain.checkout(repository, "side")
    side = [commit(checkout, "one"), commit(checkout, "two")]
    porcelain.checkout(repository, "main")
    more = {"author": AUTHOR, "committer": AUTHOR, "merge_heads": [side[1].encode()]}
    return first, own, side, repository.get_worktree().commit(message=b"merge", **more).decode()


def test_a_merge_is_one_commit_and_its_branch_another_chain(checkout):
    first, own, side, made = merge(checkout)
    found = commits_between(checkout.top, f"{first}..")
    assert [one.id for one in found] == [first, own, made]
    assert [one.id for one in merged_commits(checkout.top, found[2])] == [first, *side]


def test_a_version_beside_the_branch_stands_for_where_they_part(checkout):
    first, own, side, _ = merge(checkout)
    assert [one.id for one in commits_between(checkout.top, f"{side[1]}..{own}")] == [first, own]


@pytest.mark.parametrize(
    "wanted", ["HEAD", "..", "..HEAD", "a...b", "no-such..HEAD", "HEAD..HEAD", "HEAD..-x"]
)
def test_what_is_no_range_has_a_reason(checkout, wanted):
    commit(checkout, "first")
    with pytest.raises(ConfigurationError, match="--commits"):
        commits_between(checkout.top, wanted)


def test_a_shallow_clone_has_a_reason(checkout):
    ids = [commit(checkout, f"{number}") for number in range(3)]
    (checkout.top / ".git" / "objects" / ids[1][:2] / ids[1][2:]).unlink()
    with pytest.raises(ConfigurationError, match="shallow") as caught:
        commits_between(checkout.top, f"{ids[0]}..")
    assert "\n" not in str(caught.value)


def test_no_checkout_has_a_reason(tmp_path):
    with pytest.raises(ConfigurationError, match="no git checkout"):
        commits_between(tmp_path, "a..b")


@every_case("culprit", range(1, 40))
def test_the_first_failing_version_is_found_in_few_runs(culprit):
    asked = []

    def passes(place):
        asked.append(place)
        return place < culprit

    assert first_failing(40, passes) == (culprit - 1, culprit)
    assert len(asked) <= 6
    assert not {0, 39} & set(asked)


def test_versions_that_cannot_be_judged_stay_between():
    assert first_failing(10, lambda place: None if 3 <= place <= 5 else place < 5) == (2, 6)
    assert first_failing(10, lambda _place: None) == (0, 9)
    assert first_failing(2, lambda _place: None) == (0, 1)
