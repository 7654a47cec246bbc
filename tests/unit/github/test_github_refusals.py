"""Each refusal names what is missing and what to do."""

import pytest
from client_support import client_of
from every_case import every_case
from fakes.github import Fault
from github_fixture import FULL_NAME
from hypothesis import given
from hypothesis import strategies as st
from sections import GOLDEN

from bot.errors import ConfigurationError, GitHubError, HeadMoved, NotFound, PermissionDenied, Unprocessable
from bot.github.client import connect
from bot.github.records import LineComment
from bot.github.refusals import permissions

ACCEPTED = "x-accepted-github-permissions"
EVERYTHING = dict.fromkeys(("actions", "contents", "issues", "metadata", "pull_requests"), "write")


@pytest.mark.parametrize(
    ("lacks", "act", "named"),
    [
        ("pull_requests", lambda c, sha: c.pull(1), "`pull-requests: read`"),
        ("pull_requests", lambda c, sha: c.update_pull(1, body="b"), "`pull-requests: write`"),
        ("contents", lambda c, sha: c.create_branch("new", sha), "`contents: write`"),
        ("contents", lambda c, sha: c.archive(sha, limit=1_000_000), "`contents: read`"),
        ("actions", lambda c, sha: c.job_log(1, limit=10), "`actions: read`"),
    ],
)
def test_the_permission_that_is_missing_is_named(github, lacks, act, named):
    world = github.server.world
    sha = world.push(github.repository, "feature", {"app.py": b"new\n"})
    world.pull(github.repository, "feature")
    token = world.actions_token({name: level for name, level in EVERYTHING.items() if name != lacks})
    with client_of(github, token) as client, pytest.raises(PermissionDenied) as caught:
        act(client, sha)
    assert f"the token lacks {named}: add it to the job's `permissions`" in str(caught.value)


def test_a_comment_takes_one_of_two_permissions(github):
    world = github.server.world
    world.issue(github.repository, title="t")
    with (
        client_of(github, world.actions_token({"contents": "write"})) as client,
        pytest.raises(PermissionDenied, match="lacks `issues: write` or `pull-requests: write`"),
    ):
        client.comment(1, "hello")
    with client_of(github, world.actions_token({"issues": "write"})) as client:
        client.comment(1, "hello")


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({}, "the token lacks `contents: write`"),
        ({ACCEPTED: "workflows=write"}, "`workflows: write`: a GITHUB_TOKEN cannot have it"),
    ],
)
def test_what_is_missing_is_known_without_githubs_header_and_what_no_job_can_have(github, headers, said):
    fault = Fault(status=403, message="Resource not accessible by integration", headers=headers)
    github.server.fail("POST", "git/refs$", fault)
    with pytest.raises(PermissionDenied, match=said):
        github.client.create_branch("new", github.repository.refs["refs/heads/main"])


def test_the_switch_for_pull_requests_by_actions_is_named(github):
    github.repository.pulls_by_actions = False
    github.server.world.push(github.repository, "feature", {"app.py": b"new\n"})
    with pytest.raises(PermissionDenied, match=r"not permitted to create .* repository's settings"):
        github.client.open_pull(title="t", body="", head="feature", base="main", draft=True)


def test_a_token_that_has_expired_is_said(github):
    with client_of(github, "ghs_expired") as client:
        for ask in (client.default_branch, lambda: client.job_log(1, limit=1)):
            with pytest.raises(
                GitHubError, match=r"does not accept the token: 'Bad credentials': .*expired"
            ) as caught:
                ask()
            assert "ghs_expired" not in str(caught.value)


def test_a_locked_conversation_is_said(github):
    github.server.world.issue(github.repository, title="t").locked = True
    with pytest.raises(PermissionDenied, match="because issue is locked"):
        github.client.comment(1, "hello")


def test_a_protected_branch_is_said(github):
    github.repository.protected.add("main")
    head = github.repository.refs["refs/heads/main"]
    sha = github.client.commit(parent=head, files={"a": b""}, message="m")
    with pytest.raises(Unprocessable, match="Protected branch update failed"):
        github.client.move_branch("main", sha, expected=head)


def test_a_refused_line_is_said_and_nothing_published(github):
    sha = github.server.world.push(github.repository, "feature", {"app.py": b"new\n"})
    issue = github.server.world.pull(github.repository, "feature")
    good = LineComment(path="app.py", start=1, end=1, body="good")
    for bad in (
        LineComment(path="app.py", start=40, end=40, body="outside"),
        LineComment(path="other.py", start=1, end=1, body="no such file"),
        LineComment(path="app.py", start=1, end=1, body="x" * 65_537),
    ):
        with pytest.raises(Unprocessable):
            github.client.review(1, sha=sha, body="b", comments=[good, bad])
        with pytest.raises(Unprocessable):
            github.client.review_comment(1, sha=sha, comment=bad)
    assert issue.pull.line_comments == []
    assert issue.pull.reviews == []
    issue.state = "closed"
    with pytest.raises(Unprocessable):
        github.client.review(1, sha=sha, body="b", comments=[good])


def test_an_expired_log_is_said_with_what_to_do(github):
    run = github.server.world.run(github.repository, github.repository.refs["refs/heads/main"])
    job = github.server.world.job(run, log=None)
    with pytest.raises(NotFound, match=r"no longer there.*run the workflow again"):
        github.client.job_log(job.id, limit=10)


def test_hostile_words_in_a_refusal_are_quoted_and_the_token_is_masked(github):
    words = f"you sent {github.token}\n::add-mask::x\x1b[31m" + "y" * 9_999
    github.server.fail("GET", "/pulls/1$", Fault(status=422, message=words))
    with pytest.raises(Unprocessable) as caught:
        github.client.pull(1)
    assert len(str(caught.value)) < 600
    assert str(caught.value).isprintable()
    assert github.token not in str(caught.value)
    assert "you sent ***" in str(caught.value)


ANSWERS = (GOLDEN / "github" / "answers.txt").read_bytes().splitlines()


@pytest.mark.parametrize("answer", [b"", b"\xff\xfe", *ANSWERS])
def test_an_answer_without_sense_is_a_github_error(github, monkeypatch, answer):
    from fakes.github.routing import Answer

    monkeypatch.setattr(type(github.server), "answer", lambda *_: Answer(status=200, body=answer))
    sha = "0" * 40
    for ask in (
        *(lambda c: c.default_branch(), lambda c: c.pull(1), lambda c: c.run(1), lambda c: c.failed_jobs(1)),
        *(lambda c: c.viewer(), lambda c: c.permission_of("octo"), lambda c: c.branch_head("main")),
        *(
            lambda c: c.file("a/b", ref=sha),
            lambda c: c.read_commit(sha),
            lambda c: c.create_branch("b", sha),
        ),
        *(lambda c: c.review(1, sha=sha, body="b", comments=[]), lambda c: c.comment(1, "b")),
        *(lambda c: c.update_comment(1, "b"), lambda c: c.update_pull(1, body="b")),
        lambda c: c.commit(parent=sha, files={"p": b""}, message="m"),
        lambda c: c.review_comment(1, sha=sha, comment=LineComment(path="p", start=1, end=1, body="b")),
        lambda c: c.open_pull(title="t", body="b", head="h", base="b", draft=False),
    ):
        with pytest.raises(GitHubError) as caught:
            ask(github.client)
        assert str(caught.value).isprintable()


@given(st.text())
def test_any_header_is_read(header):
    assert isinstance(permissions(header), str)


def test_the_header_is_told_in_a_workflows_words():
    told = permissions("contents=write,workflows=write; pull_requests=read")
    assert told == "`contents: write` and `workflows: write` or `pull-requests: read`"


@every_case(
    ("changed", "said"),
    [
        ({"repository": "octo"}, "owner/name"),
        ({"repository": "octo/.."}, "owner/name"),
        ({"repository": "octo/app/../other"}, "owner/name"),
        ({"token": ""}, "GITHUB_TOKEN"),
        ({"token": " \n"}, "GITHUB_TOKEN"),
        ({"token": "ghp_a b"}, "characters"),
        ({"token": "ghp_a\r\nX-Evil: 1"}, "characters"),
        ({"api_url": "ftp://github.example"}, "/api/v3"),
        ({"api_url": "https://user:password@github.example"}, "/api/v3"),
        ({"api_url": "https://"}, "/api/v3"),
        ({"api_url": "https://host:port"}, "/api/v3"),
    ],
)
def test_what_cannot_be_connected_to_is_said_at_once(changed, said):
    with (
        pytest.raises(ConfigurationError, match=said) as caught,
        connect(**{"repository": FULL_NAME, "token": "ghs_t", **changed}),
    ):
        pytest.fail("it was connected to")
    assert "ghp_a" not in str(caught.value)


def test_an_account_that_an_enterprise_manages_has_an_underscore():
    with connect(repository="mona_acme/app", token="t") as client:
        assert client.repository == "mona_acme/app"


def test_a_branchs_name_is_shown_so_that_it_does_nothing(github):
    head = github.repository.refs["refs/heads/main"]
    for name in ("a\u202eb", "a\u2028b", "a\x9bb", "<b>"):
        with pytest.raises(HeadMoved) as caught:
            github.client.move_branch(name, head, expected=head)
        assert str(caught.value).isascii()
        assert str(caught.value).isprintable()


def test_no_request_is_made_for_a_name_that_cannot_be(github):
    names = ["", "a..b", "../../x", "a b", "a\nb", "-x", "x/", "/x", "x.lock", "@", "a@{b", ".x", "a~1"]
    for name in (*names, "x" * 300):
        with pytest.raises(Unprocessable, match="no branch can have the name"):
            github.client.branch_head(name)
    for sha in ("", "main", "0" * 39, "g" * 40, "HEAD", "0" * 40 + "\n"):
        with pytest.raises(Unprocessable, match="sha"):
            github.client.archive(sha, limit=1)
    for user in ("", "..", "a/b", "a?b", "x" * 200, "é"):
        assert github.client.permission_of(user) == "none"
    assert github.server.requests == []
