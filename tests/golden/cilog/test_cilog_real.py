"""Fourteen real GitHub Actions logs, kept outside the repository, each with what a person reads in it.

The expectations in ``real/`` were checked against the logs by eye: names, counts, places and messages.
"""

import json
import os
from pathlib import Path

import pytest
from golden.cilog.plain import as_plain

from bot.causes.log_rules import Topic
from bot.cilog import read_log
from bot.cilog.model import LogStatus

pytestmark = pytest.mark.shared_data

REAL = Path(__file__).parent / "real"
NAMES = sorted(path.stem for path in REAL.glob("*.json"))


@pytest.fixture(scope="module")
def logs():
    root = os.environ.get("REGREEN_SHARED_DATA")
    if not root:
        pytest.skip("REGREEN_SHARED_DATA does not name the directory of the real logs")
    directory = Path(root) / "cilogs"
    if not directory.is_dir():
        reason = f"REGREEN_SHARED_DATA is set, and {directory} is no directory"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return directory


def reading_of(path: Path):
    with path.open("rb") as stream:
        return read_log(stream)


@pytest.mark.parametrize("name", NAMES)
def test_reads_what_a_person_reads(logs, name):
    expected = json.loads((REAL / f"{name}.json").read_text(encoding="utf-8"))

    assert as_plain(reading_of(logs / f"{name}.log")) == expected


def test_the_expectations_cover_every_real_log(logs):
    assert sorted(path.stem for path in logs.glob("*.log")) == NAMES


def test_what_a_session_says_of_itself(logs):
    (session,) = reading_of(logs / "2163834915.log").sessions

    assert (session.python, session.finished) == ("3.7.12", True)
    assert (session.passed, session.failed, session.log_line < session.end_log_line) == (802, 1, True)
    assert session.root == "/home/runner/work/mindmeld/mindmeld"


def test_steps_have_their_commands_and_exit_statuses(logs):
    steps = reading_of(logs / "2283578153.log").steps
    (failed,) = [step for step in steps if step.exit_status]

    assert (failed.exit_status, failed.log_line < 1854 < failed.end_log_line) == (2, True)
    assert failed.shell.startswith("/usr/bin/bash")
    assert any("make" in line for line in failed.script)


def test_a_server_that_does_not_answer_leaves_evidence_of_networks(logs):
    reading = reading_of(logs / "2506527647.log")

    assert any(one.topic is Topic.NETWORK and "Connection refused" in one.text for one in reading.evidence)
    assert [one.topic for one in reading.evidence if one.log_line == 1531] == [Topic.EXIT]


def test_five_segmentation_faults_are_two_failing_tests(logs):
    reading = reading_of(logs / "2512083654.log")

    assert [one.status for one in reading.failures] == [LogStatus.CRASHED] * 2
    assert [session.finished for session in reading.sessions] == [False] * 5
    assert reading.truncated
