"""The state machine where logs are broken, nested or lie."""

import pytest

from bot.cilog import LogReading, LogStatus, collector, pytest_log, read_log

START = "===== test session starts ====="
SUMMARY = "===== short test summary info ====="
FAILURES = "===== FAILURES ====="


def read(*lines: str) -> LogReading:
    return read_log([("\n".join(lines) + "\n").encode()])


def names(reading: LogReading) -> list[str]:
    return [failure.test for failure in reading.failures]


def block(name: str, path: str = "t.py", line: int = 3) -> list[str]:
    return [
        f"_____ {name} _____",
        "",
        f"    def {name}():",
        ">       assert 0",
        "E       assert 0",
        "",
        f"{path}:{line}: AssertionError",
    ]


def test_nothing_and_something_else():
    assert read_log([]) == LogReading()
    reading = read("hello", "FAILED (errors=1)", "ERROR: no matching distribution", "----- x -----")
    assert reading == LogReading(log_lines=4)


def test_an_entry_outside_a_summary_does_not_count():
    reading = read(START, "FAILED t.py::test_a - no", "===== 1 passed in 0.1s =====", "ERROR t.py::late - no")

    assert (names(reading), reading.passed, reading.truncated) == ([], 1, False)


def test_the_root_is_the_one_that_was_named_first():
    reading = read(START, "rootdir: /w/shop", "rootdir: /w/said-a-test", "===== 1 passed in 0.1s =====")

    assert reading.sessions[0].root == "/w/shop"


def test_limits_that_left_something_out_are_told(monkeypatch):
    monkeypatch.setattr(collector, "MAX_SESSIONS", 1)
    passed = [START, "===== 1 passed in 0.1s ====="]
    assert not read(*passed).truncated
    assert (read(*passed, *passed).truncated, read(*passed, *passed).runs) == (True, 1)

    monkeypatch.setattr(pytest_log, "MAX_KEPT", 10_000)
    shown = [f"t.py::test_{number}{'x' * 300} FAILED" for number in range(100)]
    assert read(START, *shown, passed[1]).truncated


def test_a_log_that_ends_in_the_summary_still_names_what_it_lists():
    reading = read(START, FAILURES, *block("test_a"), SUMMARY, "FAILED t.py::test_a - assert 0")

    assert names(reading) == ["t.py::test_a"]
    assert reading.truncated
    assert reading.problems == ("a pytest session ended without its final line",)


def test_a_log_that_ends_in_the_blocks_names_them_by_their_places():
    reading = read(START, FAILURES, *block("test_a", "pkg/t.py"), *block("test_b[x.y]", "pkg/t.py"))

    assert names(reading) == ["pkg/t.py::test_a", "pkg/t.py::test_b[x.y]"]


def test_a_log_whose_beginning_is_lost():
    reading = read(
        *block("test_lost")[3:],
        FAILURES,
        *block("test_a"),
        SUMMARY,
        "FAILED t.py::test_a",
        "== 1 failed in 1s ==",
    )

    assert names(reading) == ["t.py::test_a"]


def test_the_last_session_tells_the_detail():
    first = [
        START,
        FAILURES,
        *block("test_a", line=3),
        SUMMARY,
        "FAILED t.py::test_a",
        "== 1 failed in 1s ==",
    ]
    second = [
        START,
        FAILURES,
        *block("test_a", line=8),
        SUMMARY,
        "FAILED t.py::test_a",
        "== 1 failed in 1s ==",
    ]
    reading = read(*first, *second)

    assert (reading.runs, reading.failed, names(reading)) == (2, 2, ["t.py::test_a"])
    assert reading.failures[0].line == 8


def test_a_bare_summary_does_not_displace_a_traceback():
    first = [START, FAILURES, *block("test_a"), SUMMARY, "FAILED t.py::test_a", "== 1 failed in 1s =="]
    second = [START, SUMMARY, "FAILED t.py::test_a - assert 0", "== 1 failed in 1s =="]

    assert read(*first, *second).failures[0].line == 3


def test_a_session_inside_a_session_that_ends_is_that_tests_output():
    inner = [
        START,
        FAILURES,
        *block("test_inner"),
        SUMMARY,
        "FAILED inner.py::test_inner",
        "== 1 failed in 1s ==",
    ]
    outer = [START, FAILURES, *block("test_a"), "----- Captured stdout call -----", *inner, *block("test_b")]
    reading = read(*outer, SUMMARY, "FAILED t.py::test_a", "FAILED t.py::test_b", "== 2 failed in 1s ==")

    assert (reading.runs, names(reading)) == (1, ["t.py::test_a", "t.py::test_b"])


def test_a_session_after_one_that_crashed_counts():
    reading = read(
        START,
        "t.py::test_a Fatal Python error: Aborted",
        START,
        SUMMARY,
        "FAILED t.py::test_b",
        "== 1 failed in 1s ==",
    )

    assert (reading.runs, names(reading), reading.truncated) == (2, ["t.py::test_a", "t.py::test_b"], False)
    assert [one.status for one in reading.failures] == [LogStatus.CRASHED, LogStatus.FAILED]
    assert reading.problems[0] == "Fatal Python error: Aborted in t.py::test_a"


def test_an_opening_line_alone_cannot_hide_what_follows():
    reading = read(
        START, FAILURES, *block("test_a"), "----- Captured stdout call -----", START,
        SUMMARY, "FAILED t.py::test_a", "== 1 failed in 1s ==",
    )  # fmt: skip

    assert names(reading) == ["t.py::test_a"]


def test_a_final_line_printed_by_a_test_covers_nothing():
    fake = [SUMMARY, "FAILED innocent.py::test_framed", "== 1 failed in 1s =="]
    reading = read(
        START, *fake, ".F    [100%]", FAILURES, *block("test_a"), "----- Captured stdout call -----", *fake,
        SUMMARY, "FAILED t.py::test_a", "== 1 failed, 1 passed in 1s ==",
    )  # fmt: skip

    assert (reading.runs, names(reading)) == (1, ["t.py::test_a"])


def test_a_passing_session_has_no_failures_whatever_was_printed():
    reading = read(START, SUMMARY, "FAILED innocent.py::test_framed", "== 3 passed in 1s ==")

    assert (reading.failures, reading.passed) == ((), 3)


def test_a_summary_without_errors_leaves_them_to_the_blocks():
    reading = read(
        START, "===== ERRORS =====", "_____ ERROR at setup of test_e _____", "E   OSError: no", "",
        "t.py:9: OSError",
        FAILURES, *block("test_a"), SUMMARY, "FAILED t.py::test_a", "== 1 failed, 1 error in 1s ==",
    )  # fmt: skip

    assert [(one.test, one.status) for one in reading.failures] == [
        ("t.py::test_a", LogStatus.FAILED),
        ("t.py::test_e", LogStatus.ERROR),
    ]


def test_the_names_of_one_kind_find_their_own_blocks():
    reading = read(
        START, FAILURES, *block("test_a", "x/t.py", 1), *block("test_a", "y/t.py", 2), SUMMARY,
        "FAILED y/t.py::test_a", "FAILED x/t.py::test_a", "== 2 failed in 1s ==",
    )  # fmt: skip

    assert {one.test: one.line for one in reading.failures} == {"x/t.py::test_a": 1, "y/t.py::test_a": 2}


def test_missing_names_are_admitted():
    reading = read(START, "== 2 failed in 1s ==")

    assert reading.problems == ("the final line counts 2 failing tests, the log names 0",)


def test_unknown_sections_inside_captured_output_are_output():
    reading = read(
        START, FAILURES, *block("test_a"), "----- Captured stdout call -----", "===== Video Ended =====",
        *block("test_b"), SUMMARY, "FAILED t.py::test_a", "FAILED t.py::test_b", "== 2 failed in 1s ==",
    )  # fmt: skip

    assert [one.line for one in reading.failures] == [3, 3]


@pytest.mark.slow
@pytest.mark.parametrize(
    "marker", [START, SUMMARY, FAILURES, "____ a ____", "FAILED t.py::a", "== 1 failed in 1s =="]
)
def test_a_line_repeated_without_end_stays_cheap(marker):
    reading = read(START, FAILURES, *[marker] * 30_000)

    assert len(reading.failures) <= 30_000


def test_a_block_without_end_keeps_its_end():
    reading = read(
        START,
        FAILURES,
        "____ test_a ____",
        *["    source"] * 20_000,
        "E   ValueError: x",
        "",
        "t.py:3: ValueError",
    )

    assert (names(reading), reading.truncated) == (["t.py::test_a"], True)


def test_what_plugins_print_below_the_last_block_is_not_of_its_message():
    native = [
        "_____ test_a _____",
        "Traceback (most recent call last):",
        '  File "t.py", line 3, in test_a',
        "    f()",
    ]
    reading = read(
        START, FAILURES, *native, "ValueError: bad", "", "---------- coverage: platform linux ----------",
        "Name    Stmts   Miss", "t.py       3      1", SUMMARY, "FAILED t.py::test_a", "== 1 failed in 1s ==",
    )  # fmt: skip

    assert (reading.failures[0].exception, reading.failures[0].message) == ("ValueError", "bad")


def test_a_workflow_command_that_a_test_prints_does_not_make_its_summary_real():
    fake = [
        "##[error]Process completed with exit code 1.",
        "##[group]Run fake",
        "##[endgroup]",
        FAILURES,
        *block("test_innocent"),
        SUMMARY,
        "FAILED t.py::test_innocent - no",
        "== 1 failed in 1s ==",
    ]
    reading = read(
        START, FAILURES, *block("test_a"), "---- Captured stdout call ----", *fake, *block("test_b"), SUMMARY,
        "FAILED t.py::test_a", "FAILED t.py::test_b", "== 2 failed in 1s ==",
    )  # fmt: skip

    assert names(reading) == ["t.py::test_a", "t.py::test_b"]


def test_a_doctest_without_an_end_hides_no_session():
    example = ["*" * 70, 'File "a.py", line 3, in a.f', "Failed example:", "    f()", "Expected:", "    1"]
    reading = read(
        *(*example, "Got:", "    2", START, FAILURES, *block("test_a"), SUMMARY, "FAILED t.py::test_a"),
        "===== 1 failed in 0.01s =====",
    )

    assert names(reading) == ["a.f", "t.py::test_a"]
    assert [session.finished for session in reading.sessions] == [False, True]
