"""Verdicts inside and outside: names as JUnit has them, shares, and what is read of a report."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks.libraries.verdicts import (
    Ran,
    Verdict,
    collected,
    compared,
    differing,
    junit_name,
    read_junit,
    same_share,
)
from benchmarks.libraries.work import is_usable

PASSED, FAILED, SKIPPED, MISSING = Verdict.PASSED, Verdict.FAILED, Verdict.SET_ASIDE, Verdict.MISSING
SUITE = """
import pytest
import unittest

class TestOf:
    class TestInner:
        def test_inner(self):
            pass

class Case(unittest.TestCase):
    def test_case(self):
        self.skipTest("no")

@pytest.mark.parametrize("value", ["a::b", "a/b.py", "[x]", "\\x1b[0m", "\\u20ac", "a b"])
def test_value(value):
    assert value != "a b", "said"

@pytest.mark.xfail(reason="expected")
def test_expected():
    raise ValueError
"""


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The node ids that pytest lists for a suite with odd names, and its JUnit report."""
    directory = tmp_path_factory.mktemp("suite")
    (directory / "sub").mkdir()
    (directory / "sub" / "test_odd.py").write_text(SUITE, "utf-8")
    (directory / "test_broken.py").write_text("import does_not_exist\n", "utf-8")
    base = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=.", "-c", "/dev/null"]
    listed = subprocess.run(
        [*base, "--collect-only"], cwd=directory, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    junit = ["--junitxml=junit.xml", "-o", "junit_family=xunit1", "--continue-on-collection-errors"]
    subprocess.run([*base, *junit], cwd=directory, capture_output=True, check=False)
    return [line for line in listed if "::" in line], (directory / "junit.xml").read_bytes()


def test_a_tests_name_is_the_one_that_pytest_reports(reported):
    listed, document = reported
    verdicts, _ = read_junit(document)
    assert len(listed) == 9
    assert {junit_name(test) for test in listed} | {junit_name("test_broken.py")} == set(verdicts)


def test_a_report_says_how_each_test_ended_and_why(reported):
    verdicts, messages = read_junit(reported[1])
    assert verdicts["sub.test_odd.TestOf.TestInner::test_inner"] is PASSED
    assert verdicts["sub.test_odd.Case::test_case"] is SKIPPED
    assert verdicts["sub.test_odd::test_expected"] is SKIPPED
    assert verdicts["sub.test_odd::test_value[a b]"] is FAILED
    assert verdicts["::test_broken"] is FAILED
    assert "said" in messages["sub.test_odd::test_value[a b]"]
    assert set(messages) == {"sub.test_odd::test_value[a b]", "::test_broken"}


@pytest.mark.parametrize(
    "document",
    [
        b'<testsuite><testcase classname="a" name="b"/><testcase classname="a" name="c"',
        b'<testsuite><testcase classname="a" name="b"/>' + b"<x>" * 100,
        b'<testsuite><testcase classname="a" name="b"/></testsuite> &more;',
    ],
)
def test_of_a_torn_report_the_beginning_counts(document):
    assert read_junit(document)[0] == {"a::b": PASSED}


def test_a_report_with_a_document_type_is_not_read():
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><testsuite><testcase classname="a" name="&a;"/></testsuite>'
    assert read_junit(bomb) == ({}, {})


def test_of_several_verdicts_under_one_name_the_worst_counts():
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


@pytest.mark.parametrize(
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
