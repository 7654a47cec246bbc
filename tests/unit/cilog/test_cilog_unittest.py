"""unittest's report where it is cut, lies, or comes from a relative."""

from cilog_support import read
from every_case import every_case

from bot.cilog.model import LogStatus

RULE = "=" * 70
THIN = "-" * 70


def block(title: str, *body: str) -> list[str]:
    return [RULE, title, THIN, "Traceback (most recent call last):", *body, ""]


def ran(result: str, count: int = 3) -> list[str]:
    return [THIN, f"Ran {count} tests in 0.012s", "", result]


def failing(name: str) -> list[str]:
    place = f'  File "/home/runner/work/d/d/t.py", line 3, in {name}'
    return block(f"FAIL: {name} (t.C)", place, "    x", "AssertionError: 1 != 2")


ONE = "FAILED (failures=1)"
A, B = "t.C.test_a", "t.C.test_b"


@every_case(
    ("title", "test"),
    [
        ("FAIL: test_a (pkg.t.C)", "pkg.t.C.test_a"),
        ("FAIL: test_a (pkg.t.C.test_a)", "pkg.t.C.test_a"),
        ("FAIL: test_a (pkg.t.C.test_a) (i=1)", "pkg.t.C.test_a"),
        ("FAIL: test_a (pkg.t.C) [a message] (i=1)", "pkg.t.C.test_a"),
        ("FAIL: test_a_(odd)_name (t.C)", "t.C.test_a_(odd)_name"),
        ("FAIL: pkg.t.test_function", "pkg.t.test_function"),
        ("FAIL: pkg.t.test_generated(1, 'a')", "pkg.t.test_generated(1, 'a')"),
        ("FAIL: setUpClass (pkg.t.C)", "pkg.t.C"),
        ("FAIL: tearDownModule (pkg.t)", "pkg.t"),
        ("FAIL: pkg.t (unittest.loader._FailedTest)", "pkg.t"),
        ("FAIL: pkg.t (unittest.loader._FailedTest.pkg.t)", "pkg.t"),
    ],
)
def test_titles(title, test):
    (failure,) = read(*block(title, "AssertionError: x"), *ran(ONE)).failures

    assert (failure.test, failure.by_pytest) == (test, False)


@every_case(
    ("lines", "tests", "finished"),
    [
        ([*failing("test_a"), *failing("test_b")[:6]], [A, B], [False]),
        ([*failing("test_fake"), "F..", *failing("test_real"), *ran(ONE)], ["t.C.test_real"], [True]),
        (
            [
                *(*failing("test_a"), "Stdout:", *ran("OK", 99), "", *failing("test_b")),
                *ran("FAILED (failures=2)"),
            ],
            [A, B],
            [True],
        ),
        (
            [
                *("test_a (t.C) ... FAIL", "test_z (t.C) ... ok", "", *failing("test_a"), "Stdout:", ""),
                *(*failing("test_z"), *ran(ONE)),
            ],
            [A],
            [True],
        ),
        (["F", *failing("test_a"), *ran(ONE), "F", *failing("test_b"), *ran(ONE)], [A, B], [True, True]),
        ([RULE, "hello", RULE, "FAIL of the day", THIN, "Ran away"], [], []),
        ([RULE, RULE, RULE], [], []),
        ([THIN, "Ran 0 tests in 0.000s", "", "NO TESTS RAN"], [], [True]),
        ([RULE, "FAIL: test_a (t.C)"] * 15_000, [A], [False]),
    ],
    ids=[
        *("ends in the report", "printed before the report", "a good result among blocks"),
        *("named by the progress", "two reports", "a rule alone", "rules alone", "no tests"),
        "a title without end",
    ],
)
def test_reports(lines, tests, finished):
    reading = read(*lines)

    assert [one.test for one in reading.failures] == tests
    assert [one.finished for one in reading.sessions] == finished


def test_counts_of_a_report():
    reading = read(
        *failing("test_a"),
        *block("ERROR: test_b (t.C)", "KeyError: 'k'"),
        *ran("FAILED (failures=1, errors=1, skipped=2, expected failures=1)", 9),
    )

    assert (len(reading.sessions), reading.passed, reading.failed, reading.errors) == (1, 4, 1, 1)
    assert [one.status for one in reading.failures] == [LogStatus.FAILED, LogStatus.ERROR]


@every_case(
    ("body", "message"),
    [
        (
            ["AssertionError: two", RULE, "not a title", THIN, "not a count"],
            f"two\n{RULE}\nnot a title\n{THIN}\nnot a count",
        ),
        (["AssertionError: 1 != 2", "", "Slowest test durations", THIN, "0.100s     test_a (t.C)"], "1 != 2"),
    ],
    ids=["rules", "durations"],
)
def test_what_belongs_to_a_message(body, message):
    reading = read(*block("FAIL: test_a (t.C)", *body), *ran(ONE))

    assert (reading.failures[0].message, reading.failed) == (message, 1)


def test_a_block_without_end_is_cut():
    reading = read(*block("FAIL: test_a (t.C)", "ValueError: x", *["line"] * 20_000), *ran(ONE))

    (failure,) = reading.failures
    assert (failure.test, failure.exception, reading.truncated) == (A, "ValueError", True)
