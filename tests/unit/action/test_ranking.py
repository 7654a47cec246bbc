"""Which failed jobs are tried, in which order, and when a proposal that stands answers them."""

from delivery_cases import HEAD, artifact, state
from every_case import every_case
from log_support import job, log, names

from bot.action.ranking import answers, distinct, ranked
from bot.delivery.sticky import Sticky
from bot.github.records import Comment
from bot.triage import CauseKind

PROPOSED = artifact(settings_digest="ab")
(TEST,) = (one.test for one in PROPOSED.failing)
RED, OTHER = log("red", tests=(TEST,)), log("other", tests=("tests/test_other.py::test",))


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
    assert job(name, labels=labels, runner=runner).is_linux is linux


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


def sticky(of=PROPOSED, **fields):
    comment = Comment(id=1, author="bot", body="", url="")
    return Sticky(comment=comment, state=state(PROPOSED, **fields), artifact=of)


def is_answered(found, *logs, head=HEAD, digest="ab"):
    return answers(found, head=head, settings_digest=digest, logs=logs)


def test_the_same_head_settings_and_failing_tests_are_answered():
    assert is_answered(sticky(), RED)
    assert is_answered(sticky(), RED, RED, log("net", CauseKind.INFRASTRUCTURE, ("a::b",)))


@every_case(
    "found",
    [
        None,
        sticky(of=None),
        *(sticky(status=status) for status in ("publishing", "withdrawn", "dismissed", "applied", "noted")),
    ],
)
def test_only_what_was_delivered_and_stands_is_an_answer(found):
    assert not is_answered(found, RED)


@every_case(
    ("logs", "more"),
    [
        ((), {}),
        ((log("none", tests=()),), {}),
        ((log("both", tests=(TEST, "tests/test_other.py::test")),), {}),
        ((RED, OTHER), {}),
        ((RED,), {"head": "e" * 40}),
        ((RED,), {"digest": "cd"}),
    ],
    ids=["no log", "no test", "one more test", "another job", "another head", "other settings"],
)
def test_anything_else_is_searched(logs, more):
    assert not is_answered(sticky(), *logs, **more)
