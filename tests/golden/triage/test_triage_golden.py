"""Verdicts and test commands for logs of every kind, written down by reading each log."""

import os
from pathlib import Path

import pytest
from every_case import every_case
from triage_expected import CODE_TESTS, LATER, REAL, SMALL

from bot.triage.log import ask

HERE = Path(__file__).parent


@every_case("name", SMALL)
def test_the_verdict_on_a_small_log(name):
    answer = ask(HERE / f"{name}.log", {})

    assert (answer.verdict.name, answer.command and answer.command.text) == SMALL[name]
    assert bool(answer.tests) == (answer.verdict.name in {CODE_TESTS, "code/import"})
    assert answer.verdict.evidence
    text = (HERE / f"{name}.log").read_text("utf-8").splitlines()
    for finding in answer.verdict.evidence:
        assert finding.log_line <= len(text)


def test_every_small_log_has_an_expectation():
    assert {path.stem for path in HERE.glob("*.log")} == SMALL.keys()


@every_case("name", [name for name, (verdict, _) in SMALL.items() if "/" in verdict])
def test_the_evidence_names_the_line(name):
    finding = ask(HERE / f"{name}.log", {}).verdict.evidence[0]

    assert finding.log_line
    assert finding.text
    line = (HERE / f"{name}.log").read_text("utf-8").splitlines()[finding.log_line - 1]
    assert finding.kind.value == "code" or "failing tests" in finding.why or finding.text[-40:] in line


def test_what_was_right_on_logs_that_the_rules_had_not_seen_stays_right():
    said = {name: ask(HERE / "later" / f"{name}.log", {}).verdict.name for name in LATER}

    assert {name for name in LATER if said[name] != LATER[name]} <= {"assert_script", "setup_py_syntax"}
    assert {path.stem for path in (HERE / "later").glob("*.log")} == LATER.keys()


@pytest.mark.shared_data
@pytest.mark.parametrize("name", REAL)
def test_the_verdict_on_a_real_log(name):
    root = os.environ.get("REGREEN_SHARED_DATA")
    if not root:
        pytest.skip("REGREEN_SHARED_DATA does not name the directory of the real logs")
    answer = ask(Path(root) / "cilogs" / f"{name}.log", {})

    verdict, tests, command, _ = REAL[name]
    assert (answer.verdict.name, len(answer.tests)) == (verdict, tests)
    assert answer.command is not None
    assert answer.command.text.endswith(command)
