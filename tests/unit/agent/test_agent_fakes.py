"""The fakes keep the promises of ``ports.Testbed``, or what they prove of the loop is worth nothing."""

import sys

from agent_support import PROJECTS
from fakes.testbed import FakeTestbed, FakeTestbeds

from sandbox.reports import TestStatus

FILES = PROJECTS["calc"]
WRONG, ZERO, HANGS = (f"tests/test_calc.py::test_{name}" for name in ("wrong", "zero", "hangs"))
INSIDE = "tests/test_calc.py::TestGroup::test_inside"


def test_every_test_is_found_and_judged_in_a_time_that_repeats():
    report, again = (FakeTestbed(FILES).run(timeout_s=0.2) for _ in range(2))
    assert report == again
    assert {result.test: result.status for result in report.results} == {
        WRONG: TestStatus.FAILED,
        ZERO: TestStatus.PASSED,
        HANGS: TestStatus.TIMEOUT,
        INSIDE: TestStatus.PASSED,
    }
    assert (report.complete, report.exit_status) == (True, 1)
    assert report.results[2].seconds > 0.2, "it is counted in lines"


def test_a_failure_is_explained_and_the_given_order_kept():
    (failure,) = FakeTestbed(FILES).run(tests=[WRONG]).failing
    assert (failure.exception, failure.message, failure.comparison) == ("AssertionError", "two and two", None)
    frames = [(frame.path, frame.line, frame.function) for frame in failure.frames]
    assert frames == [("tests/test_calc.py", 7, "test_wrong")]
    report = FakeTestbed(FILES).run(tests=[INSIDE, ZERO])
    assert [result.test for result in report.results] == [INSIDE, ZERO]
    assert report.proves({INSIDE, ZERO})


def test_changes_are_undone():
    testbed = FakeTestbed(FILES)
    right = {"calc/core.py": FILES["calc/core.py"].replace("a - b", "a + b").encode()}
    assert testbed.run(tests=[WRONG], changes=right).proves({WRONG})
    assert not testbed.run(tests=[WRONG]).proves({WRONG})
    assert "calc" not in sys.modules


def test_a_trace_tells_the_lines_and_only_when_asked():
    testbed = FakeTestbed(FILES)
    (traced,) = testbed.run(tests=[ZERO], trace=True).results
    (plain,) = testbed.run(tests=[ZERO]).results
    assert dict(traced.lines) == {"calc/core.py": (2,), "tests/test_calc.py": (11,)}
    assert not plain.lines


def test_a_report_without_each_test_is_incomplete():
    report = FakeTestbed(FILES).run(tests=[WRONG, ZERO], stop_at_first_failure=True)
    assert ([result.test for result in report.results], report.complete) == ([WRONG], False)
    report = FakeTestbed(FILES).run(tests=[ZERO, "tests/test_calc.py::test_gone"])
    assert not report.complete
    assert "test_gone" in report.problem
    assert not report.proves({ZERO})
    assert FakeTestbed({"calc.py": "x = 1\n"}).run().exit_status == 5


def test_a_file_that_cannot_be_imported_fails_as_a_file():
    broken = {"core.py": "def add(:\n", "test_core.py": "import core\ndef test_a(): pass\n"}
    testbed = FakeTestbed(broken)
    (failure,) = testbed.run().failing
    assert (failure.test, failure.status, failure.exception) == (
        "test_core.py",
        TestStatus.ERROR,
        "SyntaxError",
    )
    assert failure.frames[-1].path == "core.py"
    assert testbed.run(tests=["test_core.py"], changes={"core.py": b"x = 1\n"}).proves({"test_core.py"})


def test_each_testbed_is_a_fresh_one_and_is_closed():
    testbeds = FakeTestbeds.of(FILES)
    with testbeds.open() as one, testbeds.open() as two:
        one.run(tests=[ZERO])
        assert two.runs == []
    assert (len(testbeds.opened), testbeds.closed) == (2, 2)
