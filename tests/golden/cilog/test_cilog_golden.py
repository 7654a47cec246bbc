"""Logs that test runners really wrote, each with what a person reads in it.

Those in this directory are pytest's (make_logs.py), those in ``runners`` of many versions of many runners
(make_runner_logs.py).
"""

import dataclasses
import json
from pathlib import Path

import pytest
from every_case import every_case
from golden.cilog.plain import as_plain

from bot.cilog import read_log
from bot.cilog.model import LogStatus

HERE = Path(__file__).parent
OF_PYTEST = sorted(HERE.glob("*.log"))
OF_RUNNERS = sorted((HERE / "runners").glob("*.log"))
LOGS = [*OF_PYTEST, *OF_RUNNERS]


def reading_of(name: str):
    return read_log([(HERE / f"runners/{name}.log").read_bytes()])


@every_case("log", LOGS)
def test_reads_what_a_person_reads(log):
    expected = json.loads(log.with_suffix(".json").read_text(encoding="utf-8"))

    assert as_plain(read_log([log.read_bytes()])) == expected


@every_case("log", OF_PYTEST)
def test_names_exactly_the_tests_that_pytest_reported(log):
    truth: dict[str, str] = {}
    for line in log.with_suffix(".truth").read_text(encoding="utf-8").splitlines():
        status, _, node = line.partition(" ")
        truth[node] = status if truth.get(node) != "failed" else "failed"
    reading = read_log([log.read_bytes()])

    # Of a test that ended the whole process, pytest had no time to report.
    said = [failure for failure in reading.failures if failure.status is not LogStatus.CRASHED]
    assert {failure.test: str(failure.status) for failure in said} == truth


@pytest.mark.parametrize(
    "size", [997, *(pytest.param(size, marks=pytest.mark.slow) for size in (1, 7, 4096))]
)
def test_the_pieces_in_which_a_log_arrives_do_not_matter(size):
    for log in LOGS:
        data = log.read_bytes()
        if size > 1 or len(data) <= 12_000:  # one byte at a time is slow
            pieces = [data[at : at + size] for at in range(0, len(data), size)]
            assert read_log(pieces) == read_log([data]), log.stem


def test_all_logs_one_after_another_name_the_failures_of_each():
    contents = [log.read_bytes() for log in OF_RUNNERS if b"\xef\xbb\xbf" in log.read_bytes()[:3]]
    alone = {failure.test for content in contents for failure in read_log([content]).failures}

    assert {failure.test for failure in read_log(contents).failures} == alone


@pytest.mark.parametrize(("logs", "least"), [(OF_PYTEST, 12), (OF_RUNNERS, 40)])
def test_every_log_has_its_expectation_and_no_machine_in_it(logs, least):
    assert len(logs) >= least
    assert {log.stem for log in logs} == {path.stem for path in logs[0].parent.glob("*.json")}
    for log in logs:
        text = log.read_text(encoding="utf-8")
        assert not any(place in text for place in ("/tmp/", "/root/", "/work/main"))


def test_the_message_keeps_the_lines_that_explain_it():
    reading = read_log([(HERE / "long.log").read_bytes()])

    assert [dataclasses.asdict(failure)["message"] for failure in reading.failures][1] == (
        "total of [5] is wrong\nassert 0 == 5\n +  where 0 = total([5])"
    )


def test_what_a_buffered_test_printed_is_neither_failure_nor_success():
    reading = reading_of("unittest_spoof")

    assert {one.test for one in reading.failures} == {
        "test_spoof.TestSpoof.test_a_report",
        "test_spoof.TestSpoof.test_b_success",
        "test_spoof.TestSpoof.test_c_block",
    }
    assert (len(reading.sessions), reading.failed, reading.passed) == (1, 3, 1)


@every_case(
    ("name", "test"),
    [
        ("p7_timeout_thread", "test_slow.py::test_sleeps"),
        ("p8_segfault", "test_native.py::test_null"),
        ("p9_crash", "test_crash.py::test_crash"),
        ("unittest_segfault", "test_native.TestNative.test_null"),
    ],
)
def test_who_ran_when_the_interpreter_died(name, test):
    crashed = [one for one in reading_of(name).failures if one.status is LogStatus.CRASHED]

    assert [one.test for one in crashed] == [test]
    assert crashed[0].frames


def test_the_seed_of_a_random_order_is_told():
    (random,) = reading_of("p7_random").sessions

    assert random.seed.isdecimal()
