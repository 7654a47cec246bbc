"""The order of a test process's reports: the reporter keeps to it, and another order is noticed."""

from every_case import every_case
from test_runner_attempt import told

from sandbox.runner.kept import Tail
from sandbox.runner.sequence import AGAIN, LATE, NO_START, NOT_COLLECTED, TWICE, Sequence

CONTROL = {"t": "control", "blunted": [], "changed": []}
END = {"t": "end", "exit": 0, "extra": {}}


def collected(*tests):
    return {"t": "collected", "items": [[test, "t.py"] for test in tests]}


def start(test):
    return {"t": "start", "id": test}


def result(test, status="passed", **more):
    return {"t": "result", "id": test, "status": status, "seconds": 0.0, **more}


def violations(*events, tests=None):
    sequence = Sequence(tests)
    for event in events:
        sequence.see(event["t"], event)
    return sequence.violations


PASSED = start("a"), result("a")


@every_case(
    "events",
    [
        [collected("a", "b"), *PASSED, start("b"), result("b", "failed"), CONTROL, END],
        [collected("a"), *PASSED, CONTROL, result("t.py", file=True), END],
        [result("t.py", "error"), collected("a"), *PASSED, CONTROL, END],
        [collected("a"), start("a"), result("a", "error"), END],
        [collected("a", "b"), start("a"), start("b"), result("b"), CONTROL, END],
        [collected("a", "a"), *PASSED, *PASSED, CONTROL, END],
        [collected(), END],
    ],
)
def test_what_the_reporter_writes_is_in_order(events):
    assert violations(*events) == []


@every_case(
    "events",
    [
        [result("a"), start("b"), result("b"), CONTROL, END],
        [*PASSED, start("b"), result("b"), CONTROL, END],
        [collected("a", "b"), result("a"), start("b"), result("b"), CONTROL, END],
        [result("a", "error"), END],
    ],
)
def test_what_a_forked_process_writes_is_in_order(events):
    assert violations(*events, tests=["a", "b"]) == []


@every_case(
    ("events", "violation"),
    [
        ([collected("a", "b"), *PASSED, result("b"), CONTROL, END], NO_START),
        ([result("a"), collected("a"), END], NO_START),
        ([collected("a", "b"), start("a"), start("b"), result("a"), END], NO_START),
        ([collected("a"), *PASSED, result("a"), CONTROL, END], TWICE),
        ([collected("a"), *PASSED, *PASSED, CONTROL, END], TWICE),
        ([collected("a"), *PASSED, start("b"), result("b"), CONTROL, END], NOT_COLLECTED),
        ([collected("a"), CONTROL, *PASSED, END], LATE),
        ([collected("a"), *PASSED, CONTROL, END, result("a", "failed")], LATE),
        ([collected("a"), *PASSED, CONTROL, END, END], LATE),
        ([collected("a"), *PASSED, CONTROL, CONTROL, END], LATE),
        ([collected("a", "b"), *PASSED, collected("a"), CONTROL, END], AGAIN),
        ([collected("t.py::a"), result("t.py::a", file=True), CONTROL, END], NO_START),
    ],
)
def test_another_order_is_noticed(events, violation):
    assert violation in violations(*events)


def test_a_violation_is_among_what_a_run_changed():
    attempt = told({"t": "collected", "items": [["a::b", "a"]]}, result("a::b"))
    report = attempt._conclude(0, Tail(0))
    assert attempt.changed == [f"the order of reports ({NO_START})"]
    assert not report["complete"]
