"""The contract of ``ports.Testbed``, over pytest in every provider, and on the nodes of a cluster."""

import pytest
import ray_cluster
from providers import PROVIDERS
from sections import sections
from testbeds import maker, statuses

from sandbox.ray_nodes import NodeTestbeds
from sandbox.reports import Comparison, TestStatus

PROJECT = sections("contract/testbed.txt")[0].parts
MODULE, TESTS, PARTS = (PROJECT[name] for name in ("module.py", "test_module.py", "test_parts.py"))


@pytest.fixture(scope="module", params=[*PROVIDERS, pytest.param("ray", id="ray", marks=ray_cluster.MARKS)])
def make(request, make_provider):
    if request.param != "ray":
        yield maker(*make_provider(request.param))
        return
    here = maker(*make_provider("process"))
    with ray_cluster.connected(processors=4):
        yield lambda *given, **options: NodeTestbeds(
            beds=here(*given, **options), runtime="", beds_here=0, notify=pytest.fail
        )


@pytest.fixture(scope="module")
def testbed(make):
    with make(module__py=MODULE, test_module__py=TESTS).open() as bed:
        yield bed


@pytest.mark.slow
def test_every_kind_of_verdict(testbed):
    report = testbed.run()
    assert report.complete
    assert report.exit_status == 1
    assert statuses(report) == {
        "test_wrong": TestStatus.FAILED,
        "test_sign[one]": TestStatus.PASSED,
        "test_sign[five and more]": TestStatus.PASSED,
        "TestGroup::test_zero": TestStatus.PASSED,
        "Old::test_old_style": TestStatus.PASSED,
        "test_skipped": TestStatus.SKIPPED,
        "test_expected": TestStatus.XFAILED,
        "test_setup_fails": TestStatus.ERROR,
    }


def test_a_failure_is_explained(testbed):
    (failure,) = testbed.run(tests=["test_module.py::test_wrong"]).failing
    assert failure.exception == "AssertionError"
    assert "assert 0 == 4" in failure.message
    assert failure.comparison == Comparison(operator="==", left="0", right="4")
    assert [(frame.path, frame.line) for frame in failure.frames] == [("test_module.py", 9)]


def test_only_the_chosen_tests_run_in_the_given_order(testbed):
    tests = ["test_module.py::TestGroup::test_zero", "test_module.py::test_sign[five and more]"]
    report = testbed.run(tests=tests)
    assert [result.test for result in report.results] == tests
    assert report.proves(set(tests))


def test_a_change_makes_the_test_pass_and_is_undone(testbed):
    tests = ["test_module.py::test_wrong"]
    fixed = MODULE.replace("a - b", "a + b").encode()
    assert testbed.run(tests=tests, changes={"module.py": fixed}).proves(set(tests))
    assert not testbed.run(tests=tests).proves(set(tests))


@pytest.mark.slow
def test_changes_of_equal_size_in_quick_succession_are_told_apart(testbed):
    tests = ["test_module.py::test_wrong"]
    for operator in "*-+-*+":
        report = testbed.run(tests=tests, changes={"module.py": MODULE.replace("-", operator, 1).encode()})
        assert report.proves(set(tests)) == (operator in "+*"), operator


def test_a_trace_tells_the_lines_of_each_test(testbed):
    report = testbed.run(
        tests=["test_module.py::test_sign[one]", "test_module.py::Old::test_old_style"], trace=True
    )
    first, second = (dict(result.lines)["module.py"] for result in report.results)
    assert first == (6, 7)
    assert second == (6, 8)
    assert all(path in {"module.py", "test_module.py"} for result in report.results for path in result.lines)
    assert all(not result.lines for result in testbed.run().results)


def test_it_stops_at_the_first_failure_when_asked(testbed):
    tests = ["test_module.py::test_wrong", "test_module.py::TestGroup::test_zero"]
    report = testbed.run(tests=tests, stop_at_first_failure=True)
    assert [result.test for result in report.results] == tests[:1]
    assert not report.proves({"test_module.py::TestGroup::test_zero"})


def test_a_test_that_does_not_exist_proves_nothing(testbed):
    report = testbed.run(tests=["test_module.py::test_absent"])
    assert not report.proves({"test_module.py::test_absent"})


@pytest.mark.slow
def test_a_module_that_cannot_be_imported_fails_as_a_file(make):
    with make(module__py="def add(:\n", test_module__py="import module\ndef test_a(): pass\n").open() as bed:
        (failure,) = bed.run().failing
        assert (failure.test, failure.status) == ("test_module.py", TestStatus.ERROR)
        assert failure.exception == "SyntaxError"
        assert failure.frames[-1].path == "module.py"
        repaired = bed.run(tests=["test_module.py"], changes={"module.py": b"x = 1\n"})
        assert repaired.proves({"test_module.py"})


@pytest.mark.slow
def test_no_tests_at_all(make):
    with make(module__py=MODULE).open() as bed:
        report = bed.run()
    assert report.results == ()
    assert report.exit_status == 5


@pytest.mark.slow
def test_options_of_the_command_are_kept(make):
    with make("pytest -k sign", module__py=MODULE, test_module__py=TESTS, conftest__py="").open() as bed:
        assert set(statuses(bed.run())) == {"test_sign[one]", "test_sign[five and more]"}


@pytest.mark.slow
@pytest.mark.parametrize("quick", [False, True])
def test_a_test_that_asks_which_modules_are_loaded_passes_with_each_candidate(make, quick):
    """What a run imports from outside the project is imported ahead of the next one, if that is no matter."""
    tests = ["test_lazy.py::test_lazy", "test_lazy.py::test_use"]
    with make(module__py="VALUE = 1\n", test_lazy__py=PROJECT["test_lazy.py"]).open() as bed:
        assert bed.run().proves(set(tests))
        for value in (b"2", b"3"):
            report = bed.run(tests=tests, changes={"module.py": b"VALUE = " + value}, quick=quick)
            assert report.proves(set(tests)), statuses(report)
        assert statuses(bed.run(changes={"module.py": b"VALUE = 0"}))["test_use"] is TestStatus.FAILED


@pytest.mark.slow
def test_variables_that_an_interpreter_reads_at_its_start_are_there_then(make):
    test = (
        "import sys\n\ndef test_flags():\n    assert sys.flags.utf8_mode == 1\n"
        "    assert sys.flags.hash_randomization == 0\n"
    )
    with make("PYTHONUTF8=1 PYTHONHASHSEED=0 pytest", test_flags__py=test).open() as bed:
        assert bed.run().proves({"test_flags.py::test_flags"})


@pytest.mark.slow
def test_the_src_layout_is_importable_and_nothing_of_it_reaches_the_supervisor(make):
    files = {
        "src/package/__init__.py": "",
        "src/package/thing.py": "VALUE = 1\n",
        "src/random.py": "MINE = True\n",
        "sitecustomize.py": PROJECT["sitecustomize.py"],
        "src/sitecustomize.py": PROJECT["sitecustomize.py"],
        "tests/test_it.py": PROJECT["test_src.py"],
    }
    with make(files=files, environment={"PYTHONPATH": "src"}).open() as bed:
        assert bed.run().proves({"tests/test_it.py::test_it"})


@pytest.mark.slow
def test_a_collection_error_is_found_again_whatever_the_root(make):
    files = {
        "tests/pytest.ini": "[pytest]\n",
        "tests/test_it.py": "import module\n\ndef test_it():\n    pass\n",
        "module.py": "def (\n",
    }
    with make("python -m pytest -c tests/pytest.ini tests", files=files).open() as bed:
        (failure,) = bed.run().failing
        assert bed.run(tests=[failure.test], changes={"module.py": b"x = 1\n"}).proves({failure.test})


def test_a_shell_command_is_one_test(make):
    script = "from module import add\nprint('.\\n' * 700_000)\nassert add(2, 2) == 4, 'two and two'\n"
    command = "python3 check.py 2>&1 && echo done"  # what matters comes last, after more than is kept
    with make(command, module__py=MODULE, check__py=script).open() as bed:
        (failure,) = bed.run().failing
        fixed = bed.run(changes={"module.py": MODULE.replace("a - b", "a + b").encode()})
    assert failure.status is TestStatus.FAILED
    assert (failure.exception, failure.message) == ("AssertionError", "two and two")
    assert [(frame.path, frame.line) for frame in failure.frames] == [("check.py", 3)]
    assert fixed.proves({command})


@pytest.mark.slow
def test_the_skip_of_a_part_is_not_that_of_the_test(make_provider):
    testbeds = maker(*make_provider("process"))("pytest", module__py=MODULE, test_parts__py=PARTS)
    right = {"module.py": MODULE.replace("a - b", "a + b").encode()}
    with testbeds.open() as bed:
        before, after = bed.run(), bed.run(changes=right)
        tests = [result.test for result in before.results]
        quick = bed.run(tests=tests, changes=right, quick=True)
        wrong = bed.run(tests=tests, changes={"module.py": MODULE.encode() + b"# wrong\n"}, quick=True)
    names = {name: f"test_parts.py::TestParts::test_{name}" for name in ("first", "middle", "last", "all")}
    failing = {names["first"], names["middle"], names["last"]}
    assert {result.test for result in before.failing} >= failing
    assert {result.test for result in wrong.failing} >= failing
    assert {result.test for result in after.passing} == set(names.values())
    assert {result.test for result in quick.passing} == set(names.values())


ENDS = """import os

def pytest_runtest_logstart(nodeid, location):
    if nodeid.endswith("test_b"):
        os._exit(3)
"""
THREE = "".join(f"def test_{name}():\n    pass\n\n" for name in "abc")


def test_what_ends_before_the_setup_of_a_test_is_blamed_on_that_test(make):
    with make(conftest__py=ENDS, test_three__py=THREE).open() as bed:
        found = statuses(bed.run())
    assert found == {
        "test_a": TestStatus.PASSED,
        "test_b": TestStatus.CRASHED,
        "test_c": TestStatus.PASSED,
    }
