"""Which logs of the failed jobs are read, and what they say of the files that the job tested."""

import pytest
from fakes.action import FAILING_LOG, REPOSITORY, SHOP, SHUTDOWN, job_log, shop
from fakes.github import serve
from fakes.progress import FakeProgress

from bot.action import logs
from bot.action.logs import checked_out, read_logs
from bot.github.client import connect


@pytest.fixture
def read(tmp_path):
    """What is read of jobs, given as their names with log and labels."""

    def reading(*jobs, progress=None):
        with serve() as server:
            place = shop(server)
            place.run.jobs.clear()
            for name, log, *labels in jobs:
                content = None if log is None else job_log(log)
                server.world.job(place.run, name, log=content, labels=tuple(labels) or ("ubuntu-latest",))
            token = server.world.actions_token()
            with connect(repository=REPOSITORY, token=token, api_url=server.url) as github:
                runs = [github.run(place.run.id)]
                return read_logs(
                    runs, github, files=SHOP, directory=tmp_path, progress=progress or FakeProgress()
                )

    return reading


def test_every_failed_job_that_has_a_log_is_read(read):
    progress = FakeProgress()
    found = read(("gone", None), ("down", SHUTDOWN), ("red", FAILING_LOG), progress=progress)
    assert [one.job.name for one in found] == ["down", "red"]
    assert [one.answer.tests for one in found] == [(), ("tests/test_prices.py::test_with_tax",)]
    name, said = progress.stages[0]
    assert (name, said.partition(": ")[0]) == ("log", "none of the job gone")
    assert len({one.path for one in found}) == 2
    assert all(one.path.read_bytes() for one in found)


def test_without_any_log_there_is_nothing(read):
    assert read(("gone", None)) == ()
    assert read() == ()


def test_of_more_jobs_than_are_read_those_on_linux_are_taken(read, monkeypatch):
    monkeypatch.setattr(logs, "JOBS_LIMIT", 2)
    jobs = [
        ("w", FAILING_LOG, "windows-latest"),
        ("m", FAILING_LOG, "macos-14"),
        ("a", FAILING_LOG),
        ("b", FAILING_LOG),
        ("c", FAILING_LOG),
    ]
    assert [one.job.name for one in read(*jobs)] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("test (3.12)", "test (3.12)"),
        ("a\r\n::error::owned\x1b[31m", "a  ::error::owned [31m"),
        ("x" * 500, "x" * logs.JOB_NAME),
        ("`code` \u202egnp", "'code'  gnp"),
        ("\x00", "without a name"),
    ],
)
def test_a_jobs_name_is_shown_on_one_line_and_as_nothing_but_text(read, name, shown):
    progress = FakeProgress()
    (found,) = read((name, FAILING_LOG), progress=progress)
    assert found.name == shown
    assert progress.stages == [("log", f"{shown}: code/tests")]


MERGE = "[command]/usr/bin/git checkout --progress --force refs/remotes/pull/7/merge\n"
HEAD = f"[command]/usr/bin/git checkout --progress --force {'a' * 40}\n"
WINDOWS = MERGE.replace("/usr/bin/git", '"C:\\Program Files\\Git\\bin\\git.exe"')
OTHER = "[command]/usr/bin/git checkout --progress --force -B main refs/remotes/origin/main\n"


@pytest.mark.parametrize(
    ("text", "merge"),
    [
        (MERGE, True),
        (WINDOWS, True),
        (f"{MERGE}{OTHER}", True),
        (f"{OTHER}{MERGE}", True),
        (HEAD, False),
        (OTHER, False),
        (MERGE.replace("/7/", "/77/"), False),
        (MERGE.replace("/merge", "/merge-queue"), False),
        (FAILING_LOG, None),
        ("", None),
        ("[command]/usr/bin/git log -1 --format='%H'\n", None),
        ("[command]" * 100_000, None),
    ],
)
def test_the_log_says_what_was_checked_out(tmp_path, text, merge):
    path = tmp_path / "job.log"
    path.write_bytes(job_log(text))
    assert checked_out(path, 7) is merge
