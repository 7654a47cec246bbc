"""Pages, forks, runs, files: what the client makes of what GitHub has."""

import pytest
from client_support import client_of
from fakes.github import Executable, Fault, Link, Submodule
from github_fixture import FULL_NAME

from bot.errors import GitHubError, Unprocessable


def test_all_pages_are_read(github):
    world = github.server.world
    issue = world.issue(github.repository, title="t")
    for number in range(250):
        world.comment(issue, str(number), user=world.bot)
    assert [one.body for one in github.client.comments(1)] == [str(number) for number in range(250)]
    assert len(github.server.seen("GET", "comments$")) == 3
    world.push(github.repository, "feature", {f"f{number:03}.py": b"1\n" for number in range(120)})
    world.pull(github.repository, "feature")
    assert len(github.client.changed_files(2)) == 120


def test_a_forks_pull_request_is_found_by_its_head_and_read_when_the_fork_is_gone(github):
    world = github.server.world
    fork = world.fork(github.repository, "stranger")
    sha = world.push(fork, "patch", {"app.py": b"theirs\n"})
    made = world.pull(github.repository, "patch", fork=fork, user="stranger")
    (found,) = github.client.pulls_at(sha)
    assert (found.number, found.head_repository, found.is_fork) == (1, "stranger/app", True)
    assert github.client.pulls_from("patch") == ()
    assert github.client.archive(sha, limit=1_000_000)
    assert github.client.file("app.py", ref=sha) == b"theirs\n"
    made.pull.head_repository = None
    found = github.client.pull(1)
    assert (found.head_repository, found.is_fork) == ("", True)


def test_a_commit_that_is_nobodys_head_has_no_pull_request(github):
    assert github.client.pulls_at("0" * 40) == ()
    assert github.client.pulls_at(github.repository.refs["refs/heads/main"]) == ()


def test_the_diff_has_each_file_with_its_patch(github):
    world = github.server.world
    world.push(github.repository, "main", {"old.py": b"1\n2\n3\n", "gone.py": b"1\n", "b.bin": b"\0"})
    world.push(
        github.repository,
        "feature",
        {
            "app.py": b"new\n",
            "old.py": None,
            "new.py": b"1\n2\n3\n",
            "gone.py": None,
            "b.bin": b"\0\1",
            "n": b"",
        },
    )
    world.pull(github.repository, "feature")
    found = {one.path: one for one in github.client.changed_files(1)}
    assert {path: one.status for path, one in found.items()} == {
        "app.py": "modified",
        "b.bin": "modified",
        "gone.py": "removed",
        "n": "added",
        "new.py": "renamed",
    }
    assert found["app.py"].patch.endswith("\n+new")
    assert found["b.bin"].patch == found["n"].patch == ""
    assert found["new.py"].previous_path == "old.py"
    assert found["gone.py"].previous_path == ""


def test_a_run_is_told_with_who_started_it(github):
    world = github.server.world
    sha = world.push(github.repository, "feature", {"app.py": b"new\n"})
    world.pull(github.repository, "feature")
    run = world.run(
        github.repository, sha, branch="feature", pulls=(1,), triggering_actor="maintainer", attempt=2
    )
    said = github.client.run(run.id)
    assert (said.actor, said.triggering_actor) == ("dev", "maintainer")
    assert (said.head_sha, said.head_branch, said.pulls) == (sha, "feature", (1,))
    assert (said.event, said.conclusion, said.head_repository) == ("pull_request", "failure", FULL_NAME)
    assert github.client.runs_at(sha) == (said,)


def test_only_the_latest_attempts_failed_jobs_count(github):
    world = github.server.world
    run = world.run(github.repository, github.repository.refs["refs/heads/main"], attempt=2)
    world.job(run, "old", attempt=1)
    wanted = [world.job(run, "red"), world.job(run, "late", conclusion="timed_out")]
    for conclusion in ("success", "skipped", "cancelled", None):
        world.job(run, "other", conclusion=conclusion)
    assert [job.id for job in github.client.failed_jobs(run.id)] == [job.id for job in wanted]


@pytest.mark.parametrize(
    ("runs", "conclusion"),
    [
        ([], ""),
        ([("CI", "completed", "success")], "success"),
        ([("CI", "completed", "success"), ("Docs", "completed", "skipped")], "success"),
        ([("CI", "completed", "failure"), ("CI", "completed", "success")], "success"),
        ([("CI", "completed", "success"), ("CI", "completed", "failure")], "failure"),
        ([("CI", "completed", "success"), ("Docs", "completed", "failure")], "failure"),
        ([("CI", "completed", "success"), ("Docs", "in_progress", None)], "pending"),
        ([("CI", "completed", "failure"), ("Docs", "in_progress", None)], "failure"),
        ([("CI", "completed", "action_required")], "pending"),
        ([("CI", "completed", "cancelled")], "failure"),
    ],
)
def test_what_ci_says_of_a_commit(github, runs, conclusion):
    sha = github.repository.refs["refs/heads/main"]
    for workflow, status, ended in runs:
        github.server.world.run(github.repository, sha, workflow=workflow, status=status, conclusion=ended)
    assert github.client.conclusion_at(sha) == conclusion


def test_a_role_is_told_by_its_name(github):
    roles = {"a": "admin", "m": "maintain", "w": "write", "t": "triage", "r": "read", "x": "security-lead"}
    for login, role in roles.items():
        github.server.world.user(login)
        github.repository.roles[login] = role
    said = {login: github.client.permission_of(login) for login in roles}
    assert said == {**roles, "x": "none"}


def test_links_and_submodules_are_no_files_and_stay_as_they_are(github):
    world = github.server.world
    sha = world.push(
        github.repository,
        "main",
        {
            "link.py": Link("app.py"),
            "up": Link("/proc/self/environ"),
            "sub": Submodule("1" * 40),
            "d/f": b"1",
        },
    )
    no_files = ["link.py", "up", "sub", "sub/x", "link.py/x", "d", "", "../app.py", "d/../app.py", "/app.py"]
    for path in no_files:
        assert github.client.file(path, ref=sha) is None, path
    for path in ("link.py", "sub", "d"):
        with pytest.raises(Unprocessable, match="not a plain file"):
            github.client.commit(parent=sha, files={path: b"x"}, message="m")
    for path in ("link.py/x.py", "sub/x.py", "d/f/x.py"):  # what is there would give way to a directory
        with pytest.raises(Unprocessable, match="below what is no directory"):
            github.client.commit(parent=sha, files={path: b"x"}, message="m")


def test_all_paths_of_a_commit_take_one_request(github):
    files = {"a/b/c.py": b"", "link.py": Link("app.py"), "sub": Submodule("1" * 40)}
    sha = github.server.world.push(github.repository, "main", files)
    before = len(github.server.requests)
    assert {*files, "app.py"} <= set(github.client.paths(ref=sha))
    assert "a/b" not in github.client.paths(ref=sha)
    assert len(github.server.requests) == before + 2


def test_the_mode_of_a_file_is_kept(github):
    sha = github.server.world.push(github.repository, "main", {"run.sh": Executable(b"old")})
    new = github.client.commit(parent=sha, files={"run.sh": b"new"}, message="m")
    leaf = github.repository.objects.at(new)["run.sh"]
    assert (leaf.mode, github.repository.objects.blobs[leaf.sha]) == ("100755", b"new")


def test_a_branch_is_read_as_it_is_now(github):
    assert github.client.file("n.py", ref="main") is None
    github.server.world.push(github.repository, "main", {"n.py": b"1"})
    assert github.client.file("n.py", ref="main") == b"1"


def test_a_branch_may_have_slashes_and_signs(github):
    sha = github.repository.refs["refs/heads/main"]
    for name in ("a/b/c", "fix#1", "50%", "é", "a&b=c"):
        github.client.create_branch(name, sha)
        assert github.client.branch_head(name) == sha
        assert github.client.file("app.py", ref=name) is not None
        github.client.delete_branch(name)
        assert github.client.branch_head(name) is None


def test_only_the_end_of_a_log_is_kept_and_a_tarball_that_is_too_large_is_refused(github):
    run = github.server.world.run(github.repository, github.repository.refs["refs/heads/main"])
    log = b"".join(b"%07d\n" % number for number in range(300_000))
    job = github.server.world.job(run, log=log)
    assert github.client.job_log(job.id, limit=1_000) == log[-1_000:]
    assert github.client.job_log(job.id, limit=10_000_000) == log
    assert github.client.job_log(job.id, limit=0) == b""
    with pytest.raises(GitHubError, match="larger than 50 bytes"):
        github.client.archive(run.head_sha, limit=50)


def test_the_storage_never_sees_the_token_or_a_password_of_the_users(github, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password mine\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    run = github.server.world.run(github.repository, github.repository.refs["refs/heads/main"])
    job = github.server.world.job(run, log=b"log")
    github.client.job_log(job.id, limit=10)
    github.client.archive(run.head_sha, limit=1_000_000)
    assert [one.status for one in github.server.downloads] == [200, 200]
    for one in github.server.downloads:
        assert "authorization" not in one.headers
        assert github.token not in repr(one)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://127.0.0.1/x", "//", "javascript:0"])
def test_no_odd_address_is_followed(github, address):
    sha = github.repository.refs["refs/heads/main"]
    github.server.fail("GET", "tarball", Fault(status=302, headers={"Location": address}), times=-1)
    with pytest.raises(GitHubError, match=r"cannot read the files|not followed"):
        github.client.archive(sha, limit=1_000_000)
    assert github.server.downloads == []


def test_no_open_connection_is_followed_from_a_protected_one():
    from requests import Response

    from bot.github.downloads import _following

    response = Response()
    response.headers["location"] = "http://storage.example/log?sig=secret"
    with pytest.raises(GitHubError, match=r"not followed: http://storage.example$"):
        _following("https://api.github.com/x", response)


def test_redirects_end(github):
    sha = github.repository.refs["refs/heads/main"]
    there = f"{github.server.url}/repos/octo/app/tarball/{sha}"
    github.server.fail("GET", "tarball", Fault(status=302, headers={"Location": there}), times=-1)
    with pytest.raises(GitHubError, match="status 302"):
        github.client.archive(sha, limit=1_000_000)
    assert len(github.server.requests) < 10


def test_a_renamed_repository_is_asked_with_the_token(github):
    sha = github.repository.refs["refs/heads/main"]
    there = f"{github.server.url}/repos/octo/app/tarball/refs/heads/main"
    github.server.fail("GET", "tarball", Fault(status=301, headers={"Location": there}))
    assert github.client.archive(sha, limit=1_000_000)
    assert [bool(one.headers.get("authorization")) for one in github.server.requests] == [True, True]
    assert "authorization" not in github.server.downloads[0].headers


def test_an_enterprise_installation_has_its_own_address(github):
    world = github.server.world
    run = world.run(github.repository, github.repository.refs["refs/heads/main"])
    job = world.job(run, log=b"log")
    with client_of(github, api_url=f"{github.server.enterprise_url}/") as client:
        assert client.job_log(job.id, limit=10) == b"log"
        assert client.viewer() == "github-actions[bot]"
        assert client.default_branch() == "main"


def test_every_request_is_authorised_and_versioned(github):
    github.client.default_branch()
    github.client.archive(github.repository.refs["refs/heads/main"], limit=1_000_000)
    for one in github.server.requests:
        assert one.headers["authorization"].endswith(github.token)
        assert one.headers["x-github-api-version"] == "2022-11-28"
        assert one.headers["user-agent"] == "regreen"
