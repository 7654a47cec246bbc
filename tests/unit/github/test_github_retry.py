"""What is asked again, after how long, and when it is given up."""

import pytest
from client_support import client_of
from every_case import every_case
from fakes.github import Fault, secondary_limit
from github_fixture import FULL_NAME

from bot.errors import GitHubError, NotFound, PermissionDenied, RateLimited
from bot.github.client import connect
from bot.github.retry import REPEATS, Waits

NOW = 1_800_000_000.0


def _asked(github, method: str, path: str) -> list[int]:
    return [one.status for one in github.server.seen(method, path)]


@pytest.fixture
def issue(github):
    return github.server.world.issue(github.repository, title="An issue")


@pytest.mark.parametrize("status", [500, 502, 503, 0])
def test_a_read_is_repeated_with_growing_pauses(github, issue, status):
    github.server.fail("GET", "comments$", Fault(status=status), times=3)
    assert github.client.comments(1) == ()
    assert _asked(github, "GET", "comments$") == [status] * 3 + [200]
    assert github.slept == sorted(github.slept)
    assert 0.5 < sum(github.slept) < 10


def test_a_read_is_given_up(github, issue):
    github.server.fail("GET", "comments$", Fault(status=502), times=-1)
    with pytest.raises(GitHubError, match=r"cannot read the comments on 1 in octo/app: .* 502, .*run again"):
        github.client.comments(1)
    assert len(_asked(github, "GET", "comments$")) == REPEATS + 1


def test_a_refusal_is_not_repeated(github):
    with pytest.raises(NotFound):
        github.client.pull(1)
    assert _asked(github, "GET", "pulls/1$") == [404]
    assert github.slept == []


@pytest.mark.parametrize(
    ("fault", "times", "slept"),
    [
        (secondary_limit(7), 1, [7.0]),
        (secondary_limit(None), 2, [60.0, 60.0]),
        (Fault(status=429, headers={"retry-after": "3"}), 1, [3.0]),
    ],
    ids=["as long as it says", "a minute where it says nothing", "status 429"],
)
def test_a_limit_is_waited_for(github, issue, fault, times, slept):
    github.server.fail("POST", "comments$", fault, times=times)
    github.client.comment(1, "hello")
    assert github.slept == slept
    assert [one.body for one in issue.comments] == ["hello"]


@pytest.mark.parametrize(
    ("seconds", "slept", "said"),
    [
        (100_000, [], r"until 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC, 100000 s from now: run again"),
        (130, [130.0, 130.0], "130 s from now"),
        (1, [1.0] * REPEATS, "holds on after"),
    ],
    ids=["too long", "too long together", "without end"],
)
def test_a_limit_that_lasts_too_long_is_said_with_its_end(github, issue, seconds, slept, said):
    github.server.fail("POST", "comments$", secondary_limit(seconds), times=-1)
    with pytest.raises(RateLimited, match=said):
        github.client.comment(1, "hello")
    assert (github.slept, issue.comments) == (slept, [])


def test_the_primary_limit_is_waited_for_until_its_reset(github, issue):
    slept = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        github.server.rate.remaining = 10

    github.server.rate.remaining, github.server.rate.reset = 0, int(NOW) + 20
    with client_of(github, sleep=sleep, now=lambda: NOW) as client:
        assert client.comments(1) == ()
    assert slept == [21.0]


def test_the_primary_limit_far_away_is_said(github):
    github.server.rate.remaining, github.server.rate.reset = 0, int(NOW) + 3_000
    with (
        client_of(github, now=lambda: NOW) as client,
        pytest.raises(RateLimited, match=r"2027-01-15 08:50:01 UTC, 3001 s"),
    ):
        client.default_branch()


@every_case("seconds", [1e12, 1e20, float("inf")])
def test_a_wait_beyond_every_calendar_is_a_limit_too(seconds):
    with pytest.raises(RateLimited, match="no calendar"):
        Waits(sleep=pytest.fail, now=lambda: NOW).check(seconds)


def test_a_download_waits_as_well(github):
    run = github.server.world.run(github.repository, github.repository.refs["refs/heads/main"])
    job = github.server.world.job(run, log=b"the log")
    github.server.fail("GET", "logs$", secondary_limit(2))
    github.server.fail("GET", "logs$", Fault(status=502))
    assert github.client.job_log(job.id, limit=100) == b"the log"
    assert github.slept[0] == 2.0
    assert len(github.server.downloads) == 1


def test_a_download_that_breaks_off_is_begun_again(github, caplog):
    head = github.repository.refs["refs/heads/main"]
    job = github.server.world.job(github.server.world.run(github.repository, head), log=b"the whole log")
    github.server.cuts = 2
    assert github.client.job_log(job.id, limit=100) == b"the whole log"
    github.server.cuts = 1
    whole = github.client.archive(head, limit=100_000)
    assert whole == list(github.server.stored.values())[-1]
    assert len(github.server.downloads) == 5
    github.server.cuts = -1
    with pytest.raises(GitHubError, match="no answer"):
        github.client.archive(head, limit=100_000)
    assert "short-lived" not in caplog.text


def test_a_refusal_with_the_last_request_is_a_refusal(github):
    token = github.server.world.actions_token({})
    github.server.rate.remaining = 1
    with client_of(github, token) as client, pytest.raises(PermissionDenied):
        client.run(1)


def test_a_server_that_is_not_there_is_said_without_the_token():
    slept, said = [], r"no answer from 127.0.0.1:9 \(ConnectionError\): check the network"
    there = {"api_url": "http://127.0.0.1:9", "waits": Waits(sleep=slept.append)}
    with (
        connect(repository=FULL_NAME, token="ghs_secret", **there) as client,
        pytest.raises(GitHubError, match=said) as caught,
    ):
        client.default_branch()
    assert "ghs_secret" not in str(caught.value)
    assert sum(slept) < 60
