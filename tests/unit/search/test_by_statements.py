"""A block of changed lines, cut along statements."""

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bot.search.difference.by_statements
import bot.search.difference.pieces
from bot.domain import Patch, SpanEdit
from bot.patch.apply import apply
from bot.patch.syntax import parsed
from bot.search.difference.by_statements import by_statements
from bot.search.difference.pieces import hunks

FILES = [
    Path(module.__file__)
    for module in (bot.search.difference.by_statements, bot.search.difference.pieces, ast)
]


def cut(old, new):
    """The parts as the lines that go and those that come back."""
    edit = SpanEdit(path="m.py", start=0, end=len(new), replacement=old)
    return [(new[part.start : part.end], part.replacement) for part in by_statements(edit, new)]


def test_a_body_and_an_else_are_parts_of_their_own():
    old = "def f(v, names):\n    if v:\n        for a in v:\n            names.append(a)\n    return names\n"
    new = (
        "def f(v, names):\n    if v:\n        names += list(v)\n    elif names:\n        names.clear()\n"
        "    return names\n"
    )
    assert cut(old, new) == [
        ("        names += list(v)\n", "        for a in v:\n            names.append(a)\n"),
        ("    elif names:\n        names.clear()\n", ""),
    ]


def test_one_change_among_others_that_say_nothing_is_cut_out():
    old = "def f(a):\n    # The sum.\n    b = 1\n    return a + b\n"
    new = "def f(a):\n    b = 1\n    # All of it.\n    return a - b\n"
    assert cut(old, new) == [("    return a - b\n", "    return a + b\n")]


def test_a_part_takes_nothing_back_that_another_change_does():
    rows = [f"    {number}: {number},\n" for number in range(4)]
    head = "A = {} or {\n" + "".join(rows) + "    9: 5,\n}\n"
    base = "A = {\n" + "".join(rows) + "    9: 4,\n}\n"
    first, second = hunks({"m.py": base}, {"m.py": head})
    for edit in (first, second):
        for part in by_statements(edit, head):
            assert edit.start <= part.start <= part.end <= edit.end


def test_headers_handlers_and_bodies_are_parts_of_their_own():
    old = "try:\n    a()\nexcept A:\n    raise\nexcept B:\n    b()\nwith c:\n    d()\n    e()\n"
    new = "try:\n    a(1)\nexcept A:\n    raise\nexcept (B, C):\n    b()\nwith c as g:\n    d()\n    e(g)\n"
    assert cut(old, new) == [
        ("    a(1)\n", "    a()\n"),
        ("except (B, C):\n", "except B:\n"),
        ("with c as g:\n", "with c:\n"),
        ("    e(g)\n", "    e()\n"),
    ]


def test_statements_that_came_and_went_are_put_where_they_stood():
    old = "def f(a):\n    check(a)\n    b = a\n    return b\n"
    new = "def f(a):\n    b = a + 1\n    log(b)\n    return b\n"
    assert cut(old, new) == [("", "    check(a)\n"), ("    b = a + 1\n", "    b = a\n"), ("    log(b)\n", "")]


def test_both_branches_of_an_elif_and_of_an_else():
    old = "if a:\n    b()\nelif c:\n    d()\nelse:\n    e()\n"
    new = "if a:\n    b()\nelif c2:\n    d()\nelse:\n    e(2)\n"
    assert cut(old, new) == [("elif c2:\n", "elif c:\n"), ("    e(2)\n", "    e()\n")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a = 1\n", "a = 2\n"),  # one part
        ("def broken(:\n", "a = 2\n"),
        ("if a: b()\n", "if a: c()\n"),
        ("a = 1\rb = 2\n", "a = 3\rb = 4\n"),  # a line for nobody but the parser
        (f"a = {'-' * 2_000}1\nb = 1\n", f"a = {'-' * 2_001}1\nb = 2\n"),  # nested too deeply to be compared
        ("a(); b()\n", "a(); d()\n"),  # two statements of a line: all of it comes back
    ],
)
def test_what_has_no_parts_stays_whole(old, new):
    assert cut(old, new) == [(new, old)]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_all_parts_together_are_the_old_code(path, data):
    """However lines of real code are deleted, repeated or put elsewhere."""
    old = "".join(path.read_text("utf-8").splitlines(keepends=True)[:400])
    while parsed(old) is None:
        old = old[: old.rstrip("\n").rindex("\n") + 1]
    lines = old.splitlines(keepends=True)
    for _edit in range(data.draw(st.integers(1, 3))):
        at, other = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        lines[at : at + data.draw(st.integers(0, 3))] = lines[other : other + data.draw(st.integers(0, 3))]
    new = "".join(lines)
    for edit in hunks({"m.py": old}, {"m.py": new}):
        parts = by_statements(edit, new)
        restored = [apply(Patch(edits=edits), {"m.py": new})["m.py"] for edits in (parts, (edit,))]
        trees = [parsed(text) for text in restored]
        if trees[1] is None:
            assert parts == (edit,)
        else:
            assert ast.dump(trees[0]) == ast.dump(trees[1])
