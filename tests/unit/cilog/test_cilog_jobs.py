"""What a log says around its tests: steps, marked errors, environments, evidence."""

import re

from cilog_support import read
from every_case import every_case

from bot.causes.log_rules import KEPT_LINES, Topic
from bot.cilog.model import LogEvidence
from bot.cilog.observers.evidence import MAX_EACH

STEP = (
    "##[group]Run pip install -e .",
    "pip install -e .",
    "pytest -x",
    "shell: /usr/bin/bash -e {0}",
    "env:",
    "  DB: sqlite://",
    "##[endgroup]",
)


def test_a_step_has_its_script_its_variables_and_its_exit_status():
    reading = read(
        "##[group]Run actions/checkout@v4",
        "with:",
        "  fetch-depth: 1",
        "##[endgroup]",
        *STEP,
        "some output",
        "##[error]Process completed with exit code 4.",
    )
    checkout, tests = reading.steps

    assert (checkout.title, checkout.script, checkout.environment) == ("actions/checkout@v4", (), ())
    assert (tests.script, tests.shell) == (("pip install -e .", "pytest -x"), "/usr/bin/bash -e {0}")
    assert (tests.environment, tests.exit_status) == ((("DB", "sqlite://"),), 4)
    assert (checkout.log_line, checkout.end_log_line, tests.log_line) == (1, 4, 5)


def test_a_step_whose_head_is_cut_keeps_what_it_has():
    (step,) = read(*STEP[:4]).steps

    assert (step.script, step.exit_status) == (("pip install -e .", "pytest -x"), None)


def test_a_new_step_ends_a_session_that_did_not():
    reading = read(
        "===== test session starts =====",
        "collected 2 items",
        *STEP,
        "F",
        "======================================================================",
        "FAIL: test_a (t.C)",
        "----------------------------------------------------------------------",
        "Traceback (most recent call last):",
        "AssertionError: 1 != 2",
        "",
        "----------------------------------------------------------------------",
        "Ran 1 test in 0.1s",
        "",
        "FAILED (failures=1)",
    )

    assert [one.finished for one in reading.sessions] == [False, True]
    assert [one.test for one in reading.failures] == ["t.C.test_a"]


@every_case(
    ("line", "is_error"),
    [
        ("##[error]pkg/a.py:3:7: F401 unused", True),
        ("##[error]Process completed with exit code 1.", True),
        ("::error file=a%2Cb.py,line=12,col=3,title=T::one%0Atwo%25", True),
        ("##[warning]old", False),
        ("::notice::words", False),
        ("::error no end", False),
        ("##[group]Run x", False),
        ("error: x", False),
        ("##[error", False),
    ],
)
def test_lines_that_a_command_marks_as_errors(line, is_error):
    assert read("before", line).error_lines == ((2,) if is_error else ())


@every_case(
    ("line", "topic"),
    [
        ("curl: (6) Could not resolve host: example.invalid", Topic.NETWORK),
        ("E: Failed to fetch http://mirror.example/x  Connection failed", Topic.NETWORK),
        ("OSError: [Errno 28] No space left on device", Topic.DISK),
        ("/home/runner/work/_temp/a.sh: line 1:  2345 Killed                  pytest", Topic.MEMORY),
        ("##[error]The hosted runner: X lost communication with the server.", Topic.RUNNER),
        ("##[error]The operation was canceled.", Topic.CANCELLED),
        ("##[error]The job has exceeded the maximum execution time of 6h0m0s", Topic.TIMEOUT),
        ("ERROR: Could not find a version that satisfies the requirement x==9", Topic.RESOLUTION),
        ("ERROR: ResolutionImpossible: for help visit", Topic.RESOLUTION),
        ("ModuleNotFoundError: No module named 'x'", Topic.IMPORT),
        ("ERROR: usage: pytest [options]", Topic.CONFIGURATION),
        ("/bin/sh: 1: tox: not found", Topic.CONFIGURATION),
        ("make: *** [Makefile:3: test] Error 2", Topic.EXIT),
        ("##[error]Process completed with exit code 137.", Topic.EXIT),
        ("would reformat src/a.py", Topic.LINT),
        ("src/a.py:3:1: E501 line too long", Topic.LINT),
        ("pkg/a.py:3: error: Incompatible types  [assignment]", Topic.LINT),
        ("ERROR: /x/a.py Imports are incorrectly sorted", Topic.LINT),
        ("npm ERR! code ELIFECYCLE", Topic.FOREIGN),
        ("error: could not compile `x`", Topic.FOREIGN),
        ("Permission denied (publickey).", Topic.PERMISSION),
        ("Segmentation fault (core dumped)", Topic.CRASH),
        ("Collecting requests", None),
        ("FAILED tests/test_a.py", None),
        ("tests/a.py .F [100%]", None),
        ("0 errors found", None),
        ("Killer whale", None),
    ],
)
def test_lines_of_evidence(line, topic):
    found = read("noise", line, "noise é").evidence

    assert [(one.topic, one.log_line) for one in found] == ([(topic, 2)] if topic else [])


def test_every_rule_finds_a_line_that_it_describes_itself():
    # A rule without a pattern finds its literal wherever it stands.
    for kept in KEPT_LINES:
        if kept.pattern == re.escape(kept.literal):
            found = read(f"so {kept.literal} it").evidence
            assert [one.topic for one in found] == [kept.topic], kept.literal


def test_evidence_in_a_failures_output_is_left_out():
    reading = read(
        "===== test session starts =====",
        "Connection refused",
        "===== FAILURES =====",
        "____ test_a ____",
        "E   OSError: Connection refused",
        "",
        "t.py:3: OSError",
        "---- Captured stdout call ----",
        "No space left on device",
        "===== short test summary info =====",
        "FAILED t.py::test_a",
        "===== 1 failed in 0.1s =====",
        "Connection refused",
    )

    assert [one.log_line for one in reading.evidence] == [2, 13]


def test_a_line_is_evidence_once_and_hides_no_later_one():
    reading = read(
        "Connection refused, Connection reset by peer",
        "No space left on device",
        "===== test session starts =====",
        "===== 1 failed in 0.1s =====",
        "Connection refused, No space left on device",
    )

    assert [one.log_line for one in reading.evidence] == [1, 2, 5]


def test_of_very_many_lines_the_first_and_the_last_are_kept():
    reading = read(*(f"Connection refused {number}" for number in range(1_000)))

    assert len(reading.evidence) == MAX_EACH
    assert (reading.evidence[0].log_line, reading.evidence[-1].log_line) == (1, 1_000)
    assert reading.evidence[0] == LogEvidence(topic=Topic.NETWORK, log_line=1, text="Connection refused 0")


def test_environments_of_tox_and_nox():
    reading = read(
        "py38 run-test: commands[0] | pytest -q",
        "ERROR: InvocationError for command /x/pytest -q (exited with code 1)",
        "lint: commands[0]> ruff check",
        "lint: exit 0 (0.12 seconds) /x> ruff check pid=42",
        "docs: commands[0]> sphinx-build",
        "docs: exit 2 (0.12 seconds) /x> sphinx-build -W pid=42",
        "ERROR:   py38: commands failed",
        "  lint: OK (0.12 seconds)",
        "  docs: FAIL code 2 (0.12 seconds)",
        "nox > Running session tests-3.12",
        "nox > Command pytest failed with exit code 1",
        "nox > Session tests-3.12 failed.",
    )

    assert [(one.tool, one.name, one.passed, one.command) for one in reading.environments] == [
        ("tox", "py38", False, "/x/pytest -q"),
        ("tox", "lint", True, "ruff check"),
        ("tox", "docs", False, "sphinx-build -W"),
        ("nox", "tests-3.12", False, "pytest"),
    ]


@every_case(
    ("status", "kept"),
    [(1, range(44, 105)), (0, range(145, 206))],
    ids=["of a step that failed", "of the log"],
)
def test_the_last_lines_are_kept(status, kept):
    output = [f"line {number}" for number in range(95)]
    end = f"##[error]Process completed with exit code {status}."
    reading = read("before", *STEP, *output, end, *STEP[:2], *STEP[3:], *output)

    assert list(reading.tail) == list(kept)
    assert reading.tail[kept[-1]] == ("Process completed with exit code 1." if status else "line 94")
