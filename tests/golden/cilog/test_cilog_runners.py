"""Logs of many versions of many test runners (make_runner_logs.py), each with what a person reads in it."""

import json
from pathlib import Path

from every_case import every_case
from golden.cilog.plain import as_plain

from bot.cilog import read_log
from bot.cilog.model import LogStatus

HERE = Path(__file__).parent / "runners"
LOGS = sorted(HERE.glob("*.log"))


def reading_of(name: str):
    return read_log([(HERE / f"{name}.log").read_bytes()])


@every_case("log", LOGS)
def test_reads_what_a_person_reads(log):
    expected = json.loads(log.with_suffix(".json").read_text(encoding="utf-8"))

    assert as_plain(read_log([log.read_bytes()])) == expected


@every_case("log", LOGS)
def test_the_pieces_in_which_a_log_arrives_do_not_matter(log):
    data = log.read_bytes()

    assert read_log([data[at : at + 997] for at in range(0, len(data), 997)]) == read_log([data])


def test_all_logs_one_after_another_name_the_failures_of_each():
    together = read_log([log.read_bytes() for log in LOGS if b"\xef\xbb\xbf" in log.read_bytes()[:3]])
    alone = {
        failure.test
        for log in LOGS
        if b"\xef\xbb\xbf" in log.read_bytes()[:3]
        for failure in read_log([log.read_bytes()]).failures
    }

    assert {failure.test for failure in together.failures} == alone


def test_every_log_has_its_expectation_and_no_machine_in_it():
    assert len(LOGS) >= 40
    assert {log.stem for log in LOGS} == {path.stem for path in HERE.glob("*.json")}
    for log in LOGS:
        text = log.read_text(encoding="utf-8")
        assert not any(place in text for place in ("/tmp/", "/root/", "/work/main"))


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
