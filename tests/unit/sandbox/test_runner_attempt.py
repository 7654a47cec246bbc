"""What a test process reports is read as it comes; nothing in it makes the supervisor wait or end."""

import json
import math
import os
import time

import pytest
from every_case import every_case

from sandbox.reports import read_calls
from sandbox.runner import attempt, called, probing
from sandbox.runner.attempt import _Attempt
from sandbox.runner.called import CallRecord

ORDER = {
    "tests": ["a::b"],
    "timeout_s": 5.0,
    "grace_s": 1.0,
    "collect_timeout_s": 5.0,
    "suite_timeout_s": 60.0,
    "probe": {"versions": [{}], "seconds": 0.2},
}


def told(*events):
    """What a supervisor knows after these events of a test process."""
    reading = _Attempt(ORDER, [], time.monotonic() + 60, CallRecord())
    tell(reading, *events)
    return reading


def tell(reading, *events):
    for event in events:
        reading._on_report(reading._token.encode() + json.dumps(event).encode() + b"\n")


@every_case("limit", [math.nan, math.inf, -1.0, 10**400, "soon", None, [], 1e300])
def test_a_phase_may_not_last_for_ever(limit):
    reading = told()
    before = reading._deadline
    tell(reading, {"t": "phase", "limit": limit})
    assert reading._deadline == before
    tell(reading, {"t": "phase", "limit": 7})
    assert reading._deadline > before


@every_case("line", [True, -1, 10**300, 1.5])
def test_a_frame_has_a_line_that_can_be(line):
    result = {"t": "result", "id": "a::b", "status": "failed", "frames": [["shop.py", line, "f"]]}
    assert told(result).results == []


def test_an_odd_record_of_calls_leaves_the_tests_and_their_files_known():
    event = {"t": "collected", "items": [["a::b", "a.py"]], "called": [5], "functions": []}
    assert told(event).files == {"a::b": "a.py"}


class Talker:
    """A test process that says ``lines`` again and again, and does not end by itself."""

    end_fd = None

    def __init__(self, lines):
        self.report_fd, self._write = os.pipe()
        self.output_fd, self._other = os.pipe()
        self._lines = lines
        self.token = ""

    def start(self, order):
        self.token = order["token"].encode()
        return self

    def status(self):
        for line in self._lines:
            os.write(self._write, self.token + json.dumps(line).encode() + b"\n")

    def end(self):
        pass

    def close(self):
        for fd in (self.report_fd, self.output_fd, self._write, self._other):
            os.close(fd)


@pytest.fixture
def talker(request):
    talker = Talker(request.param)
    yield talker
    talker.close()


ODD_INPUTS = [[math.inf, 0, True, "x"]]


@pytest.mark.parametrize(
    "talker",
    [
        [{"t": "inputs", "inputs": []}],
        [{"t": "inputs", "inputs": ODD_INPUTS}],
        [{"t": "inputs", "inputs": []}, {"t": "version", "number": math.inf}],
        [{"t": "version", "number": 0, "outcomes": [3], "examples": None, "problem": ""}],
    ],
    indirect=True,
)
def test_a_probe_that_begins_again_and_again_ends(talker, monkeypatch):
    monkeypatch.setattr(probing, "GRACE_S", 0.1)
    order = dict(ORDER, suite_timeout_s=0.3)
    started = time.monotonic()
    answer = probing.run(order, talker.start, lambda: None)
    assert time.monotonic() - started < 5
    assert answer["problem"] == "the probe did not finish in time"
    assert answer["inputs"] == []


@pytest.mark.parametrize(
    "talker", [[{"t": "result", "id": "a::b", "status": "passed", "seconds": 10**400}]], indirect=True
)
def test_a_test_that_reports_nonsense_for_ever_ends(talker):
    report = attempt.run(dict(ORDER, suite_timeout_s=0.3, restarts=0), talker.start, lambda: None)
    assert not report["complete"]
    assert report["results"] == []


GOOD = {"called": [0], "functions": [["shop.py", 3]]}


NO_CALLERS = [[-1], [1], [True], [0.0], [10**400], ["0"], {"0": 1}, 7]
NO_FUNCTIONS = [
    {"shop.py": 3},
    *([["shop.py", line]] for line in (-3, True, 1e300, 10**300)),
    *([[path, 3]] for path in ("/etc/passwd", "../other/shop.py", "x" * 100_000, "", ["shop.py"])),
    [["shop.py"]],
    ["ab"],
]


@every_case(
    "odd",
    [
        *({"called": callers, "functions": []} for callers in NO_CALLERS),
        *({"called": [0], "functions": functions} for functions in NO_FUNCTIONS),
        {"called": [0]},
    ],
)
def test_odd_numbers_end_the_record_and_nothing_else(odd):
    record = CallRecord()
    record.see("a::b", dict(GOOD))
    record.see("a::c", dict(odd))
    record.see("a::d", dict(GOOD))
    assert record.report() == {"tests": [], "functions": []}
    assert read_calls(record.report()) is None


def test_numbers_that_are_repeated_count_once_and_a_record_that_grows_too_long_ends(monkeypatch):
    record = CallRecord()
    record.see("a::b", {"called": [0] * 1000, "functions": [["shop.py", 3]]})
    assert record.report() == {"tests": ["a::b"], "functions": [["shop.py", 3, [0]]]}
    monkeypatch.setattr(called, "MAX_ENTRIES", 1010)
    record.see("a::c", {"called": [0] * 11, "functions": []})
    assert record.report()["functions"] == []


@every_case(
    "raw",
    [
        None,
        [],
        {"tests": ["a"]},
        {"tests": ["a"], "functions": []},
        *({"tests": ["a"], "functions": [["m.py", 1, [caller]]]} for caller in (1, -1, 0.0)),
        {"tests": ["a"], "functions": [["m.py", True, [0]]]},
        {"tests": ["a"], "functions": [["m.py", 1]]},
        *({"tests": tests, "functions": [["m.py", 1, [0]]]} for tests in ([1], "a")),
    ],
)
def test_nonsense_out_of_a_sandbox_is_no_record(raw):
    assert read_calls(raw) is None


def test_a_record_names_the_callers():
    calls = read_calls({"tests": ["", "a", "b"], "functions": [["m.py", 1, [1, 2]], ["m.py", 9, [0, 1]]]})
    assert calls.callers("m.py", 1) == {"a", "b"}
    assert calls.callers("m.py", 9) == {"a"}, "what an import made of it is left to the proof"
    assert calls.callers("m.py", 3) is None
