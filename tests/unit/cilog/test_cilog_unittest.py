"""unittest's report where it is cut, lies, or comes from a relative."""

from every_case import every_case

from bot.cilog import Framework, LogPhase, LogStatus, read_log

RULE = "=" * 70
THIN = "-" * 70


def read(*lines: str):
    return read_log([("\n".join(lines) + "\n").encode()])


def block(title: str, *body: str) -> list[str]:
    return [RULE, title, THIN, "Traceback (most recent call last):", *body, ""]


def ran(result: str, count: int = 3) -> list[str]:
    return [THIN, f"Ran {count} tests in 0.012s", "", result]


def failing(name: str, line: int = 3) -> list[str]:
    place = f'  File "/home/runner/work/d/d/t.py", line {line}, in {name}'
    return block(f"FAIL: {name} (t.C)", place, "    x", "AssertionError: 1 != 2")


def names(reading):
    return [one.test for one in reading.failures]


@every_case(
    ("title", "test", "phase"),
    [
        ("FAIL: test_a (pkg.t.C)", "pkg.t.C.test_a", LogPhase.CALL),
        ("FAIL: test_a (pkg.t.C.test_a)", "pkg.t.C.test_a", LogPhase.CALL),
        ("FAIL: test_a (pkg.t.C.test_a) (i=1)", "pkg.t.C.test_a", LogPhase.CALL),
        ("FAIL: test_a (pkg.t.C) [a message] (i=1)", "pkg.t.C.test_a", LogPhase.CALL),
        ("FAIL: test_a_(odd)_name (t.C)", "t.C.test_a_(odd)_name", LogPhase.CALL),
        ("FAIL: pkg.t.test_function", "pkg.t.test_function", LogPhase.CALL),
        ("FAIL: pkg.t.test_generated(1, 'a')", "pkg.t.test_generated(1, 'a')", LogPhase.CALL),
        ("FAIL: setUpClass (pkg.t.C)", "pkg.t.C", LogPhase.SETUP),
        ("FAIL: tearDownModule (pkg.t)", "pkg.t", LogPhase.TEARDOWN),
        ("FAIL: pkg.t (unittest.loader._FailedTest)", "pkg.t", LogPhase.COLLECTION),
        ("FAIL: pkg.t (unittest.loader._FailedTest.pkg.t)", "pkg.t", LogPhase.COLLECTION),
    ],
)
def test_titles(title, test, phase):
    (failure,) = read(*block(title, "AssertionError: x"), *ran("FAILED (failures=1)")).failures

    assert (failure.test, failure.phase, failure.framework) == (test, phase, Framework.UNITTEST)


def test_counts_of_a_report():
    reading = read(
        *failing("test_a"),
        *block("ERROR: test_b (t.C)", "KeyError: 'k'"),
        *ran("FAILED (failures=1, errors=1, skipped=2, expected failures=1)", 9),
    )

    assert (reading.runs, reading.collected, reading.passed, reading.failed, reading.errors) == (
        1,
        9,
        4,
        1,
        1,
    )
    assert [one.status for one in reading.failures] == [LogStatus.FAILED, LogStatus.ERROR]
    assert reading.sessions[0].skipped == 2
    assert reading.problems == ()


def test_a_log_that_ends_in_the_report_names_what_it_lists():
    reading = read(*failing("test_a"), *failing("test_b")[:6])

    assert (names(reading), reading.truncated) == (["t.C.test_a", "t.C.test_b"], True)
    assert not reading.sessions[0].finished


def test_what_a_test_printed_before_the_report_does_not_count():
    reading = read(*failing("test_fake"), "F..", *failing("test_real"), *ran("FAILED (failures=1)"))

    assert names(reading) == ["t.C.test_real"]


def test_a_good_result_among_blocks_was_printed_by_a_test():
    reading = read(
        *failing("test_a"), "Stdout:", *ran("OK", 99), "", *failing("test_b"), *ran("FAILED (failures=2)")
    )

    assert (names(reading), reading.runs, reading.passed) == (["t.C.test_a", "t.C.test_b"], 1, 1)


def test_the_names_that_the_progress_told_are_believed():
    reading = read(
        "test_a (t.C) ... FAIL",
        "test_z (t.C) ... ok",
        "",
        *failing("test_a"),
        "Stdout:",
        "",
        *failing("test_z"),
        *ran("FAILED (failures=1)"),
    )

    assert names(reading) == ["t.C.test_a"]


def test_two_reports_with_progress_between_them_are_two():
    reading = read(
        "F",
        *failing("test_a"),
        *ran("FAILED (failures=1)"),
        "F",
        *failing("test_b"),
        *ran("FAILED (failures=1)"),
    )

    assert (reading.runs, names(reading)) == (2, ["t.C.test_a", "t.C.test_b"])


def test_rules_and_titles_alone_are_no_report():
    assert read(RULE, "hello", RULE, "FAIL of the day", THIN, "Ran away").runs == 0
    assert read(RULE, RULE, RULE).runs == 0


def test_a_message_that_holds_rules_stays_in_its_block():
    reading = read(
        *block("FAIL: test_a (t.C)", "AssertionError: two", RULE, "not a title", THIN, "not a count"),
        *ran("FAILED (failures=1)"),
    )

    assert reading.failures[0].message == f"two\n{RULE}\nnot a title\n{THIN}\nnot a count"


def test_a_title_repeated_without_end_stays_cheap():
    reading = read(*[RULE, "FAIL: test_a (t.C)"] * 15_000)

    assert len(reading.failures) <= 15_000


def test_a_block_without_end_is_cut():
    reading = read(
        *block("FAIL: test_a (t.C)", "ValueError: x", *["line"] * 20_000), *ran("FAILED (failures=1)")
    )

    assert (names(reading), reading.failures[0].exception, reading.truncated) == (
        ["t.C.test_a"],
        "ValueError",
        True,
    )


def test_nothing_was_run():
    reading = read(THIN, "Ran 0 tests in 0.000s", "", "NO TESTS RAN")

    assert (reading.runs, reading.collected, reading.failures) == (1, 0, ())


def test_a_table_of_durations_is_not_of_the_last_blocks_message():
    reading = read(
        *block("FAIL: test_a (t.C)", "AssertionError: 1 != 2"),
        "Slowest test durations",
        THIN,
        "0.100s     test_a (t.C)",
        "",
        *ran("FAILED (failures=1)"),
    )

    assert (reading.failures[0].message, reading.failed) == ("1 != 2", 1)
