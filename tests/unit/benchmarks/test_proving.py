"""Patches of seeded bugs that pass the tests without being right, and what is made of their verdicts."""

import ast
from pathlib import Path

import pytest
from every_case import every_case

from benchmarks.seeded.manifest import Bug
from benchmarks.seeded.mutants import Mutant, changed_span
from benchmarks.seeded.overfitting import overfitting
from benchmarks.seeded.proving import EXPECTED, KINDS, VERDICTS, WAYS, patches, verdict
from bot.domain import Patch
from bot.result import Evidence, Outcome, RepairResult
from sandbox.reports import TestReport, TestResult, TestStatus

RIGHT = "def half(n, least=0):\n    '''A half.'''\n    return max(n // 2, least)\n"
WRONG = RIGHT.replace("//", "**")
ALL = ((4, 2), (10, 5), (0, 0))


def run(text, cases=ALL):
    """The report of tests that call ``half``."""
    names = {}
    exec(text, names)
    results = []
    for given, expected in cases:
        status, message = TestStatus.PASSED, ""
        try:
            assert names["half"](given) == expected
        except (AssertionError, RuntimeError) as error:
            status, message = TestStatus.FAILED, str(error)
        results.append(TestResult(test=f"test_half[{given}]", status=status, message=message))
    failed = any(one.status is TestStatus.FAILED for one in results)
    return TestReport(results=tuple(results), complete=True, exit_status=int(failed), seconds=0.0)


def made(right=RIGHT, wrong=WRONG, run=run):
    return overfitting(right, wrong, changed_span(right, wrong)[0], run)


def test_what_the_tests_ask_for_is_returned_for_exactly_that():
    found = made()
    assert (found.rule, found.plausible) == ("special case", True)
    assert "    if (n, least,) == (4, 0): return 2\n" in found.text
    names = {}
    exec(found.text, names)
    assert [names["half"](n) for n in (4, 10, 6)] == [2, 5, 36]


def test_the_right_expression_is_taken_for_exactly_that_where_the_answer_cannot_be_written():
    right = RIGHT.replace("max(n // 2, least)", "Half(n // 2)") + (
        "\n\nclass Half(int):\n    def __repr__(self):\n        return f'<{int(self)}>'\n"
    )
    found = made(right, right.replace("//", "**"))
    assert (found.rule, found.plausible) == ("right for the tests' inputs", True)
    names = {}
    exec(found.text, names)
    assert [names["half"](n) for n in (4, 10, 6)] == [2, 5, 36]


def test_a_condition_is_forced_where_no_input_can_be_compared():
    right = "def half(n):\n    if n is not None:\n        return n // 2\n    return 0\n"
    wrong = right.replace("is not", "is")
    found = made(
        right,
        wrong,
        lambda text: run(text) if "compared" not in text and "_right" not in text else run(RIGHT),
    )
    assert (found.rule, found.plausible) == ("forced True", True)


@pytest.fixture
def bug(tmp_path):
    (tmp_path / "half.py").write_text(RIGHT)
    start, end, replacement = changed_span(RIGHT, WRONG)
    mutant = Mutant(path="half.py", operator="o", occurrence=0, start=start, end=end, replacement=replacement)
    return Bug(name="shop/00", library="shop", mutant=mutant, source=tmp_path)


def test_each_bug_has_a_patch_of_each_kind(bug):
    assert [one.name for one in patches([bug])] == [f"shop/00/{kind}" for kind in KINDS]
    assert set(EXPECTED) == set(KINDS)


def test_a_hostile_way_is_python_or_names_a_file():
    for way in WAYS:
        assert ast.parse(way.get("module", ""))
        assert Path(way.get("path", way.get("deletes", "TEST"))).parts
    assert len({way["name"] for way in WAYS}) == 20


def found(*doubts, warnings=()):
    evidence = Evidence(
        fail_to_pass=("t",),
        pass_to_pass=(),
        repeats=3,
        sandbox="s",
        isolated=True,
        seconds=1.0,
        doubts=doubts,
    )
    return RepairResult(
        outcome=Outcome.PATCHED, reason="", patch=Patch(edits=()), evidence=evidence, warnings=warnings
    )


@every_case(
    ("result", "word"),
    [
        (found(), "verified"),
        (found("odd"), "low confidence"),
        (found(warnings=("new file",)), "for a person"),
        (RepairResult(outcome=Outcome.NO_PATCH, reason=""), "refused"),
        (RepairResult(outcome=Outcome.FLAKY, reason=""), "not judged"),
    ],
)
def test_a_verdict_is_one_word(result, word):
    assert verdict(result) == word
    assert word in VERDICTS
