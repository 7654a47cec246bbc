"""The rarer reports at their edges: cut by the log's end, from elsewhere, with lines like others."""

from cilog_support import read
from every_case import every_case

from bot.cilog.tracebacks.crash import crash_of

ROOT = "/home/runner/work/d/d"


def test_a_conftest_outside_of_the_project_is_named_as_it_is_by_a_log_that_ends_there():
    reading = read(
        "collecting",
        "ImportError while loading conftest '/elsewhere/conftest.py'.",
        "conftest.py:1: in <module>",
        "    import x",
        "E   ModuleNotFoundError: No module named 'x'",
    )

    assert [(one.test, one.exception) for one in reading.failures] == [
        ("/elsewhere/conftest.py", "ModuleNotFoundError")
    ]
    assert [(one.log_line, one.end_log_line) for one in reading.sessions] == [(2, 5)]


ZOPE = (
    "Error in test test_error (pkg.tests.TestPlain.test_error)",
    "Traceback (most recent call last):",
    f'  File "{ROOT}/pkg/tests.py", line 10, in test_error',
    '    raise KeyError("k")',
    "KeyError: 'k'",
    "",
    "",
)


@every_case(
    ("end", "counts"),
    [
        (("  Ran 9 tests with 0 failures, 1 errors and 3 skipped in 0.12 seconds.",), (True, 5, 0, 1)),
        ((), (False, 0, 1, 0)),
    ],
)
def test_a_layer_of_zope_with_its_count_and_without(end, counts):
    reading = read(*ZOPE, *end)

    assert [one.exception for one in reading.failures] == ["KeyError"]
    assert [(one.finished, one.passed, one.failed, one.errors) for one in reading.sessions] == [counts]


def test_an_empty_line_ends_a_frame_of_stestr_whatever_the_exception_is_called():
    (found,) = read(
        "{0} pkg.T.test_a [0.1s] ... FAILED",
        "",
        "Captured traceback:",
        "~~~~~~~~~~~~~~~~~~~",
        "    Traceback (most recent call last):",
        "",
        f'      File "{ROOT}/pkg/t.py", line 6, in test_a',
        "    self.wait()",
        "",
        "    pkg.Timeout: no answer",
        "",
    ).failures

    assert (found.exception, found.message, found.frames[-1].line) == ("pkg.Timeout", "no answer", 6)


RAISED = (
    f'File "{ROOT}/shop.py", line 3, in shop.ratio',
    "Failed example:",
    "    ratio(1, 0)",
    "Exception raised:",
    "    Traceback (most recent call last):",
    '      File "/usr/lib/python3.11/doctest.py", line 1353, in __run',
    '        exec(compile(example.source, filename, "single",',
    '      File "<doctest shop.ratio[0]>", line 1, in <module>',
    "        ratio(1, 0)",
    f'      File "{ROOT}/shop.py", line 8, in ratio',
    "        return a / b",
    "    ZeroDivisionError: division by zero",
)
NEXT = (f'File "{ROOT}/shop.py", line 5, in shop.ratio', "Failed example:", "    x", "Expected:", "    1")
STARS = "*" * 70
RULE = "-" * 70


@every_case(
    "lines",
    [
        (STARS, *RAISED, STARS, *NEXT, STARS, "***Test Failed*** 2 failures."),
        (
            *("=" * 70, "FAIL: ratio (shop)", "Doctest: shop.ratio", RULE),
            "Traceback (most recent call last):",
            '  File "/usr/lib/python3.11/doctest.py", line 2241, in runTest',
            "    raise self.failureException(self.format_failure(new.getvalue()))",
            "AssertionError: Failed doctest test for shop.ratio",
            f'  File "{ROOT}/shop.py", line 1, in ratio',
            *("", RULE, *RAISED, RULE, *NEXT, "", "", RULE),
            *("Ran 1 test in 0.011s", "", "FAILED (failures=1)"),
        ),
    ],
    ids=["doctest", "unittest"],
)
def test_an_example_that_raised_is_told_by_what_it_raised(lines):
    (found,) = read(*lines).failures

    assert (found.exception, found.message) == ("ZeroDivisionError", "division by zero")
    assert [(one.path, one.line, one.function) for one in found.frames] == [
        ("shop.py", 3, ""),
        ("shop.py", 8, "ratio"),
    ]


@every_case("above", ['tests/testing.py", line 2 in main', 'app.py", line 2 in test_mode'])
def test_the_test_that_crashed_is_a_tests_function_in_a_tests_file(above):
    crash = crash_of("Fatal Python error: Segmentation fault", log_line=1)
    for line in (
        "Current thread 0x1 (most recent call first):",
        f'  File "{ROOT}/tests/test_a.py", line 9 in helper',
        f'  File "{ROOT}/tests/test_a.py", line 4 in test_x',
        f'  File "{ROOT}/{above}',
    ):
        assert crash.take(line)

    assert crash.name == "tests/test_a.py::test_x"
