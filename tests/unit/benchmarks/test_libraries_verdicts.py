"""Verdicts inside and outside: names, shares, and what is read of a record."""

import os
import subprocess
import sys

import pytest
from every_case import every_case
from providers import LEAN
from sections import sections

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


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The node ids that pytest lists for a suite with odd names, and what the recorder wrote of it."""
    directory = tmp_path_factory.mktemp("suite")
    (directory / "sub").mkdir()
    (directory / "sub" / "test_odd.py").write_text(SUITE, "utf-8")
    (directory / "test_broken.py").write_text("import does_not_exist\n", "utf-8")
    environment = {**os.environ, **LEAN}
    options = ["-q", "-p", "no:cacheprovider", "--rootdir=.", "-c", "/dev/null"]
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--collect-only"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    ).stdout.splitlines()
    argv = [sys.executable, str(RECORDER), "record.jsonl", ".", *OPTIONS, *options]
    subprocess.run(argv, cwd=directory, capture_output=True, check=False, env=environment)
    return [line for line in listed if "::" in line], (directory / "record.jsonl").read_text("utf-8")


@pytest.mark.slow
def test_a_tests_name_is_its_node_id(recorded):
    listed, record = recorded
    verdicts, _ = read_record(record.splitlines())
    assert len(listed) == 9
    assert {*listed, "test_broken.py"} == set(verdicts)


def test_a_record_says_how_each_test_ended_and_why(recorded):
    verdicts, messages = read_record(recorded[1].splitlines())
    assert verdicts["sub/test_odd.py::TestOf::TestInner::test_inner"] is PASSED
    assert verdicts["sub/test_odd.py::Case::test_case"] is SKIPPED
    assert verdicts["sub/test_odd.py::test_expected"] is SKIPPED
    assert verdicts["sub/test_odd.py::test_value[a b]"] is FAILED
    assert verdicts["test_broken.py"] is FAILED
    assert "said" in messages["sub/test_odd.py::test_value[a b]"]
    assert set(messages) == {"sub/test_odd.py::test_value[a b]", "test_broken.py"}


def test_of_a_torn_record_the_beginning_counts():
    lines = ['["a", "passed", ""]', '["b", "failed", "sai', "[]", '["c", "odd", "why"]']
    assert read_record(lines) == ({"a": PASSED, "c": FAILED}, {"c": "why"})


def test_of_several_verdicts_of_one_test_the_worst_counts():
    pairs = [("a", SKIPPED), ("a", PASSED), ("b", PASSED), ("b", FAILED), ("b", PASSED)]
    assert collected(pairs) == {"a": PASSED, "b": FAILED}


def sides(inside, outside, *, cut=""):
    common = {"seconds": 1.0, "exit_status": 0}
    return (
        Ran(verdicts=inside, cut=cut == "inside", **common),
        Ran(verdicts=outside, cut=cut == "outside", **common),
    )


def test_a_test_that_one_side_lacks_is_no_same_verdict():
    both = sides({"a": PASSED, "b": FAILED}, {"a": PASSED, "b": PASSED, "c": PASSED})
    assert same_share(*both) == pytest.approx(1 / 3)
    assert differing(*both) == [("b", FAILED, PASSED), ("c", MISSING, PASSED)]
    assert same_share(*sides({}, {})) == 0.0


def test_of_a_side_whose_time_was_over_only_the_tests_that_ran_are_compared():
    verdicts = {"a": PASSED, "b": FAILED}, {"a": PASSED, "b": PASSED, "c": PASSED}
    assert same_share(*sides(*verdicts, cut="inside")) == pytest.approx(1 / 2)
    assert compared(*sides(*verdicts, cut="inside")) == ["a", "b"]
    assert compared(*sides(*verdicts, cut="outside")) == ["a", "b", "c"]


def ran(passed, failed=0, skipped=0, problem=""):
    verdicts = {
        **{f"p{n}": PASSED for n in range(passed)},
        **{f"f{n}": FAILED for n in range(failed)},
        **{f"s{n}": SKIPPED for n in range(skipped)},
    }
    return Ran(verdicts=verdicts, seconds=1.0, exit_status=0, problem=problem)


@every_case(
    ("inside", "outside", "usable"),
    [
        (ran(97, 3), ran(97, 3), True),
        (ran(96, 4), ran(96, 4), False),
        (ran(97, 3, skipped=500), ran(97, 3, skipped=500), True),
        (ran(96, 4, skipped=500), ran(96, 4, skipped=500), False),
        (ran(100), ran(101), True),
        (ran(100), ran(102), False),
        (ran(100, problem="too long"), ran(100), False),
        (ran(0), ran(0), False),
        (ran(0, skipped=5), ran(0, skipped=5), False),
    ],
)
def test_usable_is_what_passes_and_passes_outside_as_well(inside, outside, usable):
    assert is_usable(inside, outside) is usable


def side(verdicts):
    return Ran(verdicts=verdicts, seconds=1.0, exit_status=0)


def test_parameters_that_are_named_otherwise_are_paired_within_their_function():
    inside = side(
        {"t.py::f[0-b]": PASSED, "t.py::f[1-a]": FAILED, "t.py::g[x]": PASSED, "t.py::same": PASSED}
    )
    outside = side(
        {"t.py::f[0-a]": FAILED, "t.py::f[1-b]": PASSED, "t.py::g[y]": FAILED, "t.py::same": PASSED}
    )
    assert differing(inside, outside) == [("t.py::g[x]", PASSED, FAILED)]
    assert same_share(inside, outside) == 0.75


def test_a_function_with_more_parameters_on_one_side_is_not_paired():
    inside = side({"t.py::f[0]": PASSED, "t.py::f[1]": PASSED})
    outside = side({"t.py::f[2]": PASSED})
    assert [found for _, *found in differing(inside, outside)] == [
        [PASSED, MISSING],
        [PASSED, MISSING],
        [MISSING, PASSED],
    ]
