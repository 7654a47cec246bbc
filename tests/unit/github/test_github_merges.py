"""What the client reads of merges, commits, their times, and runners' labels, whatever stands there."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from client_support import client_of
from fakes.github import Executable, Link
from fakes.github.objects import Person

from bot.errors import GitHubError, PermissionDenied
from bot.github.convert import MAX_LABELS
from bot.github.reading import MERGE_WAITS_S


@pytest.fixture
def pull(github):
    """A pull request that adds a file, onto a base that has got one of its own since."""
    github.server.world.push(github.repository, "feature", {"new.py": b"1\n"})
    found = github.server.world.pull(github.repository, "feature")
    github.server.world.push(github.repository, "main", {"base.py": b"2\n"})
    return found


def test_the_merge_has_both_sides_and_the_files_of_both(github, pull):
    found = github.client.merge_attempt(pull.number)
    assert not found.conflicts
    commit = github.client.read_commit(found.sha)
    assert commit.parents == (github.repository.refs["refs/heads/main"], pull.pull.head_sha)
    for path in ("app.py", "new.py", "base.py"):
        assert github.client.file(path, ref=found.sha) is not None, path
    assert github.slept == []


@pytest.mark.parametrize(
    ("waits", "left", "is_made", "slept"),
    [(2, 600, True, MERGE_WAITS_S[:2]), (100, 600, False, MERGE_WAITS_S), (1, 0.5, False, ())],
    ids=["it is being made", "it is never made", "the time for waiting is spent"],
)
def test_a_merge_is_waited_for_and_no_older_one_is_taken_for_it(github, pull, waits, left, is_made, slept):
    older = github.repository.refs["refs/heads/main"]
    pull.pull.merge_waits, pull.pull.merge_sha = waits, None if is_made else older
    github.client._connection.waits.left = left
    found = github.client.merge_attempt(pull.number)
    assert (bool(found.sha), found.conflicts) == (is_made, False)
    assert github.slept == list(slept)


def test_sides_that_conflict_have_no_merge(github, pull):
    github.server.world.push(github.repository, "feature", {"app.py": b"theirs\n"})
    github.server.world.push(github.repository, "main", {"app.py": b"ours\n"})
    found = github.client.merge_attempt(pull.number)
    assert (found.sha, found.conflicts) == ("", True)


@pytest.mark.parametrize("odd", ["refs/heads/main", "HEAD", "abc123", "../../x", "0" * 41, 7, [], {}])
def test_a_merge_with_a_name_that_is_no_sha_is_refused(github, pull, odd):
    pull.pull.merge_sha = odd or "x"
    with pytest.raises(GitHubError):
        github.client.merge_attempt(pull.number)


def test_a_merge_needs_the_permission_to_read_pull_requests(github, pull):
    token = github.server.world.actions_token({"contents": "read"})
    with client_of(github, token) as client, pytest.raises(PermissionDenied, match="pull-requests: read"):
        client.merge_attempt(pull.number)


def test_a_commit_is_read_with_its_time(github):
    when = datetime(2021, 3, 4, 5, 6, 7, tzinfo=UTC)
    sha = github.server.world.push(github.repository, "main", {"n.py": b"1\n"}, when=when)
    assert github.client.read_commit(sha).committed_at == when


class Odd(Person):
    """Whoever commits says when."""

    __slots__ = ("said",)

    def document(self):
        return {"name": self.name, "email": self.email, "date": self.said}


@pytest.mark.parametrize(
    "said",
    [
        *("275760-09-13T00:00:00Z", "0000-00-00T00:00:00Z", "0001-01-01T00:00:00+23:59", "yesterday", ""),
        *(None, 7, [], {}, "9999-12-31T23:59:59-23:59"),
    ],
)
def test_a_time_that_no_calendar_has_is_none(github, said):
    sha = github.repository.refs["refs/heads/main"]
    commit = github.repository.objects.commits[sha]
    who = Odd(name="x", email="x@example.org", when=commit.committer.when)
    object.__setattr__(who, "said", said)
    github.repository.objects.commits[sha] = replace(commit, committer=who)
    assert github.client.read_commit(sha).committed_at is None


def failed(github, **more):
    run = github.server.world.run(github.repository, github.repository.refs["refs/heads/main"])
    github.server.world.job(run, **more)
    (job,) = github.client.failed_jobs(run.id)
    return job


def test_a_job_has_its_runners_name_and_labels_of_thousands_some(github):
    job = failed(github, labels=("self-hosted", "linux", "x64"), runner="box 7")
    assert (job.labels, job.runner) == (("self-hosted", "linux", "x64"), "box 7")
    assert len(failed(github, labels=("x",) * 5_000).labels) == MAX_LABELS


@pytest.mark.parametrize("labels", [None, 7, "ubuntu", {}, [None], ["linux", 7], [["linux"]], [{"a": 1}]])
def test_labels_of_any_type_end_nothing(github, labels):
    job = failed(github, labels=labels, runner=labels if not isinstance(labels, str) else None)
    assert (job.labels, job.runner, job.name) == ((), "", "test")


WITH = {"a/b/c.py": b"1\n", "a/d.py": b"2\n", "e.py": b"3\n"}


@pytest.mark.parametrize(
    ("pushed", "files", "only"),
    [
        ({"a/b/c.py": b"9\n"}, {"a/b/c.py": b"9\n"}, True),
        ({"a/b/c.py": b"9\n", "e.py": b"8\n"}, {"a/b/c.py": b"9\n", "e.py": b"8\n"}, True),
        ({"new/f.py": b"9\n"}, {"new/f.py": b"9\n"}, True),
        ({"a/b/c.py": b"8\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"e.py": b"8\n"}, {"e.py": b"8\n", "a/d.py": b"9\n"}, False),
        ({"a/b/c.py": b"9\n", "a/d.py": b"9\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"a/b/c.py": b"9\n", "a/b/g.py": b"9\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"new/f.py": b"9\n", "new/g.py": b"9\n"}, {"new/f.py": b"9\n"}, False),
        ({"a/b/c.py": b"9\n", "h/i.py": b"9\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"a/b/c.py": b"9\n", "e.py": None}, {"a/b/c.py": b"9\n"}, False),
        ({"a/b/c.py": None, "a/b": b"9\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"e.py": None, "e.py/f.py": b"9\n"}, {"e.py/f.py": b"9\n"}, False),
        ({"e.py": Executable(b"9\n")}, {"e.py": b"9\n"}, False),
        ({"new.py": Executable(b"9\n")}, {"new.py": b"9\n"}, False),
        ({"e.py": Link("a/d.py")}, {"e.py": b"2\n"}, False),
    ],
)
def test_a_commit_changes_these_files_only_or_more_or_less(github, pushed, files, only):
    parent = github.server.world.push(github.repository, "main", WITH)
    sha = github.server.world.push(github.repository, "main", pushed)
    assert github.client.changes_only(files, sha=sha, parent=parent) is only
