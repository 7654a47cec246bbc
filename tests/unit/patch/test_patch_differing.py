"""What two versions of a module do not share: all that differs is left, and little else."""

import ast
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bot.choice.code_smells
import bot.choice.doubts
import bot.patch.differing
from bot.choice.code_smells import pointless_code
from bot.patch.differing import differing
from bot.patch.syntax import parsed

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


def test_a_function_is_left_with_its_neighbours():
    old, new = left(BASE, BASE.replace("return a", "return -a"))
    assert old == "import one\n\n@decorated\ndef first(a):\n    return a\n\nclass Box:"
    assert new == old.replace("return a", "return -a")


def test_of_a_class_only_the_method_is_left():
    old, new = left(BASE, BASE.replace("return 2", "return 3"))
    assert "class Box:\n\n    @property\n    def second(self):\n        return 2\n\ndef fourth" in old
    assert new == old.replace("2", "3")


def test_a_decorator_belongs_to_its_function():
    assert "@decorated" in left(BASE, BASE.replace("@decorated\n", ""))[0]


def test_the_lines_are_those_of_the_files():
    parts = differing(BASE, BASE.replace("import one\n", "import one\nimport two\n").replace("b\n", "-b\n"))
    assert parts.new.body[-1].lineno == BASE[: BASE.index("def fourth")].count("\n") + 2


def test_an_else_that_is_added_belongs_to_what_stands_before():
    old, new = left("if a:\n    b()\nc()\nd()\n", "if a:\n    b()\nelse:\n    d()\nc()\nd()\n")
    assert (old, new) == ("if a:\n    b()\nc()", "if a:\n    b()\nelse:\n    d()\nc()")


def test_lines_that_say_something_else_than_before_differ():
    old, new = left('s = """\n"""; raise E # """\n', 's = 1\n"""; raise E # """\n')
    assert old.endswith("\nraise E")
    assert not new.endswith("\nraise E")


def test_of_another_encoding_all_is_left():
    old = f"# coding: latin-1\n{BASE}"
    assert left(old, old)[0] == ast.unparse(ast.parse(BASE))
    plain = f"# coding: utf-8\n{BASE}"
    assert left(plain, plain) == left(BASE, BASE)


def test_of_equal_texts_only_a_neighbour_is_left():
    assert left(BASE, BASE) == ("def fourth(b):\n    return b",) * 2


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


def pointless(old, new):
    return pointless_code(new) - pointless_code(old)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
@settings(deadline=None, max_examples=50)
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
    trees = parsed(source), parsed(new)  # a text that is not raw any more is no warning there
    whole = nodes(trees[0]), nodes(trees[1])
    part = nodes(parts.old), nodes(parts.new)
    assert whole[0] - whole[1] == part[0] - part[1]
    assert whole[1] - whole[0] == part[1] - part[0]
    assert pointless(*parts) == pointless(*trees)
