"""When a proposal that stands answers a failure, so that nothing is searched again."""

from pathlib import Path

from delivery_cases import HEAD, artifact, state
from every_case import every_case

from bot.action.logs import JobLog
from bot.action.standing import answers
from bot.cilog.model import LogReading
from bot.delivery.sticky import Sticky
from bot.github.records import Comment
from bot.triage import CauseKind
from bot.triage.log import LogAnswer
from bot.triage.model import TriageVerdict

PROPOSED = artifact(settings_digest="ab")
(TEST,) = (one.test for one in PROPOSED.failing)


def log(*tests, kind=CauseKind.CODE):
    verdict = TriageVerdict(kind=kind, subkind="", confidence=0.9, advice="", tests=tests)
    answer = LogAnswer(reading=LogReading(), verdict=verdict, tests=tests, command=None)
    return JobLog(run=None, job=None, path=Path("log"), scan=None, answer=answer)


def sticky(of=PROPOSED, **fields):
    comment = Comment(id=1, author="bot", body="", url="")
    return Sticky(comment=comment, state=state(PROPOSED, **fields), artifact=of)


def asked(found, *logs, head=HEAD, digest="ab"):
    return answers(found, head=head, settings_digest=digest, logs=logs)


def test_the_same_head_settings_and_failing_tests_are_answered():
    assert asked(sticky(), log(TEST))
    assert asked(sticky(), log(TEST), log(TEST), log("a::b", kind=CauseKind.INFRASTRUCTURE))


@every_case(
    "found",
    [
        None,
        sticky(of=None),
        *(sticky(status=status) for status in ("publishing", "withdrawn", "dismissed", "applied", "noted")),
    ],
)
def test_only_what_was_delivered_and_stands_is_an_answer(found):
    assert not asked(found, log(TEST))


@every_case(
    ("logs", "more"),
    [
        ((), {}),
        ((log(),), {}),
        ((log(TEST, "tests/test_other.py::test"),), {}),
        ((log(TEST), log("tests/test_other.py::test")), {}),
        ((log(TEST),), {"head": "e" * 40}),
        ((log(TEST),), {"digest": "cd"}),
    ],
    ids=["no log", "no test", "one more test", "another job", "another head", "other settings"],
)
def test_anything_else_is_searched(logs, more):
    assert not asked(sticky(), *logs, **more)
