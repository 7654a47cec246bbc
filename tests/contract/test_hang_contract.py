"""Endless loops in every provider: seconds each, the place told, the other tests run all the same."""

import time
from functools import partial

import pytest
from providers import PROVIDERS
from sections import sections
from testbeds import maker

from sandbox.reports import TestStatus

COLLECT_S = 30.0

LOOPS, TESTS, SLOW = sections("contract/hangs.txt")[0].parts.values()


ONE, *OTHERS = PROVIDERS
MADE = [ONE, *(pytest.param(*one.values, id=one.id, marks=[*one.marks, pytest.mark.slow]) for one in OTHERS)]


@pytest.fixture(scope="module", params=MADE)
def make(request, make_provider):
    return partial(maker(*make_provider(request.param)), test_s=30, collect_s=COLLECT_S)


@pytest.fixture(scope="module")
def hung(make):
    """One run in which five tests hang in four ways, and how long it took."""
    with make(loops__py=LOOPS, test_loops__py=TESTS).open() as bed:
        started = time.monotonic()
        report = bed.run()
        return report, time.monotonic() - started


def by_name(report):
    return {result.test.rpartition("::")[2]: result for result in report.results}


@pytest.mark.slow
def test_the_tests_around_them_run(hung):
    ends = {name: result.status for name, result in by_name(hung[0]).items()}
    hanging = ("test_forever", "test_in_c", "test_waits", "test_old")
    assert ends == {
        "test_before": TestStatus.PASSED,
        "test_last": TestStatus.PASSED,
        **dict.fromkeys(hanging, TestStatus.TIMEOUT),
    }


def test_they_cost_seconds_where_the_configured_limit_is_half_a_minute(hung):
    report, seconds = hung
    assert seconds < 45
    assert all(result.seconds < 15 for result in report.failing)


@pytest.mark.parametrize(
    ("test", "function"),
    [("test_forever", "forever"), ("test_in_c", "in_c"), ("test_old", "forever")],
)
def test_the_place_of_the_loop_is_told(hung, test, function):
    frame = by_name(hung[0])[test].frames[-1]
    assert (frame.path, frame.function) == ("loops.py", function)


@pytest.mark.slow
def test_of_a_loop_that_awaits_the_coroutine_is_told(make):
    names = ["test_loops.py::test_waits"]
    with make(loops__py=LOOPS, test_loops__py=TESTS).open() as bed:
        (result,) = bed.run(tests=names, timeout_s={names[0]: 3.0}).results
    assert (result.status, result.frames[-1].function) == (TestStatus.TIMEOUT, "waits")


def test_a_hang_is_confirmed_once_for_all_that_hang_there(hung):
    assert {test.rpartition("::")[2] for test in hung[0].confirmed} >= {"test_forever", "test_old"}


@pytest.mark.slow
def test_a_loop_that_swallows_every_exception_is_ended_and_its_place_told(make):
    tests = "import loops\n\n\ndef test_it():\n    loops.swallows()\n\n\ndef test_last():\n    pass\n"
    with make(loops__py=LOOPS, test_loops__py=tests).open() as bed:
        found = by_name(bed.run(timeout_s={"test_loops.py::test_it": 0.5}))
    assert found["test_last"].status is TestStatus.PASSED
    assert found["test_it"].status is TestStatus.TIMEOUT
    assert {frame.path for frame in found["test_it"].frames} == {"loops.py", "test_loops.py"}


def test_what_the_project_changes_itself_is_known_where_its_last_test_ends_the_process(make):
    loops, tests = (
        "import os\n\n\ndef ends():\n    os._exit(0)\n",
        "import loops\n\n\ndef test_it():\n    loops.ends()\n",
    )
    fix = {"loops.py": b"def ends():\n    pass\n", "conftest.py": b""}  # a new conftest.py: no quick verdict
    with make(loops__py=loops, test_loops__py=tests).open() as bed:
        report = bed.run(changes=fix, tests=["test_loops.py::test_it"])
    assert [result.status for result in report.results] == [TestStatus.PASSED], report.problem


@pytest.mark.slow
def test_one_that_is_only_slower_than_its_neighbours_passes(make):
    with make(test_slow__py=SLOW).open() as bed:
        report = bed.run()
    assert [result.status for result in report.results] == [TestStatus.PASSED] * 2
    assert report.confirmed == ()


@pytest.mark.slow
def test_a_run_ends_by_its_deadline_and_keeps_what_ran(make):
    with make(loops__py=LOOPS, test_loops__py=TESTS).open() as bed:
        started = time.monotonic()
        report = bed.run(seconds=1.5)
        assert time.monotonic() - started < 10
    assert (report.complete, report.cut, report.collected) == (False, True, 6)
    assert by_name(report)["test_before"].status is TestStatus.PASSED


@pytest.mark.slow
def test_the_files_that_are_named_first_run_first(make):
    one, other = ("def test_a():\n    pass\n\n\ndef test_b():\n    pass\n" for _ in range(2))
    with make(test_a__py=one, test_b__py=other).open() as bed:
        report = bed.run(first=("test_b.py",))
    assert [result.test for result in report.results] == [
        f"test_{file}.py::test_{name}" for file in "ba" for name in "ab"
    ]


@pytest.mark.slow
def test_a_candidate_in_c_that_hangs_costs_a_second(make):
    tests = "import loops\n\n\ndef test_it():\n    assert loops.value() == 1\n"
    right, hanging = (f"def value():\n    return {text}\n".encode() for text in ("1", "sum(iter(int, 1))"))
    names = ["test_loops.py::test_it"]
    with make(loops__py="def value():\n    return 2\n", test_loops__py=tests, grace_s=2.0).open() as bed:
        bed.run()
        bed.run(tests=names, quick=True, timeout_s={names[0]: 0.2})
        started = time.monotonic()
        (result,) = bed.run(
            tests=names, quick=True, changes={"loops.py": hanging}, timeout_s={names[0]: 0.2}
        ).results
        assert time.monotonic() - started < 2.3  # the grace of a whole run alone is two seconds
        assert result.status is TestStatus.TIMEOUT
        assert bed.run(tests=names, quick=True, changes={"loops.py": right}).proves(set(names))


@pytest.mark.slow
@pytest.mark.parametrize("quick", [True, False])
def test_a_candidate_that_loops_while_it_is_imported_costs_seconds(make, quick):
    """The limit of the import follows from what the unchanged project took, not from the configured one."""
    test = "import module\n\n\ndef test_value():\n    assert module.VALUE == 1\n"
    loops = "VALUE = 1\nwhile VALUE:\n    pass\n"
    with make(module__py="VALUE = 2\n", test_module__py=test).open() as bed:
        bed.run()
        started = time.monotonic()
        report = bed.run(
            tests=["test_module.py::test_value"], changes={"module.py": loops.encode()}, quick=quick
        )
        seconds = time.monotonic() - started
    assert not report.passing
    assert seconds < COLLECT_S * 2 / 3
