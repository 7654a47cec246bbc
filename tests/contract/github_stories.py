"""What ``client.GitHub`` promises, as short stories that a client lives through in a young repository."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.errors import GitHubError, HeadMoved, NotFound, Unprocessable
from bot.github.client import GitHub
from bot.github.records import LineComment

TEXT = b"".join(b"x%d = %d\n" % (number, number) for number in range(30))


def _start(github: GitHub) -> str:
    head = github.branch_head("main")
    assert head
    return head


def _changed(github: GitHub, branch: str) -> str:
    """A branch that changes line 10 of a file that ``main`` has."""
    start = _start(github)
    if github.file("app.py", ref=start) is None:
        first = github.commit(parent=start, files={"app.py": TEXT}, message="Add")
        github.move_branch("main", first, expected=start)
        start = first
    text = github.file("app.py", ref=start)
    assert text is not None
    changed = text.replace(b"x9 = 9\n", b"x9 = 10\n")
    sha = github.commit(parent=start, files={"app.py": changed}, message="Change")
    github.create_branch(branch, sha)
    return sha


def branches_move_forward_only(github: GitHub) -> None:
    start = _start(github)
    one = github.commit(parent=start, files={"one.txt": b"1"}, message="One")
    other = github.commit(parent=start, files={"other.txt": b"2"}, message="Other")
    github.create_branch("team/one", start)
    with pytest.raises(Unprocessable, match="exists"):
        github.create_branch("team/one", one)
    github.move_branch("team/one", one, expected=start)
    github.move_branch("team/one", one, expected=start)
    assert github.branch_head("team/one") == one
    with pytest.raises(HeadMoved, match="run again"):
        github.move_branch("team/one", other, expected=start)
    with pytest.raises(Unprocessable):
        github.move_branch("team/one", other, expected=one)
    assert github.branch_head("team/one") == one
    assert github.branch_head("team") is None
    github.delete_branch("team/one")
    github.delete_branch("team/one")
    assert github.branch_head("team/one") is None
    with pytest.raises(HeadMoved, match="gone"):
        github.move_branch("team/one", other, expected=one)


def commits_hold_what_was_given(github: GitHub) -> None:
    start = _start(github)
    binary = bytes(range(256)) * 3
    files = {"deep/er/file.bin": binary, "crlf.txt": b"a\r\nb", "empty.txt": b""}
    one = github.commit(parent=start, files=files, message="Add\n\nMore.", trailers={"Key": "two\nlines"})
    assert github.file("deep/er/file.bin", ref=one) == binary
    assert github.file("crlf.txt", ref=one) == b"a\r\nb"
    assert github.file("empty.txt", ref=one) == b""
    assert github.file("deep/er", ref=one) is None
    assert github.file("deep/er/file.bin/more", ref=one) is None
    read = github.read_commit(one)
    assert (read.sha, read.parents) == (one, (start,))
    assert read.message == "Add\n\nMore.\n\nKey: two lines"
    assert github.branch_head("main") == start
    with pytest.raises(Unprocessable, match="changes nothing"):
        github.commit(parent=start, files={}, message="Nothing")


def a_pull_request_is_opened_once(github: GitHub) -> None:
    sha = _changed(github, "fix")
    pull = github.open_pull(
        title="A fix", body="Because.", head="fix", base="main", draft=False, labels=["regreen"]
    )
    assert (pull.state, pull.head_sha, pull.head_ref) == ("open", sha, "fix")
    assert pull.labels == ("regreen",)
    assert not pull.is_fork
    assert github.pull(pull.number).body == "Because."
    for found in (github.pulls_from("fix"), github.pulls_at(sha), github.open_pulls()):
        assert [one.number for one in found] == [pull.number]
    assert github.pulls_from("main") == github.pulls_onto("fix") == ()
    closed = github.update_pull(pull.number, state="closed", body="No more.")
    assert (closed.state, closed.body) == ("closed", "No more.")
    assert github.pulls_from("fix") == ()
    assert github.open_pulls() == ()
    assert [(one.number, one.state) for one in github.pulls_onto("main")] == [(pull.number, "closed")]


def comments_are_kept_in_order(github: GitHub) -> None:
    _changed(github, "talk")
    number = github.open_pull(title="T", body="", head="talk", base="main", draft=False).number
    first = github.comment(number, "one <!-- hidden -->")
    second = github.comment(number, "two")
    changed = github.update_comment(first.id, "one, changed")
    assert changed.id == first.id
    assert [(one.id, one.body) for one in github.comments(number)] == [
        (first.id, "one, changed"),
        (second.id, "two"),
    ]
    assert first.author == github.viewer()


def lines_are_commented_on(github: GitHub) -> None:
    sha = _changed(github, "lines")
    number = github.open_pull(title="T", body="", head="lines", base="main", draft=False).number
    address = github.review_comment(
        number, sha=sha, comment=LineComment(path="app.py", start=9, end=10, body="Why?")
    )
    assert address.startswith("http")
    (comment,) = github.review_comments(number)
    assert (comment.body, comment.url) == ("Why?", address)
    assert github.update_review_comment(comment.id, "Never mind.").body == "Never mind."
    assert github.review(number, sha=sha, body="Looked at it.", comments=[]).startswith("http")


def a_commit_tells_its_tree_its_parents_and_its_time(github: GitHub) -> None:
    start = _start(github)
    one = github.commit(parent=start, files={"t.txt": b"1"}, message="One")
    two = github.commit(parent=one, files={"t.txt": b"2"}, message="Two")
    back = github.commit(parent=two, files={"t.txt": b"1"}, message="Back")
    first, second, third = (github.read_commit(sha) for sha in (one, two, back))
    assert first.tree == third.tree != second.tree
    assert (second.parents, third.parents) == ((one,), (two,))
    for commit in (first, second, third):
        assert commit.committed_at
        assert commit.committed_at.utcoffset() == timedelta()
        assert commit.committed_at > datetime(2020, 1, 1, tzinfo=UTC)


def a_pull_request_merges_or_not(github: GitHub) -> None:
    sha = _changed(github, "merge")
    pull = github.open_pull(title="T", body="", head="merge", base="main", draft=False)
    found = github.merge_attempt(pull.number)
    assert not found.conflicts
    if found.sha:  # a GitHub by others makes none
        assert github.read_commit(found.sha).parents == (pull.base_sha, sha)
    with pytest.raises(NotFound, match="the merge of pull request 4711"):
        github.merge_attempt(4711)


def what_is_not_there_is_said(github: GitHub) -> None:
    with pytest.raises(NotFound, match="pull request 4711 in octo/"):
        github.pull(4711)
    with pytest.raises(NotFound, match="actions: read"):
        github.run(4711)
    with pytest.raises(NotFound):
        github.comments(4711)
    with pytest.raises(GitHubError):
        github.file("README.md", ref="no-such-branch")
    assert github.branch_head("no-such-branch") is None
    assert github.permission_of("nobody-of-that-name") == "none"
    assert github.permission_of("octo") == "admin"
    assert github.default_branch() == "main"
    assert github.runs_at("0" * 40) == ()
    assert github.conclusion_at("0" * 40) == ""


STORIES = (
    branches_move_forward_only,
    commits_hold_what_was_given,
    a_pull_request_is_opened_once,
    comments_are_kept_in_order,
    lines_are_commented_on,
    a_commit_tells_its_tree_its_parents_and_its_time,
    a_pull_request_merges_or_not,
    what_is_not_there_is_said,
)
