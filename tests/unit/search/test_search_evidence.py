"""What orders the ideas: the compared values, the words of names and docstrings, the symptoms."""

from __future__ import annotations

import ast

import pytest

from bot.search.evidence import hinted, words_of
from bot.search.kinds import Kind, kind_of
from bot.search.operators import OPERATORS, Context
from bot.search.relations import relations
from bot.search.scopes import Scopes
from bot.search.source import parse
from bot.search.symptoms import MAX_BOOST, boosts
from sandbox.reports import Comparison, TestResult, TestStatus


def red(left="", right="", exception="AssertionError", message=""):
    comparison = Comparison(operator="==", left=left, right=right) if left else None
    return TestResult(
        test="t", status=TestStatus.FAILED, exception=exception, message=message, comparison=comparison
    )


@pytest.mark.parametrize(
    ("left", "right", "call"),
    [
        ("[2, 1]", "[1, 2]", "sorted"),
        ("[2, 1]", "[1, 2]", "[::-1]"),
        ("-3", "3", "abs"),
        ("'Abc'", "'abc'", ".lower()"),
        ("(1, 2)", "[1, 2]", "list"),
        ("'3'", "3", "int"),
        ("3", "'3'", "str"),
        ("1.23456", "1.23", "round"),
        ("[1, 2]", "3", "sum"),
    ],
)
def test_the_call_that_makes_one_side_the_other(left, right, call):
    assert call in relations([red(left, right)])
    assert call in relations([red(right, left)])


def test_every_comparison_has_to_agree():
    assert "abs" in relations([red("-3", "3"), red("-1", "1")])
    assert "abs" not in relations([red("-3", "3"), red("-1", "2")])
    assert "abs" not in relations([red("-3", "3"), red("1", "1")])
    assert relations([]) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('false')",
        "<object at 0x1>",
        "[" * 5000,
        "'" + "a" * 5000 + "'",
        "9" * 290,
        "[0x" + "f" * 4_000 + "]",  # an integer that Python reads and refuses to write
        "'\\d'",
    ],
)
def test_hostile_values_are_never_evaluated(text):
    assert isinstance(relations([red(text, "1")]), frozenset)
    assert isinstance(boosts([red(text, "[1]")]), dict)


@pytest.mark.parametrize("text", ["{1: 2}", "{1}", "()", "''", "b'a'", "None", "1j", "1e999", "[{}]", "..."])
def test_values_of_every_type_are_compared(text):
    # From Python 3.12 on, a slice of a mapping is a KeyError.
    assert isinstance(relations([red(text, "{2: 1}")]), frozenset)


def test_the_words_of_a_function_speak_for_a_call():
    text = 'def unique_names(xs):\n    """The names, in ascending order."""\n    return xs\n'
    source = parse("m.py", text)
    context = Context(source)
    node = source.tree.body[0].body[-1].value
    assert isinstance(node, ast.Name)
    assert {"unique", "names", "ascending"} <= words_of(node, context)
    assert hinted("sorted", node, context)
    assert hinted("set", node, context)
    assert not hinted("abs", node, context)
    assert not hinted("sorted", source.tree.body[0], context)


@pytest.mark.parametrize(
    ("failure", "operator"),
    [
        (red("[]", "[1]"), "accumulate"),
        (red("[1, 1]", "[1]"), "order lost"),
        (red("60", "3600"), "scale"),
        (red("'1.5'", "'1.50'"), "format spec"),
        (red("'A'", "'a'"), "normalise both"),
        (red(exception="Failed", message="DID NOT RAISE ValueError"), "raise guard"),
        (red(message="ValueError not raised"), "reraise"),
        (red(exception="builtins.RecursionError"), "base case"),
    ],
)
def test_a_symptom_makes_its_operators_likelier(failure, operator):
    assert boosts([failure])[operator] == MAX_BOOST
    assert operator not in boosts([red("1", "50")])


def test_symptoms_speak_of_operators_that_exist():
    samples = [red("[]", "[1]"), red("1", "60"), red("True", "False"), red("None", "1"), red("'a1'", "'a2'")]
    samples += [red(exception=name) for name in ("IndexError", "KeyError", "TypeError", "AttributeError")]
    samples += [red(exception=name) for name in ("UnboundLocalError", "RecursionError", "ValueError")]
    samples += [red(message="DID NOT RAISE X"), red("[1, 2]", "[2, 1]"), red("[1]", "[1, 2]")]
    assert set(boosts(samples)) <= {operator.name for operator in OPERATORS}


@pytest.mark.parametrize(
    ("left", "right", "hinted_at"),
    [("1" + "0" * 400, "1" + "0" * 399 + "1", True), ("1" + "0" * 400, "2" + "0" * 400, False)],
)
def test_integers_beyond_what_floats_hold_are_compared_too(left, right, hinted_at):
    assert ("off by one" in boosts([red(left, right)])) is hinted_at
    assert ("off by one" in boosts([red(left, "1.5")])) is False


def test_a_sum_of_a_thousand_terms_has_a_kind():
    source = parse("a.py", f"def f(n):\n    n = 1\n    return {'x + ' * 1_500}n\n")
    total = source.functions[0].body[1].value
    assert kind_of(total) is Kind.UNKNOWN
    assert Scopes(source).kind(total) is Kind.INT
