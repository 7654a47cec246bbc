"""Verdicts inside and outside: names, shares, what is read of a record, and why a suite is not usable."""

import os
import subprocess
import sys

import pytest
from every_case import every_case
from providers import LEAN
from sections import sections

from benchmarks.libraries import causes
from benchmarks.libraries.suite import OPTIONS, RECORDER
from benchmarks.libraries.verdicts import (
    Ran,
    Verdict,
    collected,
    compared,
    differing,
    read_record,
    same_share,
)
from benchmarks.libraries.work import is_usable

PASSED, FAILED, SKIPPED, MISSING = Verdict.PASSED, Verdict.FAILED, Verdict.SET_ASIDE, Verdict.MISSING
SOURCES = sections("sources/libraries_verdicts.txt")[0].parts
SUITE = SOURCES["SUITE"]


@pytest.fixture
def recorded(tmp_path):
    """The node ids that pytest lists for a suite with odd names, and what the recorder wrote of it."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "test_odd.py").write_text(SUITE, "utf-8")
    (tmp_path / "test_broken.py").write_text("import does_not_exist\n", "utf-8")
    environment = {**os.environ, **LEAN}
    options = ["-q", "-p", "no:cacheprovider", "--rootdir=.", "-c", "/dev/null"]

    def output(*argv):
        argv = [sys.executable, *argv]
        return subprocess.run(
            argv, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
        ).stdout

    listed = output("-m", "pytest", *options, "--collect-only").splitlines()
    output(str(RECORDER), "record.jsonl", ".", *OPTIONS, *options)
    return [line for line in listed if "::" in line], (tmp_path / "record.jsonl").read_text("utf-8")


def test_a_record_names_each_test_and_says_how_it_ended_and_why(recorded):
    listed, record = recorded
    verdicts, messages = read_record(record.splitlines())
    assert len(listed) == 9
    assert {*listed, "test_broken.py"} == set(verdicts)
    assert verdicts["sub/test_odd.py::TestOf::TestInner::test_inner"] is PASSED
    assert verdicts["sub/test_odd.py::Case::test_case"] is SKIPPED
    assert verdicts["sub/test_odd.py::test_expected"] is SKIPPED
    failed = {"sub/test_odd.py::test_value[a b]", "test_broken.py"}
    assert {name for name, verdict in verdicts.items() if verdict is FAILED} == failed == set(messages)
    assert "said" in messages["sub/test_odd.py::test_value[a b]"]


def test_of_a_torn_record_the_beginning_counts():
    lines = ['["a", "passed", ""]', '["b", "failed", "sai', "[]", '["c", "odd", "why"]']
    assert read_record(lines) == ({"a": PASSED, "c": FAILED}, {"c": "why"})


def test_of_several_verdicts_of_one_test_the_worst_counts():
    pairs = [("a", SKIPPED), ("a", PASSED), ("b", PASSED), ("b", FAILED), ("b", PASSED)]
    assert collected(pairs) == {"a": PASSED, "b": FAILED}


def ran(verdicts, **more):
    return Ran(verdicts=verdicts, seconds=1.0, **more)


def test_a_test_that_one_side_lacks_is_no_same_verdict():
    both = ran({"a": PASSED, "b": FAILED}), ran({"a": PASSED, "b": PASSED, "c": PASSED})
    assert same_share(*both) == pytest.approx(1 / 3)
    assert differing(*both) == [("b", FAILED, PASSED), ("c", MISSING, PASSED)]
    assert same_share(ran({}), ran({})) == 0.0


def test_of_a_side_whose_time_was_over_only_the_tests_that_ran_are_compared():
    some, more = {"a": PASSED, "b": FAILED}, {"a": PASSED, "b": PASSED, "c": PASSED}
    assert same_share(ran(some, cut=True), ran(more)) == pytest.approx(1 / 2)
    assert compared(ran(some, cut=True), ran(more)) == ["a", "b"]
    assert compared(ran(some), ran(more, cut=True)) == ["a", "b", "c"]


def suite(passed, failed=0, skipped=0, problem=""):
    ended = [PASSED] * passed + [FAILED] * failed + [SKIPPED] * skipped
    return ran({str(number): verdict for number, verdict in enumerate(ended)}, problem=problem)


@every_case(
    ("inside", "outside", "usable"),
    [
        (suite(97, 3), suite(97, 3), True),
        (suite(96, 4), suite(96, 4), False),
        (suite(97, 3, skipped=500), suite(97, 3, skipped=500), True),
        (suite(96, 4, skipped=500), suite(96, 4, skipped=500), False),
        (suite(100), suite(101), True),
        (suite(100), suite(102), False),
        (suite(100, problem="too long"), suite(100), False),
        (suite(0), suite(0), False),
        (suite(0, skipped=5), suite(0, skipped=5), False),
    ],
)
def test_usable_is_what_passes_and_passes_outside_as_well(inside, outside, usable):
    assert is_usable(inside, outside) is usable


def test_parameters_that_are_named_otherwise_are_paired_within_their_function():
    inside = ran({"t::f[0-b]": PASSED, "t::f[1-a]": FAILED, "t::g[x]": PASSED, "t::same": PASSED})
    outside = ran({"t::f[0-a]": FAILED, "t::f[1-b]": PASSED, "t::g[y]": FAILED, "t::same": PASSED})
    assert differing(inside, outside) == [("t::g[x]", PASSED, FAILED)]
    assert same_share(inside, outside) == 0.75
    # One side has more of them: then none is paired.
    inside, outside = ran({"t::f[0]": PASSED, "t::f[1]": PASSED}), ran({"t::f[2]": PASSED})
    apart = [(PASSED, MISSING), (PASSED, MISSING), (MISSING, PASSED)]
    assert [tuple(found) for _, *found in differing(inside, outside)] == apart


def side(messages=(), passed=0, problem="", output=""):
    """A run with a failing test for each of ``messages``."""
    names = {f"t{number}": message for number, message in enumerate(messages)}
    verdicts = {**dict.fromkeys(names, Verdict.FAILED), **{f"p{n}": Verdict.PASSED for n in range(passed)}}
    return Ran(verdicts=verdicts, messages=names, seconds=1.0, problem=problem, output=output)


NO_TRIO = "ModuleNotFoundError: No module named 'trio'"
LATE = "it did not end within 5 s"
OFFLINE = "socket.gaierror: [Errno -2] Name or service not known"


@every_case(
    ("inside", "outside", "kind", "detail"),
    [
        (side([NO_TRIO] * 3), side([NO_TRIO] * 3), causes.MODULE, "trio (3)"),
        (side([OFFLINE, OFFLINE, "E"]), side([OFFLINE] * 3), causes.NETWORK, "2 x socket.gaierror"),
        (side(["E", "E"]), side([], passed=2), causes.INSIDE_ONLY, "2 tests: 2 x E"),
        (side(["fixture 'httpbin' not found"]), side(["x"]), causes.MODULE, "httpbin (1)"),
        (side(["E: 1", "E: 2"]), side(["E: 1", "E: 2"]), causes.OTHER, "2 tests: 2 x E: 1"),
        (side(output="error: unrecognized arguments: --cov\n"), side(), causes.ARGUMENTS, "--cov"),
        (side(problem=LATE), side(), causes.TOO_LONG, "within 5 s"),
        (side(passed=3, problem=LATE), side(passed=3), causes.TOO_LONG, "within 5 s"),
        (side(problem="exit status 137"), side(), causes.KILLED, "137"),
        (side(problem="no tests were found"), side(), causes.NO_TESTS, "no tests"),
        (side(problem="no tests were found"), side(passed=1), causes.INSIDE_ONLY, "no tests"),
        (side(problem=f"failed: {NO_TRIO}"), side(), causes.MODULE, "trio"),
        (side(["E"], passed=1), side(problem=LATE), causes.TOO_LONG, "outside"),
        (side(passed=1), side(passed=3), causes.INSIDE_ONLY, "2 tests missing inside, passed outside"),
    ],
)
def test_the_first_rule_that_holds_decides(inside, outside, kind, detail):
    found = causes.of_runs(inside, outside)
    assert found["kind"] == kind
    assert detail in found["detail"]


def test_an_environments_error_is_reported_without_the_command_and_paths():
    found = causes.of_environment(
        "it cannot be built: uv pip install --python /tmp/x failed: no /tmp/y\n here"
    )
    assert found == {"kind": causes.ENVIRONMENT, "detail": "no ... here"}


def test_another_python_is_its_own_cause():
    assert causes.of_environment("this project requires Python >=3.14")["kind"] == causes.PYTHON
