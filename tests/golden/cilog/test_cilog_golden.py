"""Logs that pytest really wrote (see make_logs.py), each with what a person reads in it."""

import dataclasses
import json
from pathlib import Path

import pytest
from every_case import every_case
from golden.cilog.plain import as_plain

from bot.cilog import read_log
from bot.cilog.model import LogStatus

HERE = Path(__file__).parent
LOGS = sorted(HERE.glob("*.log"))


@every_case("log", LOGS)
def test_reads_what_a_person_reads(log):
    with log.open("rb") as stream:
        reading = read_log(stream)

    assert as_plain(reading) == json.loads(log.with_suffix(".json").read_text(encoding="utf-8"))


@every_case("log", LOGS)
def test_names_exactly_the_tests_that_pytest_reported(log):
    truth: dict[str, str] = {}
    for line in log.with_suffix(".truth").read_text(encoding="utf-8").splitlines():
        status, _, node = line.partition(" ")
        truth[node] = status if truth.get(node) != "failed" else "failed"
    reading = read_log([log.read_bytes()])

    # Of a test that ended the whole process, pytest had no time to report.
    said = [failure for failure in reading.failures if failure.status is not LogStatus.CRASHED]
    assert {failure.test: str(failure.status) for failure in said} == truth


@pytest.mark.slow
@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
@pytest.mark.parametrize("size", [1, 7, 4096])
def test_the_pieces_in_which_a_log_arrives_do_not_matter(log, size):
    if size == 1 and log.stat().st_size > 12_000:
        pytest.skip("one byte at a time is slow")
    data = log.read_bytes()

    assert read_log([data[at : at + size] for at in range(0, len(data), size)]) == read_log([data])


def test_every_log_has_its_expectation_and_no_machine_in_it():
    assert len(LOGS) >= 12
    assert {log.stem for log in LOGS} == {path.stem for path in HERE.glob("*.json")}
    for log in LOGS:
        text = log.read_text(encoding="utf-8")
        assert "/tmp/" not in text
        assert "/work/main" not in text


def test_the_message_keeps_the_lines_that_explain_it():
    reading = read_log([(HERE / "long.log").read_bytes()])

    assert [dataclasses.asdict(failure)["message"] for failure in reading.failures][1] == (
        "total of [5] is wrong\nassert 0 == 5\n +  where 0 = total([5])"
    )
