"""The runner on every CPython that it supports: the testbed's contract, the sandbox's, and its own edges.

The cases of the contracts of testbeds, sandboxes and programs are taken over as they are, with the
interpreter as a further parameter: what holds for one version has to hold for each. Those that are about
the provider, not about the runner, stay where they are.
"""

import dataclasses
import inspect
from collections.abc import Callable, Iterator

import interpreters
import pytest
import test_probe_contract as probe_contract
import test_sandbox_contract as sandbox_contract
import test_script_contract as script_contract
import test_testbed_contract as testbed_contract
import test_testbed_hostile as testbed_hostile
import test_unittest_contract as unittest_contract
from sections import sections
from test_testbed_contract import testbed  # noqa: F401 - a fixture
from test_unittest_contract import unittest_bed  # noqa: F401 - a fixture
from testbeds import statuses

from sandbox.base import Limits
from sandbox.reports import TestStatus
from sandbox.selfcheck.model import CheckVerdict
from sandbox.selfcheck.run import MODEST_LIMITS, run_checks

pytestmark = pytest.mark.interpreters

LEFT_OUT = {
    # A test that kills its supervisor is a known gap of plain processes; its other parts are tested below.
    "test_hostile_tests_do_not_become_passes_and_do_not_stop_the_others",
    # Seconds of waiting for what the cases below show too.
    "test_a_collection_that_hangs_ends",
    "test_a_shared_fixture_does_not_count_against_the_first_test",
    "test_a_hostile_version_misleads_about_itself_at_most",
}


def cases(module: object, fixtures: set[str]) -> Iterator[tuple[str, Callable[..., None]]]:
    """The tests of ``module`` that ask for one of ``fixtures``."""
    for name, case in vars(module).items():
        if not name.startswith("test_") or name in LEFT_OUT or not inspect.isfunction(case):
            continue
        if fixtures & set(inspect.signature(case).parameters):
            yield name, case


globals().update(cases(testbed_contract, {"make", "testbed"}))
globals().update(cases(testbed_hostile, {"make"}))
globals().update(cases(script_contract, {"make"}))
globals().update(cases(unittest_contract, {"make", "unittest_bed"}))
globals().update(cases(sandbox_contract, {"sandbox"}))
globals().update(cases(probe_contract, {"make"}))


@pytest.mark.parametrize("version", interpreters.VERSIONS)
def test_the_version_is_here(version, python_of):
    assert python_of(version)


def test_the_interpreter_is_the_one_that_was_asked_for(sandbox, variant):
    assert ".".join(map(str, sandbox.python_version[:2])) == variant[2]


# What the supervisor alone sees to, on whatever interpreter it runs.
SUPERVISED = {
    *("archive-names", "archive-special", "archive-links", "environment", "standard-input"),
    *("output-flood", "output-bytes", "timeout", "leftovers"),
}


def test_what_the_supervisor_promises_it_keeps(variant):
    provider, spec, _version = variant
    results = run_checks(provider, dataclasses.replace(spec, limits=MODEST_LIMITS), names=SUPERVISED)
    assert [result for result in results if result.verdict is not CheckVerdict.PASSED] == []
    assert len(results) == len(SUPERVISED)


ENDS, EXPLAINED, CHAINED, TRACED, TRACING, READING = sections("contract/versions.txt")[0].parts.values()


@pytest.mark.slow
def test_however_a_test_ends_the_next_one_runs(make):
    limits = Limits(memory_mib=1024, open_files=128)
    with make(limits=limits, grace_s=0.5, test_ends__py=ENDS).open() as bed:
        report = bed.run(
            timeout_s={
                "test_ends.py::test_hangs": 0.2,
                "test_ends.py::test_hangs_and_swallows_everything": 0.2,
            }
        )
    assert statuses(report) == {
        "test_hangs": TestStatus.TIMEOUT,
        "test_hangs_and_swallows_everything": TestStatus.TIMEOUT,
        "test_leaves": TestStatus.CRASHED,
        "test_ends_by_a_fault": TestStatus.CRASHED,
        "test_aborts": TestStatus.CRASHED,
        "test_exits": TestStatus.FAILED,
        "test_leaves_a_daemon": TestStatus.PASSED,
        "test_forks_and_lets_the_copy_go_on": TestStatus.PASSED,
        "test_takes_more_memory_than_there_is": TestStatus.FAILED,
        "test_opens_more_files_than_it_may": TestStatus.FAILED,
        "test_recurses": TestStatus.FAILED,
        "test_last": TestStatus.PASSED,
    }
    exceptions = {result.test.split("::")[1]: result.exception for result in report.failing}
    assert exceptions["test_exits"] == "SystemExit"
    assert exceptions["test_takes_more_memory_than_there_is"] == "MemoryError"
    assert exceptions["test_opens_more_files_than_it_may"] == "OSError"
    assert exceptions["test_recurses"] == "RecursionError"


@pytest.mark.slow
def test_failures_are_explained_alike(make):
    with make(test_explained__py=EXPLAINED, module__py=CHAINED).open() as bed:
        report = bed.run()
    by_name = {result.test.rpartition("::")[2]: result for result in report.results}
    chain = by_name["test_a_chain"]
    assert (chain.exception, chain.message) == ("LookupError", "outer")
    assert [(frame.path, frame.line, frame.function) for frame in chain.frames][-2:] == [
        ("test_explained.py", 9, "test_a_chain"),
        ("module.py", 12, "outer"),
    ]
    assert ("module.py", 5, "inner") in [(f.path, f.line, f.function) for f in chain.frames]
    assert by_name["test_a_syntax_error"].exception == "SyntaxError"
    assert len(by_name["test_a_long_message"].message) < 5000
    assert by_name["test_an_exception_that_cannot_be_shown"].exception == "Odd"
    equal = by_name["test_equal"]
    assert (equal.status, equal.exception) == (TestStatus.FAILED, "AssertionError")
    assert "1 != 2" in equal.message
    assert [by_name[name].status for name in ("test_skipped", "test_expected", "test_set_up")] == [
        TestStatus.SKIPPED,
        TestStatus.XFAILED,
        TestStatus.PASSED,
    ]
    assert by_name["test_parts"].status is TestStatus.FAILED
    broken = by_name["test_never_runs"]
    assert (broken.status, broken.exception) == (TestStatus.ERROR, "RuntimeError")


@pytest.mark.slow
def test_the_traced_lines_are_the_same_in_every_version(make):
    with make(traced__py=TRACED, test_tracing__py=TRACING).open() as bed:
        report = bed.run(trace=True)
    lines = {result.test.split("::")[1]: set(result.lines["traced.py"]) for result in report.results}
    assert lines["test_choose"] == {2, 3, 4, 6, 7}
    assert lines["test_squares"] == {11}
    assert {15, 16} <= lines["test_late"] <= {15, 16, 17, 18}
    steps = {result.test.split("::")[1]: result.steps for result in report.results}
    assert (steps["test_choose"].count, set(steps["test_choose"].last["traced.py"])) == (0, {2, 3, 4, 6, 7})
    # Before CPython 3.10, the peephole optimiser may leave out the line of a bare "continue".
    assert {2, 3, 4, 7} <= lines["test_in_a_thread"] <= {2, 3, 4, 5, 7}


def test_a_flood_of_output_is_kept_to_its_end(make):
    code = "def test_it():\n    print('x' * 5_000_000)\n    print('the end')\n    assert 0\n"
    with make("python -m pytest -s", test_flood__py=code).open() as bed:
        report = bed.run()
    assert [result.status for result in report.results] == [TestStatus.FAILED]
    assert "the end" in report.output
    assert len(report.output) < 100_000


@pytest.mark.slow
def test_changes_are_laid_seen_by_every_way_of_reading_them_and_undone(make):
    tests = ["test_it.py::test_it"]
    changes = {"module.py": b"VALUE = 2\n", "new/thing.txt": b"x"}
    with make(module__py="VALUE = 1\n", test_it__py=READING).open() as bed:
        for _ in range(2):
            assert bed.run(tests=tests, changes=changes).proves(set(tests))
            assert not bed.run(tests=tests).proves(set(tests))
