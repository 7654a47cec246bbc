"""Which edits of tests are new expectations: a literal for a literal of an assertion, and nothing more."""

import pytest

from bot.delivery.expectations import MAX_CHARACTERS, MAX_EDITS, problem_of
from bot.domain import SpanEdit

PATH = "tests/test_a.py"
TEXT = "def test_a():\n    assert half(8) == 4\n    assert 3 == half(6)\n"


def problem(old: str, replacement: str, text: str = TEXT, times: int = 1) -> str:
    """Why exchanging ``old`` is refused."""
    start = text.index(old)
    edit = SpanEdit(path=PATH, start=start, end=start + len(old), replacement=replacement)
    return problem_of((edit,) * times, {PATH: text})


@pytest.mark.parametrize(
    ("old", "replacement"), [("4", "2.0"), ("3", "-1"), ("4", "(1, 2)"), ("3", "'a # b'")]
)
def test_a_literal_for_an_asserted_literal_is_a_new_expectation(old: str, replacement: str) -> None:
    assert not problem(old, replacement)


@pytest.mark.parametrize("replacement", ["3  #", "3  # noqa", "3, 'said'", " 3", "3 # \u202e"])
def test_what_changes_more_than_the_value_is_refused(replacement: str) -> None:
    assert "more than a literal" in problem("3", replacement)


def test_what_is_no_literal_is_refused() -> None:
    assert "no literal" in problem("4", "half(8)")
    assert "no literal of an assertion" in problem("half(8)", "4")


def test_sizes_are_bounded() -> None:
    assert str(MAX_EDITS) in problem("4", "2", times=MAX_EDITS + 1)
    assert str(MAX_CHARACTERS) in problem("4", "2", text=TEXT + "#" * MAX_CHARACTERS)
    assert problem("4", "2", text=f"assert 4 == [{'1, ' * 1000}]\n") == ""
    assert "more than a literal" in problem("7", "2", text=f"assert [{'1, ' * 1000}7] == 4\n")
