"""Which mutants count, and which tests may notice one."""

import pytest
from mutation.draw import different, function_lines

from benchmarks.seeded.mutants import Mutant, changed_span

TEXT = """\
from functools import cache

LIMIT = 3


@cache
def remembered(x: int | None) -> int | None:
    return x


def outer(a: int = 1):
    def inner():
        return a + 1

    return inner
"""


def mutant(old, new):
    start, end, replacement = changed_span(TEXT, TEXT.replace(old, new))
    return Mutant(path="a.py", operator="", occurrence=0, start=start, end=end, replacement=replacement)


def test_a_changed_annotation_is_no_mutant():
    kept = mutant("a + 1", "a - 1")
    drawn = [mutant("x: int | None", "x: int + None"), mutant("-> int | None", "-> int & None"), kept]
    assert list(different(iter(drawn), {"a.py": TEXT})) == [kept]


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        (13, range(13, 14)),  # of the inner function
        (15, range(12, 16)),
        (11, range(12, 16)),  # a default belongs to the function
        (3, None),  # the module's own
        (8, None),  # who gets a remembered result does not run the line
    ],
)
def test_the_tests_that_may_notice_are_those_that_run_the_function(line, lines):
    assert function_lines(TEXT, line) == lines
