"""What two versions of a module do not share: all that differs is left, and little else."""

import ast
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot.choice.code_smells
import bot.choice.doubts
import bot.patch.differing
from bot.patch.differing import differing

BASE = """\
import one

@decorated
def first(a):
    return a

class Box:
    size = 1

    @property
    def second(self):
        return 2

    def third(self):
        text = '''
        of two lines'''
        return text

def fourth(b):
    return b
"""


def left(old, new):
    parts = differing(old, new)
    return ast.unparse(parts.old), ast.unparse(parts.new)


def test_a_function_alone_differs():
    assert left(BASE, BASE.replace("return a", "return -a")) == (
        "@decorated\ndef first(a):\n    return a",
        "@decorated\ndef first(a):\n    return -a",
    )


def test_of_a_class_only_the_method_is_left():
    old, new = left(BASE, BASE.replace("return 2", "return 3"))
    assert old == "class Box:\n\n    @property\n    def second(self):\n        return 2"
    assert new == old.replace("2", "3")


def test_a_decorator_belongs_to_its_function():
    assert "first" in left(BASE, BASE.replace("@decorated\n", ""))[0]


def test_the_lines_are_those_of_the_files():
    parts = differing(BASE, BASE.replace("import one\n", "import one\nimport two\n").replace("b\n", "-b\n"))
    assert parts.new.body[-1].lineno == BASE[: BASE.index("def fourth")].count("\n") + 2


def test_an_else_that_is_added_belongs_to_what_stands_before():
    old, new = left("if a:\n    b()\nc()\n", "if a:\n    b()\nelse:\n    d()\nc()\n")
    assert (old, new) == ("if a:\n    b()", "if a:\n    b()\nelse:\n    d()")


def test_equal_texts_leave_nothing():
    assert left(BASE, BASE) == ("", "")


def test_what_does_not_parse_cannot_be_compared():
    assert differing(BASE, "def") is None
    assert differing("def", BASE) is None


def test_where_lines_may_be_others_all_is_left():
    old = BASE.replace("\n", "\r\n")
    assert left(old, old) == (ast.unparse(ast.parse(BASE)),) * 2


FILES = [Path(module.__file__) for module in (bot.choice.code_smells, bot.patch.differing, bot.choice.doubts)]


def nodes(tree):
    outer = (ast.ClassDef, ast.Module)
    return Counter(ast.dump(node) for node in ast.walk(tree) if not isinstance(node, outer))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
@given(data=st.data())
def test_all_that_differs_is_left(path, data):
    """However lines are deleted, repeated or put elsewhere."""
    source = path.read_text("utf-8")
    lines = source.splitlines(keepends=True)
    for _edit in range(data.draw(st.integers(1, 3))):
        at, other = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        lines[at : at + data.draw(st.integers(0, 2))] = lines[other : other + data.draw(st.integers(0, 2))]
    new = "".join(lines)
    parts = differing(source, new)
    if parts is None:
        return
    whole = nodes(ast.parse(source)), nodes(ast.parse(new))
    part = nodes(parts.old), nodes(parts.new)
    assert whole[0] - whole[1] == part[0] - part[1]
    assert whole[1] - whole[0] == part[1] - part[0]
