"""Writes happen once: their answers get lost before and after they took effect, and nothing is doubled."""

from itertools import product

import pytest
from client_support import client_of
from fakes.github import Fault

from bot.errors import GitHubError, HeadMoved, PermissionDenied, Unprocessable
from bot.github.connection import WRITES
from bot.github.records import LineComment
from bot.github.runner_files import Annotation
from bot.github.writing import MAX_ANNOTATIONS

LOST = [Fault(status=status, effect=effect) for status, effect in product((0, 500, 502), (False, True))]
NAMES = [f"{fault.status or 'cut'}-{'after' if fault.effect else 'before'}" for fault in LOST]


@pytest.fixture(params=LOST, ids=NAMES)
def fault(request):
    """What becomes of the answer to a write."""
    return request.param


@pytest.fixture
def pull(github):
    github.server.world.push(github.repository, "feature", {"app.py": b"new\n"})
    return github.server.world.pull(github.repository, "feature")


def test_a_comment_a_review_and_a_comment_on_a_line_are_made_once(github, pull, fault):
    github.client.comment(1, "hello")
    github.server.fail("POST", "comments$", fault)
    made = github.client.comment(1, "hello again\r\n")
    assert [one.body for one in pull.comments] == ["hello", "hello again\r\n"]
    assert made.id == pull.comments[1].id
    sha = pull.pull.head_sha
    comments = [LineComment(path="app.py", start=1, end=1, body="```suggestion\nold\n```")]
    github.client.review(1, sha=sha, body="Look.", comments=[])
    github.server.fail("POST", "reviews$", fault)
    address = github.client.review(1, sha=sha, body="Look.", comments=comments)
    assert len(pull.pull.reviews) == 2
    assert address.endswith(f"-{pull.pull.reviews[1].id}")
    github.server.fail("POST", "pulls/1/comments$", fault)
    comment = LineComment(path="app.py", start=1, end=1, body="here")
    address = github.client.review_comment(1, sha=sha, comment=comment)
    published = pull.pull.line_comments
    bodies = [comments[0].body, "here"]
    assert [(one.path, one.line, one.body) for one in published] == [("app.py", 1, body) for body in bodies]
    assert address.endswith(f"_r{published[1].id}")


def test_a_pull_request_is_opened_once(github, fault):
    github.server.world.push(github.repository, "feature", {"app.py": b"new\n"})
    github.server.fail("POST", "/pulls$", fault)
    made = github.client.open_pull(title="t", body="b", head="feature", base="main", draft=True)
    assert (made.number, made.draft) == (1, True)
    assert list(github.repository.issues) == [1]


@pytest.mark.parametrize("route", ["git/blobs$", "git/trees$", "git/commits$"])
def test_a_commit_survives_a_lost_answer(github, fault, route):
    head = github.repository.refs["refs/heads/main"]
    github.server.fail("POST", route, fault)
    sha = github.client.commit(parent=head, files={"n.py": b"1"}, message="m")
    assert github.client.file("n.py", ref=sha) == b"1"
    assert github.repository.refs["refs/heads/main"] == head


def test_a_branch_is_made_moved_and_deleted_once(github, fault):
    head = github.repository.refs["refs/heads/main"]
    sha = github.client.commit(parent=head, files={"n.py": b"1"}, message="m")
    github.server.fail("POST", "git/refs$", fault)
    github.client.create_branch("new", head)
    assert github.repository.refs["refs/heads/new"] == head
    github.server.fail("PATCH", "git/refs", fault)
    github.client.move_branch("new", sha, expected=head)
    assert github.repository.refs["refs/heads/new"] == sha
    github.server.fail("DELETE", "git/refs", fault)
    github.client.delete_branch("new")
    assert "refs/heads/new" not in github.repository.refs


def test_changes_are_made_once_more_without_harm(github, pull, fault):
    comment = github.client.comment(1, "one")
    github.server.fail("PATCH", "comments", fault)
    assert github.client.update_comment(comment.id, "two").body == "two"
    github.server.fail("PATCH", "pulls/1$", fault)
    assert github.client.update_pull(1, body="new").body == "new"
    github.server.fail("POST", "labels$", fault)
    github.server.world.push(github.repository, "other", {"app.py": b"x\n"})
    made = github.client.open_pull(
        title="t", body="", head="other", base="main", draft=False, labels=["a", "b"]
    )
    assert made.labels == ("a", "b")
    assert [one.body for one in pull.comments] == ["two"]


def test_a_write_is_given_up_in_the_end(github, pull):
    github.server.fail("POST", "comments$", Fault(status=502), times=-1)
    with pytest.raises(GitHubError, match=r"cannot comment on 1 in octo/app: GitHub failed with status 502"):
        github.client.comment(1, "hello")
    assert len(github.server.seen("POST", "comments$")) == WRITES
    assert pull.comments == []


def test_the_last_try_may_have_taken_effect(github, pull):
    github.server.fail("POST", "comments$", Fault(status=502), times=WRITES - 1)
    github.server.fail("POST", "comments$", Fault(status=502, effect=True))
    assert github.client.comment(1, "hello").body == "hello"
    assert len(pull.comments) == 1


def test_somebody_elses_same_words_are_not_ours(github, pull):
    world = github.server.world
    world.issue(github.repository, title="other")
    world.comment(pull, "hello", user=world.user("dev"))
    github.server.fail("POST", "comments$", Fault(status=502))
    assert github.client.comment(1, "hello").author == github.client.viewer() == "github-actions[bot]"
    assert len(pull.comments) == 2


def test_someone_pushes_between_the_look_and_the_move(github):
    head = github.repository.refs["refs/heads/main"]
    sha = github.client.commit(parent=head, files={"n.py": b"1"}, message="m")
    client = github.client
    look = client.branch_head

    def look_then_push(branch: str) -> str | None:
        found = look(branch)
        client.branch_head = look
        github.server.world.push(github.repository, "main", {"n.py": b"theirs"})
        return found

    client.branch_head = look_then_push
    with pytest.raises(HeadMoved, match="run again"):
        client.move_branch("main", sha, expected=head)
    assert client.file("n.py", ref="main") == b"theirs"


def test_a_pull_request_that_is_there_is_said(github, pull):
    with pytest.raises(Unprocessable, match="already exists for octo:feature"):
        github.client.open_pull(title="t", body="", head="feature", base="main", draft=False)


def test_without_drafts_it_is_none_and_labels_that_fail_hide_no_pull_request(github):
    github.repository.drafts = False
    github.server.world.push(github.repository, "feature", {"app.py": b"new\n"})
    github.server.fail("POST", "labels$", Fault(status=403, message="Resource not accessible by integration"))
    made = github.client.open_pull(
        title="t", body="", head="feature", base="main", draft=True, labels=["regreen"]
    )
    assert (made.number, made.draft, made.labels) == (1, False, ())


def test_an_apps_token_knows_its_own_name(github):
    world = github.server.world
    tokens = {"regreen[bot]": world.actions_token(login="regreen[bot]"), "octo": world.token("octo")}
    for name, token in tokens.items():
        with client_of(github, token) as client:
            assert client.viewer() == name


def note(line=1, message="here", level="warning"):
    return Annotation(level=level, path="app.py", line=line, end_line=line + 1, title="t", message=message)


def checked(github, **change):
    said = {"conclusion": "neutral", "title": "t", "summary": "s", "annotations": [note()], **change}
    return github.client.check_run(sha=github.repository.refs["refs/heads/main"], **said)


def test_a_check_run_is_written_once_and_then_changed(github, fault):
    github.server.fail("POST", "/check-runs$", fault)
    address = checked(github)
    (check,) = github.repository.checks
    assert (check["html_url"], len(check["annotations"])) == (address, 1)
    assert check["annotations"][0]["annotation_level"] == "warning"
    before = len(github.server.requests)
    assert checked(github) == address
    assert [one.method for one in github.server.requests[before:]] == ["GET", "GET"]
    github.server.fail("PATCH", "/check-runs/", fault)
    assert checked(github, summary="more", conclusion="failure") == address
    assert checked(github, summary="more", conclusion="failure", annotations=[note(), note(3)]) == address
    assert (check["conclusion"], check["output"]["summary"]) == ("failure", "more")
    assert [one["start_line"] for one in check["annotations"]] == [1, 3]
    assert len(github.repository.checks) == 1


def test_annotations_are_added_once(github, fault):
    checked(github)
    github.server.fail("PATCH", "/check-runs/", fault)
    checked(github, summary="more", annotations=[note(), note(3), note(5)])
    (check,) = github.repository.checks
    assert [one["start_line"] for one in check["annotations"]] == [1, 3, 5]
    assert check["output"]["summary"] == "more"


def test_a_job_of_the_same_name_and_the_check_run_of_another_app_are_left_alone(github):
    checked(github)
    (check,) = github.repository.checks
    check["external_id"] = "a job"
    checked(github)
    github.repository.checks[1]["by"] = "another-app[bot]"
    checked(github, summary="more")
    assert [one["output"]["summary"] for one in github.repository.checks] == ["s", "s", "more"]
    assert checked(github, name="Regreen repair") != checked(github)


def test_no_more_annotations_are_sent_than_github_takes(github):
    checked(github, annotations=[note(line) for line in range(1, 61)])
    assert len(github.repository.checks[0]["annotations"]) == MAX_ANNOTATIONS


def test_who_may_not_read_check_runs_lacks_the_right_to_write_them(github):
    github.server.world.tokens[github.token].permissions = {"contents": "write"}
    with pytest.raises(PermissionDenied, match="the token lacks `checks: write`"):
        checked(github)
    assert github.repository.checks == []
