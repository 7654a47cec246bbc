"""Regressions between releases: where faults are put, what is hidden, and what the report makes of it."""

from pathlib import Path

import pytest
import yaml

from benchmarks import regressions
from benchmarks.regressions.faults import LOST, MIXED, changed_lines, lines_of, lost, mixed, without
from benchmarks.regressions.work import ALONE, WITH, Regression, _blamed, shown
from benchmarks.runs.runfile import Run
from benchmarks.seeded.mutants import Mutant

OLDER = (
    "class Till:\n    def toll(self, x):\n        y = x + 1\n        return y\n\n\n"
    "def same(x):\n    return x\n"
)
NEWER = (
    "class Till:\n    def toll(self, x):\n        y = x + 2\n        return -y\n\n\n"
    "def same(x):\n    return x\n\n\ndef added(x):\n    return x\n"
)
TESTS = "class TestToll:\n    def test_one(self):\n        pass\n\n\ndef test_two():\n    pass\n"
PLACE = NEWER.index("2")
MUTANT = Mutant(path="toll.py", operator="x", occurrence=0, start=PLACE, end=PLACE + 1, replacement="3")


class Pretended(Regression):
    """A case of a text instead of a library's tree."""

    def _text(self, path: str) -> str:
        return {"toll.py": NEWER, "test_toll.py": TESTS}[path]


def task(**case):
    release = None
    case = {
        "mutant": {name: getattr(MUTANT, name) for name in Mutant.__dataclass_fields__},
        "hidden": {},
        **case,
    }
    return Pretended(
        name="till/00", library="till", way=WITH, older=release, newer=release, source=Path(), case=case
    )


def test_faults_go_to_functions_that_both_releases_have_and_have_otherwise():
    assert changed_lines(OLDER, NEWER) == {3, 4}
    assert changed_lines(OLDER, OLDER) == frozenset()
    assert changed_lines("def broken(:", NEWER) == frozenset()


def test_a_mixture_has_one_line_of_the_older_release():
    found = {one.apply(NEWER) for one in mixed("toll.py", OLDER, NEWER, seed="1")}
    assert found == {NEWER.replace("x + 2", "x + 1"), NEWER.replace("return -y", "return y")}
    assert {one.operator for one in mixed("toll.py", OLDER, NEWER, seed="1")} == {MIXED}


def test_headers_are_mixed_and_a_form_feed_ends_no_line():
    older = "def f(x):\n    if x > 1:\n        return 1\n"
    newer = "def f(y):\n    if y > 2:\n        return 1\n"
    found = {one.apply(newer) for one in mixed("m.py", older, newer, seed="1")}
    assert newer.replace("y > 2", "x > 1") in found
    text = "import os\n\x0c\ndef test_a():\n    assert 1\n\n\ndef test_b():\n    assert 2\n"
    assert without(text, ["t.py::test_b"]) == text[: text.index("def test_b")]


def test_a_mixture_needs_as_many_lines_on_both_sides():
    assert list(mixed("toll.py", "a = 1\nb = 2\n", "c = 3\n", seed="1")) == []


def test_a_lost_statement_is_one_that_both_releases_have_in_a_changed_function():
    body = "    if not x:\n        return 0\n    y = x + {}\n    log(y)\n    y += 1\n    return y\n"
    older, newer = (
        "def toll(x):\n" + body.format(n) + "\n\ndef same(x):\n    x += 1\n    return x\n" for n in (1, 2)
    )
    faults = list(lost("toll.py", older, newer, seed="1"))
    assert {one.operator for one in faults} == {LOST}
    gone = {newer[one.start : one.end] for one in faults}
    guard = "    if not x:\n        return 0\n"
    assert gone == {guard, "    log(y)\n", "    y += 1\n", "    return y\n"}
    one = next(one for one in faults if one.start == newer.index(guard))
    assert lines_of(one, one.apply(newer)) == (1, 2)


def test_nothing_is_lost_of_what_stands_alone_or_shares_its_line():
    older = "def toll(x):\n    if x:\n        x = 1\n    a = 1; b = 2\n    for y in x:\n        pass\n"
    assert list(lost("toll.py", older, older.replace("x = 1", "x = 3"), seed="1")) == []


@pytest.mark.parametrize(
    ("tests", "left"),
    [
        (["test_toll.py::test_two"], "class TestToll:\n    def test_one(self):\n        pass\n\n\n"),
        (["test_toll.py::TestToll::test_one"], None),
        (["test_toll.py::test_three"], None),
    ],
)
def test_hidden_tests_are_taken_out_where_a_program_is_left(tests, left):
    assert without(TESTS, tests) == left


def test_a_fault_has_lines_in_the_text_that_has_it():
    assert lines_of(MUTANT, MUTANT.apply(NEWER)) == (3, 3)


@pytest.mark.parametrize(
    ("lines", "right"),
    [
        ([("toll.py", 3, 3)], True),
        ([("toll.py", 1, 9)], True),
        ([("toll.py", 4, 9)], False),
        ([("other.py", 3, 3), ("toll.py", 2, 2)], False),
    ],
)
def test_a_culprit_is_right_where_it_has_a_line_of_the_fault(lines, right):
    places = [{"path": path, "first": first, "last": last} for path, first, last in lines]
    culprit = {"lines": places, "size": 1, "changed": 9, "runs": 4, "minimal": True}
    found = _blamed(task(), culprit)
    assert found == {"right": right, "size": 1, "changed": 9, "runs": 4, "minimal": True}
    assert _blamed(task(), None) is None


def test_the_tests_that_judge_are_whole():
    assert task(hidden={"test_toll.py": ["test_toll.py::test_two"]}).judging == {"test_toll.py": TESTS}


def test_the_report_has_both_ways_side_by_side():
    blamed = {"right": True, "size": 2, "changed": 90, "runs": 12, "minimal": True}
    one = {"library": "till", "kind": "x", "plausible": True}
    base = one | {"group": WITH}
    rows = [
        base | {"task": "till/00", "correct": True, "seconds": 4.0, "blamed": blamed, "regression": True},
        one | {"task": "till/00/alone", "group": ALONE, "correct": False, "seconds": 8.0, "blamed": None},
        base | {"task": "till/01", "correct": False, "seconds": 6.0, "blamed": None, "regression": False},
    ]
    said = shown(Run(header={}, rows=rows))
    assert "| till | 2/2 | 1/2 | 5.0 | 1/1 | 0/1 | 8.0 |" in said
    assert "| mutant | 2/2 | 1/2 | 5.0 | 1/1 | 0/1 | 8.0 |" in said
    assert "The culprit has the fault: 1/2" in said
    assert "where one is named 1/1" in said
    assert "of regressions 1/1" in said
    assert "{'size': 2, 'changed': 90, 'runs': 12}" in said


def test_each_pair_of_releases_is_pinned():
    rows = yaml.safe_load(Path(regressions.__file__).with_name("releases.yaml").read_text("utf-8"))
    for row in rows:
        assert row["older"]["version"] != row["newer"]["version"]
        assert all(len(row[which]["sha256"]) == 64 for which in ("older", "newer"))
