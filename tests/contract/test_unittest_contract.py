"""Projects whose command is ``python -m unittest``, in every provider: the same tests, one verdict each."""

import pytest
from sections import sections
from test_script_contract import FIXED, MODULE
from test_testbed_contract import make  # noqa: F401 - make is a fixture

from sandbox.command import parse
from sandbox.reports import TestStatus
from sandbox.resolve import resolve

PLAIN, NO_PACKAGE, CHOOSING, PROGRAM, WARNING = (case.parts for case in sections("contract/unittest.txt"))
UNITTEST = {"module.py": MODULE, **PLAIN}
PREFIX = "tests/test_module.py::Arithmetic::test_"


@pytest.fixture(scope="module")
def unittest_bed(make):  # noqa: F811
    with make("python -m unittest", files=UNITTEST).open() as bed:
        yield bed


def by_name(report):
    return {result.test.rpartition("test_")[2]: result.status for result in report.results}


ALL = {
    "add": TestStatus.FAILED,
    "sign": TestStatus.PASSED,
    "state": TestStatus.PASSED,
    "skipped": TestStatus.SKIPPED,
    "expected": TestStatus.XFAILED,
    "later": TestStatus.PASSED,
}


@pytest.mark.slow
def test_a_unittest_project_has_a_verdict_for_each_test(unittest_bed):
    report = unittest_bed.run(trace=True)
    assert report.complete, report.output
    assert report.exit_status == 1
    assert by_name(report) == ALL
    (failure,) = report.failing
    assert (failure.exception, failure.message.partition("\n")[0]) == ("AssertionError", "0 != 4")
    assert failure.lines["module.py"] == (2,)
    assert failure.frames[-1].path == "tests/test_module.py"


@pytest.mark.slow
def test_quick_verdicts_on_a_unittest_project_are_those_of_whole_runs(unittest_bed):
    tests = [f"{PREFIX}{name}" for name in ("add", "sign", "state")]
    for change in (b"a + b", b"a * b", b"a - b", b"a // 0"):
        changes = {"module.py": MODULE.encode().replace(b"a - b", change)}
        quick = unittest_bed.run(tests=tests, changes=changes, quick=True)
        whole = unittest_bed.run(tests=tests, changes=changes)
        assert by_name(quick) == by_name(whole)
        assert quick.proves(set(tests)) == whole.proves(set(tests)) == (change in {b"a + b", b"a * b"})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ("-v -f -b tests.test_module", set(ALL)),
        ("tests/test_module.py", set(ALL)),
        ("tests.test_module.Arithmetic.test_add", {"add"}),
        ("tests.test_module.Later tests.test_module.Arithmetic.test_sign", {"later", "sign"}),
        ("-k Arithmetic.test_s -k '*_later'", {"sign", "state", "skipped", "later"}),
        ("discover -s tests -t . -p 'test_m*.py' -k ADD", set()),
        ("discover tests", set(ALL)),
        ("discover -s tests -p 'check_*.py'", set()),
    ],
)
def test_the_options_of_unittest_choose_the_same_tests(make, arguments, names):  # noqa: F811
    with make(f"python -m unittest {arguments}", files=UNITTEST).open() as bed:
        report = bed.run()
    assert set(by_name(report)) == names, report.output
    assert report.exit_status == (5 if not names else 1 if "add" in names else 0)


@pytest.mark.slow
def test_a_directory_of_tests_that_is_no_package_finds_its_neighbours(make):  # noqa: F811
    files = {"module.py": MODULE, **NO_PACKAGE}
    tests = ["checks/unit/check_add.py::T::test_add"]
    with make("python -m unittest discover checks 'check_*.py'", files=files).open() as bed:
        assert [result.test for result in bed.run().failing] == tests
        assert bed.run(changes=FIXED, tests=tests).proves(set(tests))
        assert bed.run(changes=FIXED, tests=tests, quick=True).proves(set(tests))


def test_where_the_project_chooses_its_tests_itself_unittest_does_it(make):  # noqa: F811
    chosen = UNITTEST["tests/test_module.py"] + CHOOSING["tests/test_module.py"]
    files = {**UNITTEST, "tests/test_module.py": chosen}
    testbeds = make("python -m unittest -v", files=files)
    note = resolve(parse("python -m unittest -v"), testbeds.snapshot).note
    assert note == "unittest runs as one test, which is slower: tests/test_module.py uses load_tests"
    with testbeds.open() as bed:
        report = bed.run(trace=True)
        (failure,) = report.failing
        assert failure.test == "python -m unittest -v"
        assert (failure.exception, failure.message) == ("AssertionError", "0 != 4")
        assert "Ran 1 test" in report.output
        assert 2 in failure.lines["module.py"]
        assert bed.run(changes=FIXED).proves({"python -m unittest -v"})


@pytest.mark.slow
@pytest.mark.parametrize("command", ["python checks/check.py -v", "python -m checks.check T.test_add"])
def test_a_program_of_unittest_cases_has_a_verdict_for_each(make, command):  # noqa: F811
    files = {"module.py": MODULE, **PROGRAM}
    tests = ["checks/check.py::T::test_add"]
    with make(f"PYTHONPATH=. {command}", files=files).open() as bed:
        assert [result.test for result in bed.run().failing] == tests
        assert bed.run(changes=FIXED, tests=tests).proves(set(tests))
        assert bed.run(changes=FIXED, tests=tests, quick=True).proves(set(tests))


@pytest.mark.slow
def test_warnings_are_errors_where_the_command_says_so(make):  # noqa: F811
    for options, status in (("", TestStatus.PASSED), ("-W error::DeprecationWarning", TestStatus.FAILED)):
        with make(f"python {options} -m unittest", files=WARNING).open() as bed:
            assert [result.status for result in bed.run().results] == [status]
