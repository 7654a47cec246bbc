"""What ranks one name above another: what it is used for, what it holds, what stands beside it."""

import ast

import pytest

from bot.search.kinds import Kind
from bot.search.kinship import FARTHER, NEARER, kinship
from bot.search.operators import OPERATORS, Context
from bot.search.roles import SEEN, SENSELESS, UNSEEN, fit
from bot.search.source import parse


def context_of(code):
    source = parse("m.py", code)
    assert source is not None
    return Context(source)


def found(context, text, kind=ast.Name):
    """The last node of a kind whose code is ``text``."""
    nodes = [node for node in ast.walk(context.source.tree) if isinstance(node, kind)]
    return [node for node in nodes if context.code(node) == text][-1]


USES = """
def read(tokens, limit):
    done = False
    for token in tokens:
        print(token.value)
    first = tokens[0]
    return first.value, limit
"""


@pytest.mark.parametrize(
    ("name", "at", "weight"),
    [
        ("token", "first", SEEN),
        ("tokens", "first", UNSEEN),
        ("done", "first", SENSELESS),  # no flag has a value
        ("done", "tokens", SENSELESS),  # nor items
        ("token", "limit", SEEN),  # of which nothing is asked
    ],
)
def test_a_name_fits_where_it_is_used_alike(name, at, weight):
    context = context_of(USES)
    assert fit(name, found(context, at), context) == weight


def test_neither_modules_nor_classes_nor_exceptions_are_taken_for_slips():
    code = """
import json
def load(text, path):
    try:
        return json.loads(text)
    except ValueError:
        raise Failed(path)
"""
    context = context_of(code)
    (variable,) = (one for one in OPERATORS if one.name == "variable")
    for name in ("json", "ValueError", "Failed"):
        assert not list(variable.mutations(found(context, name), context))
    assert list(variable.mutations(found(context, "text"), context))


@pytest.mark.parametrize(
    ("use", "kind"),
    [
        ("x.append(1)", Kind.LIST),
        ("x.startswith('a')", Kind.STR),
        ("x.setdefault(1, 2)", Kind.DICT),
        ("x == 'a'", Kind.STR),
        ("3 < x", Kind.INT),
        ("x - 1.5", Kind.FLOAT),
        ("x.replace(1)", Kind.UNKNOWN),  # a time has it, too
        ("x is None", Kind.UNKNOWN),
    ],
)
def test_a_use_shows_what_a_name_holds(use, kind):
    context = context_of(f"def f(x):\n    y = {use}\n    return x\n")
    assert context.scopes.kind(found(context, "x")) is kind


def test_an_assignment_says_more_than_a_use():
    context = context_of("def f():\n    x = []\n    x.startswith('a')\n    return x\n")
    assert context.scopes.kind(found(context, "x")) is Kind.LIST


@pytest.mark.parametrize(
    ("code", "old", "new", "weight"),
    [
        ("a = count == WIDTH_LIMIT", "count", "width", NEARER),
        ("a = width == WIDTH_LIMIT", "width", "count", FARTHER),
        ("a = f(width=count)", "count", "widths", NEARER),
        ("width = self.count", "count", "width", NEARER),
        ("a = prices[item]", "item", "price", NEARER),
        ("a = x + y", "x", "z", 1.0),
        ("a = width - width_before", "width", "widths", 1.0),
    ],
)
def test_names_beside_each_other_share_words(code, old, new, weight):
    context = context_of(code)
    text = f"self.{old}" if f"self.{old}" in code else old
    node = found(context, text, ast.Attribute if "." in text else ast.Name)
    assert kinship(old, new, node, context) == weight
