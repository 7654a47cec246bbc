"""In which order failed jobs are tried."""

from pathlib import Path

from every_case import every_case

from bot.action.logs import JobLog
from bot.action.ranking import distinct, ranked
from bot.action.systems import is_linux
from bot.cilog.model import LogReading
from bot.github.records import Job, WorkflowRun
from bot.triage import CauseKind
from bot.triage.log import LogAnswer
from bot.triage.model import TriageVerdict

RUN = WorkflowRun(
    id=1,
    name="CI",
    event="push",
    status="completed",
    conclusion="failure",
    head_sha="a" * 40,
    head_branch="main",
    head_repository="octo/app",
    actor="dev",
    triggering_actor="dev",
    attempt=1,
    url="",
)


def job(name="test", *, labels=(), runner=""):
    return Job(id=hash(name), name=name, conclusion="failure", url="", labels=labels, runner=runner)


def log(name, kind=CauseKind.CODE, tests=("t.py::a",), confidence=0.9, **where):
    verdict = TriageVerdict(kind=kind, subkind="", confidence=confidence, advice="", tests=tests)
    answer = LogAnswer(reading=LogReading(), verdict=verdict, tests=tests, command=None)
    return JobLog(run=RUN, job=job(name, **where), path=Path(name), scan=None, answer=answer)


def names(logs):
    return [one.job.name for one in logs]


@every_case(
    ("name", "labels", "runner", "linux"),
    [
        ("test", ("ubuntu-latest",), "GitHub Actions 1", True),
        ("test", ("windows-2022",), "GitHub Actions 1", False),
        ("test", ("macos-14",), "", False),
        ("test", ("self-hosted", "linux", "x64"), "", True),
        ("test", ("self-hosted", "Windows", "X64"), "", False),
        ("test windows paths", ("ubuntu-latest",), "", True),
        ("test", ("big",), "win-7", False),
        ("test", ("big",), "linux-7", True),
        ("test (windows-latest, 3.12)", (), "", False),
        ("test (macos-latest, 3.12)", (), "GitHub Actions 3", False),
        ("test (ubuntu-latest, 3.12)", (), "", True),
        ("winners of the window", ("drawings",), "", True),
        ("", (), "", True),
    ],
)
def test_the_system_is_told_by_labels_before_names(name, labels, runner, linux):
    assert is_linux(job(name, labels=labels, runner=runner)) is linux


def test_each_rule_counts_more_than_all_below_it():
    wanted = [
        log("few", tests=("t.py::a",)),
        log("many", tests=("t.py::a", "t.py::b")),
        log("unsure", confidence=0.4),
        log("unnamed", tests=(), confidence=0.99),
        log("windows", labels=("windows-latest",), confidence=0.99),
        log("flaky", CauseKind.FLAKY, (), 0.99),
        log("flaky mac", CauseKind.FLAKY, (), 0.99, labels=("macos-14",)),
    ]
    assert names(ranked(wanted[::-1])) == names(wanted)


def test_of_those_alike_the_first_stays_first():
    assert names(ranked([log("b"), log("a"), log("c")])) == ["b", "a", "c"]


def test_the_same_failing_tests_are_tried_once_in_whatever_order_they_come():
    logs = [
        log("3.13", tests=("t.py::a", "t.py::b")),
        log("3.12", tests=("t.py::b", "t.py::a")),
        log("3.11", tests=("t.py::a",)),
    ]
    assert names(distinct(logs)) == ["3.13", "3.11"]


def test_jobs_that_name_no_test_may_each_be_another_failure():
    assert names(distinct([log("a", tests=()), log("b", tests=())])) == ["a", "b"]
