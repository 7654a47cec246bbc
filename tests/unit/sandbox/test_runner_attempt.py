"""What a test process reports is read as it comes, and nothing in it makes the supervisor wait or end."""

import json
import math
import os
import time

import pytest
from every_case import every_case

from sandbox.runner import attempt, probing
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
        [{"t": "inputs", "inputs": [], "skipped": 0}],
        [{"t": "inputs", "inputs": ODD_INPUTS, "skipped": 0}],
        [{"t": "inputs", "inputs": [], "skipped": math.inf}, {"t": "version", "number": math.inf}],
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
