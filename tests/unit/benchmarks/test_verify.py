"""Whether a whole run shows that a repair holds; a file that could not be imported is no test of its own."""

import pytest
from every_case import every_case

from benchmarks.runs import verify
from sandbox.reports import TestReport, TestResult, TestStatus

PASSED, SKIPPED, FAILED = TestStatus.PASSED, TestStatus.SKIPPED, TestStatus.FAILED


@pytest.fixture
def green(monkeypatch):
    """Whether a run with results is green for ``tests``."""

    def ask(statuses, tests):
        results = tuple(TestResult(test=test, status=status) for test, status in statuses.items())
        status = int(FAILED in statuses.values())
        report = TestReport(results=results, complete=True, exit_status=status, seconds=0.1)
        monkeypatch.setattr(verify, "suite", lambda *_given, **_named: report)
        return verify.green(None, None, changes={}, tests=frozenset(tests))

    return ask


@every_case(
    ("statuses", "tests", "expected"),
    [
        ({"a.py::one": PASSED}, ["a.py::one"], True),
        ({"a.py::one": PASSED}, ["a.py"], True),
        ({"a.py::one": PASSED, "b.py::one": SKIPPED}, ["a.py", "b.py"], True),
        ({"a.py::one": PASSED, "b.py::one": SKIPPED}, ["b.py::one"], False),
        ({"a.py::one": PASSED}, ["a.py", "b.py"], False),
        ({"a.py::one": PASSED, "a.py::two": FAILED}, ["a.py"], False),
        ({"a.py::one": SKIPPED}, ["a.py"], False),
    ],
)
def test_what_counts_as_green(green, statuses, tests, expected):
    assert green(statuses, tests) is expected
