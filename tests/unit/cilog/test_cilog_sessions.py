"""The state machine where logs are broken, nested or lie."""

import pytest
from cilog_support import read
from every_case import every_case

from bot.cilog import collector, read_log
from bot.cilog.model import LogReading, LogStatus
from bot.cilog.pytest_sessions import parser as pytest_log

START = "===== test session starts ====="
SUMMARY = "===== short test summary info ====="
FAILURES = "===== FAILURES ====="
CAPTURED = "----- Captured stdout call -----"
FINAL = "== 1 failed in 1s =="


def names(reading: LogReading) -> list[str]:
    return [failure.test for failure in reading.failures]


def block(name: str, path: str = "t.py", line: int = 3) -> list[str]:
    return [
        *(f"_____ {name} _____", "", f"    def {name}():", ">       assert 0", "E       assert 0", ""),
        f"{path}:{line}: AssertionError",
    ]


def summary(*tests: str) -> list[str]:
    return [SUMMARY, *(f"FAILED {test}" for test in tests), f"== {len(tests)} failed in 1s =="]


A, B = "t.py::test_a", "t.py::test_b"
FAKE = summary("innocent.py::test_framed")
COMMAND = ["##[error]Process completed with exit code 1.", "##[group]Run fake", "##[endgroup]"]
EXAMPLE = ["*" * 70, 'File "a.py", line 3, in a.f', "Failed example:", "    f()", "Expected:", "    1"]


@every_case(
    ("lines", "tests"),
    [
        ([START, FAILURES, *block("test_a"), *summary(A)[:2]], [A]),
        (
            [START, FAILURES, *block("test_a", "pkg/t.py"), *block("test_b[x.y]", "pkg/t.py")],
            ["pkg/t.py::test_a", "pkg/t.py::test_b[x.y]"],
        ),
        ([*block("test_lost")[3:], FAILURES, *block("test_a"), *summary(A)], [A]),
        (
            [
                *(START, FAILURES, *block("test_a"), CAPTURED, START, FAILURES, *block("test_inner")),
                *(*summary("inner.py::test_inner"), *block("test_b"), *summary(A, B)),
            ],
            [A, B],
        ),
        ([START, FAILURES, *block("test_a"), CAPTURED, START, *summary(A)], [A]),
        (
            [
                *(START, *FAKE, ".F    [100%]", FAILURES, *block("test_a"), CAPTURED, *FAKE),
                *(*summary(A)[:2], "== 1 failed, 1 passed in 1s =="),
            ],
            [A],
        ),
        ([START, *FAKE[:2], "== 3 passed in 1s =="], []),
        ([START, "FAILED t.py::test_a - no", "== 1 passed in 1s ==", "ERROR t.py::late - no"], []),
        (
            [
                *(START, FAILURES, *block("test_a"), CAPTURED, *COMMAND, FAILURES, *block("test_innocent")),
                *(*FAKE, *block("test_b"), *summary(A, B)),
            ],
            [A, B],
        ),
        ([*EXAMPLE, "Got:", "    2", START, FAILURES, *block("test_a"), *summary(A)], ["a.f", A]),
        (
            [
                *(START, FAILURES, "____ test_a ____", *["    source"] * 20_000),
                "E   ValueError: x",
                "",
                "t.py:3: x",
            ],
            [A],
        ),
    ],
    ids=[
        *("ends in the summary", "ends in the blocks", "begins in a block", "a session in another"),
        *("an opening line in output", "a final line in output", "a summary in a good session"),
        *("entries outside of a summary", "a workflow command in output", "a doctest without its end"),
        "a block without its end",
    ],
)
def test_names(lines, tests):
    assert names(read(*lines)) == tests


def test_nothing_and_something_else():
    assert read_log([]) == LogReading()
    said = ("hello", "FAILED (errors=1)", "ERROR: no matching distribution", "----- x -----")
    assert read(*said) == LogReading(log_lines=4, tail=dict(enumerate(said, start=1)))


def test_the_root_is_the_one_that_was_named_first():
    reading = read(START, "rootdir: /w/shop", "rootdir: /w/said-a-test", "===== 1 passed in 0.1s =====")

    assert reading.sessions[0].root == "/w/shop"


def test_limits_that_left_something_out_are_told(monkeypatch):
    monkeypatch.setattr(collector, "MAX_SESSIONS", 1)
    passed = [START, "===== 1 passed in 0.1s ====="]
    assert not read(*passed).truncated
    assert (read(*passed, *passed).truncated, len(read(*passed, *passed).sessions)) == (True, 1)

    monkeypatch.setattr(pytest_log, "MAX_KEPT", 10_000)
    shown = [f"t.py::test_{number}{'x' * 300} FAILED" for number in range(100)]
    assert read(START, *shown, passed[1]).truncated


@every_case("again", [[FAILURES, *block("test_a", line=8)], []], ids=["a traceback", "a bare summary"])
def test_the_last_traceback_tells_the_detail(again):
    reading = read(START, FAILURES, *block("test_a"), *summary(A), START, *again, *summary(A))

    assert (len(reading.sessions), reading.failed, names(reading)) == (2, 2, [A])
    assert reading.failures[0].frames[-1].line == (8 if again else 3)


def test_a_session_after_one_that_crashed_counts():
    reading = read(START, f"{A} Fatal Python error: Aborted", START, *summary(B))

    assert (names(reading), reading.truncated) == ([A, B], False)
    assert [one.status for one in reading.failures] == [LogStatus.CRASHED, LogStatus.FAILED]
    assert reading.failures[0].message == "Fatal Python error: Aborted"


def test_a_summary_without_errors_leaves_them_to_the_blocks():
    error = [
        "===== ERRORS =====",
        "_____ ERROR at setup of test_e _____",
        "E   OSError: no",
        "",
        "t.py:9: OSError",
    ]
    reading = read(
        *(START, *error, FAILURES, *block("test_a"), *summary(A)[:2]), "== 1 failed, 1 error in 1s =="
    )

    assert [(one.test, one.status) for one in reading.failures] == [
        (A, LogStatus.FAILED),
        ("t.py::test_e", LogStatus.ERROR),
    ]


def test_the_names_of_one_kind_find_their_own_blocks():
    reading = read(
        *(START, FAILURES, *block("test_a", "x/t.py", 1), *block("test_a", "y/t.py", 2)),
        *summary("y/t.py::test_a", "x/t.py::test_a"),
    )

    lines = {one.test: one.frames[-1].line for one in reading.failures}
    assert lines == {"x/t.py::test_a": 1, "y/t.py::test_a": 2}


def test_unknown_sections_inside_captured_output_are_output():
    reading = read(
        *(START, FAILURES, *block("test_a"), CAPTURED, "===== Video Ended =====", *block("test_b")),
        *summary(A, B),
    )

    assert [one.frames[-1].line for one in reading.failures] == [3, 3]


@pytest.mark.slow
@pytest.mark.parametrize("marker", [START, SUMMARY, FAILURES, "____ a ____", f"FAILED {A}", FINAL])
def test_a_line_repeated_without_end_stays_cheap(marker):
    assert len(read(START, FAILURES, *[marker] * 30_000).failures) <= 30_000


def test_what_plugins_print_below_the_last_block_is_not_of_its_message():
    native = [
        "__ test_a __",
        "Traceback (most recent call last):",
        '  File "t.py", line 3, in test_a',
        "    f()",
    ]
    coverage = [
        "---------- coverage: platform linux ----------",
        "Name    Stmts   Miss",
        "t.py       3      1",
    ]
    (failure,) = read(START, FAILURES, *native, "ValueError: bad", "", *coverage, *summary(A)).failures

    assert (failure.exception, failure.message) == ("ValueError", "bad")
