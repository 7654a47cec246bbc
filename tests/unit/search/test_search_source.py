import ast
import sys

import pytest
from every_case import every_case

from bot.search.scopes import Scopes
from bot.search.source import parse


def find(source, kind, **fields):
    return next(
        node
        for node in source.parents
        if isinstance(node, kind) and all(getattr(node, key) == value for key, value in fields.items())
    )


@every_case(
    "text",
    [
        "def f(größe):\n    naïve = 'é𝄞'; return naïve + größe\n",
        "def f(größe):\r\n    naïve = 'é𝄞'; return naïve + größe\r\n",
        "\ufeffdef f(größe):\n    naïve = 'é𝄞'; return naïve + größe\n",
        "\ufeff# ü\r\ndef f(größe):\r\n\tnaïve = 'é𝄞'; return naïve + größe",
        "x = 'a\fb'\n\f\ndef f(größe):\n\tnaïve = 'é'; return naïve + größe\n",
        "def f(größe):\r    naïve = 'é𝄞'; return naïve + größe\r",
        "# \udcff\ndef f(größe):\n    naïve = '\udce9'; return naïve + größe\n",
    ],
)
def test_segments_are_character_offsets_of_the_text(text):
    source = parse("m.py", text)
    assert source.source_of(find(source, ast.BinOp)) == "naïve + größe"
    assert source.source_of(find(source, ast.Return)) == "return naïve + größe"


def test_a_file_that_does_not_parse_is_none():
    assert parse("m.py", "def f(:\n") is None
    assert parse("m.py", "x = 1\0") is None


def test_operators_between_operands():
    text = "ok = (a\n      # < not this\n      is  not b) and (c) not in (d)\n"
    source = parse("m.py", text)
    compares = [node for node in source.parents if isinstance(node, ast.Compare)]
    tokens = {source.operator_between(node.left, node.comparators[0]).code for node in compares}
    assert tokens == {"is  not", "not in"}
    both = find(source, ast.BoolOp)
    assert source.operator_between(*both.values).code == "and"


def test_whole_lines_and_blocks():
    text = "def f(x):\n    a = 1; b = 2\n    if x: return a\n    return b  # done\n"
    source = parse("m.py", text)
    last = source.tree.body[0].body[-1]
    start, end = source.whole_lines(last)
    assert text[start:end] == "    return b  # done\n"
    assert source.whole_lines(source.tree.body[0].body[0]) is None
    inline = source.tree.body[0].body[2].body[0]
    assert source.whole_lines(inline) is None
    assert source.block_of(inline) == [inline]


def test_the_else_of_a_loop_is_not_in_it():
    text = "for a in b:\n    while a:\n        x = 1\n    else:\n        y = 2\nelse:\n    z = 3\n"
    source = parse("m.py", text)
    inner, outer = find(source, ast.While), find(source, ast.For)
    loops = {node.id: source.loop_of(node) for node in source.parents if isinstance(node, ast.Name)}
    assert (loops["x"], loops["y"], loops["z"]) == (inner, outer, None)


def test_a_decorated_function_begins_at_its_decorator():
    text = "import functools\n\n@functools.cache\ndef f(x):\n    return x\n"
    source = parse("m.py", text)
    assert source.source_of(source.tree.body[1]).startswith("@functools.cache")


def test_names_in_scope_come_nearest_first():
    text = "LIMIT = 3\ndef g(): ...\ndef f(a, *b, c=1):\n    d = a\n    return [e + d for e in b]\n"
    source = parse("m.py", text)
    scopes = Scopes(source)
    place = find(source, ast.BinOp)
    assert scopes.variables(place) == ("e", "a", "c", "b", "d", "LIMIT")
    assert [found.name for found in scopes.callables] == ["g", "f"]
    assert {"LIMIT", "g", "len", "e"} <= scopes.known


def test_what_a_pattern_captures_is_a_variable():
    text = "def f(a):\n    match a:\n        case [b, *c] | {'k': b, **c} as d:\n            return b\n"
    source = parse("m.py", text)
    assert set(Scopes(source).variables(find(source, ast.Return))) == {"a", "b", "c", "d"}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_type_parameters_are_known():
    source = parse("m.py", "type A[T] = list[T]\n\n\ndef f[U, **P](x):\n    return cast(U, x)\n")
    assert {"T", "U", "P"} <= Scopes(source).known


def test_attributes_and_methods_of_the_class():
    text = (
        "class A:\n    def __init__(self):\n        self.x = 1\n"
        "    def m(self, y):\n        return self.m(y)\n"
    )
    source = parse("m.py", text)
    scopes = Scopes(source)
    place = find(source, ast.Return)
    assert scopes.self_attributes(place) == ("x",)
    assert scopes.methods(place) == ("__init__", "m")
    assert scopes.method_signatures(place)[1][1:] == (1, 1)
