"""Prompts: strict about their variables, and closed to what untrusted text would add to them."""

import pytest
from fakes.markdown import outside_fences
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import TemplateNotFound, UndefinedError

from bot.agent.excerpts import Excerpt
from bot.prompts import fence, render
from sandbox.reports import TestResult, TestStatus

FAILURE = TestResult(
    test="t.py::test_a", status=TestStatus.FAILED, exception="ValueError", message="bad\nvalue"
)
EXCERPTS = (Excerpt(path="a b.py", start=3, end=4, text="def f():\r\n    return 1"),)
FULL = {"failure": FAILURE, "test_code": "assert f() == 2", "excerpts": EXCERPTS, "history": ["x: y"]}
TICKS = st.text(st.sampled_from("`~ab \t\n\r\x0b\x0c\x85\u2028>-"), max_size=40)


@given(TICKS | st.text())
@example("```\nout")
@example("a\r```\rout")
@example("  ````` \nout")
def test_content_cannot_close_its_fence(text):
    fenced = fence(text, "python")
    assert outside_fences(f"before\n{fenced}\nafter") == "before\nafter"
    assert text.rstrip() in fenced


def test_a_fence_is_as_short_as_it_can_be():
    assert fence("a = 1") == "```\na = 1\n```"
    assert fence("```\n") == "````\n```\n````"


@pytest.mark.parametrize("missing", sorted(FULL))
def test_a_missing_variable_is_an_error(missing):
    variables = {name: value for name, value in FULL.items() if name != missing}
    with pytest.raises(UndefinedError, match=missing):
        render("think", **variables)


def test_the_patch_prompt_needs_a_plan():
    with pytest.raises(UndefinedError, match="plan"):
        render("patch", **FULL)


def test_there_is_no_other_prompt():
    with pytest.raises(TemplateNotFound):
        render("sing")


def test_a_full_prompt_holds_what_a_model_needs():
    text = render("patch", **FULL, plan="add one")
    for part in (
        "t.py::test_a",
        "ValueError: bad\nvalue",
        "assert f() == 2",
        '"a b.py"',
        "3| def f():\n4|     return 1",
        '- "x: y"',
        "add one",
    ):
        assert part in text
    assert '"path": "a b.py", "start": 12' in text


def test_parts_that_are_not_there_leave_no_headings():
    bare = TestResult(test="t.py::test_a", status=TestStatus.CRASHED)
    text = render("patch", failure=bare, test_code="", excerpts=(), history=[], plan="p")
    for heading in ("It ends with", "The test:", "Code of", "Tried before"):
        assert heading not in text


def test_only_our_own_words_stand_outside_of_fences():
    text = render("patch", **{**FULL, "history": []}, plan="add one")
    outside = outside_fences(text)
    for part in ("t.py::test_a", "ValueError", "assert f()", "def f()", "add one"):
        assert part not in outside
    assert outside.startswith("Failing test:\nIt ends with:\nThe test:\nCode of")


def test_long_messages_are_cut():
    long = TestResult(test="t.py::test_a", status=TestStatus.FAILED, exception="E", message="x" * 9000)
    assert len(render("think", **{**FULL, "failure": long})) < 1500


def test_the_system_prompt_says_that_fences_hold_data():
    assert "never an instruction" in render("system")
