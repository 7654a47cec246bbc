"""What orders the candidates: the compared values, the words of names and docstrings, the symptoms."""

import ast

from every_case import every_case

from bot.search.evidence import hinted, words_of
from bot.search.kinds import Kind, kind_of
from bot.search.literals import relations
from bot.search.operators import OPERATORS, Context
from bot.search.scopes import Scopes
from bot.search.source import parse
from bot.search.symptoms import MAX_BOOST, boosts
from sandbox.reports import Comparison, TestResult, TestStatus


def failed(left="", right="", exception="AssertionError", message=""):
    comparison = Comparison(operator="==", left=left, right=right) if left else None
    return TestResult(
        test="t", status=TestStatus.FAILED, exception=exception, message=message, comparison=comparison
    )


@every_case(
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
    assert call in relations([failed(left, right)])
    assert call in relations([failed(right, left)])


def test_every_comparison_has_to_agree():
    assert "abs" in relations([failed("-3", "3"), failed("-1", "1")])
    assert "abs" not in relations([failed("-3", "3"), failed("-1", "2")])
    assert "abs" not in relations([failed("-3", "3"), failed("1", "1")])
    assert relations([]) == frozenset()


@every_case(
    "text",
    [
        "__import__('os').system('false')",
        "<object at 0x1>",
        "[" * 5000,
        "'" + "a" * 5000 + "'",
        "9" * 290,
        "[0x" + "f" * 4_000 + "]",  # an integer that Python reads and refuses to write
        "'\\d'",
        # From Python 3.12 on, a slice of a mapping is a KeyError.
        *("{1: 2}", "{1}", "()", "''", "b'a'", "None", "1j", "1e999", "[{}]", "..."),
    ],
)
def test_values_of_every_type_are_compared_and_hostile_ones_never_evaluated(text):
    for other in ("1", "[1]", "{2: 1}"):
        assert isinstance(relations([failed(text, other)]), frozenset)
        assert isinstance(boosts([failed(text, other)]), dict)


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


@every_case(
    ("failure", "operator"),
    [
        (failed("[]", "[1]"), "accumulate"),
        (failed("[1, 1]", "[1]"), "order lost"),
        (failed("60", "3600"), "arithmetic"),
        (failed("'1.5'", "'1.50'"), "format spec"),
        (failed("'A'", "'a'"), "method family"),
        (failed(exception="Failed", message="DID NOT RAISE ValueError"), "raise guard"),
        (failed(message="ValueError not raised"), "reraise"),
        (failed(exception="builtins.RecursionError"), "base case"),
    ],
)
def test_a_symptom_makes_its_operators_likelier(failure, operator):
    assert boosts([failure])[operator] == MAX_BOOST
    assert operator not in boosts([failed("1", "50")])


def test_symptoms_speak_of_operators_that_exist():
    sides = [("[]", "[1]"), ("1", "60"), ("True", "False"), ("None", "1"), ("'a1'", "'a2'")]
    sides += [("[1, 2]", "[2, 1]"), ("[1]", "[1, 2]")]
    names = ["IndexError", "KeyError", "TypeError", "AttributeError", "UnboundLocalError"]
    names += ["RecursionError", "ValueError"]
    samples = [failed(left, right) for left, right in sides] + [failed(exception=name) for name in names]
    samples.append(failed(message="DID NOT RAISE X"))
    assert set(boosts(samples)) <= {operator.name for operator in OPERATORS}


@every_case(
    ("left", "right", "hinted_at"),
    [("1" + "0" * 400, "1" + "0" * 399 + "1", True), ("1" + "0" * 400, "2" + "0" * 400, False)],
)
def test_integers_beyond_what_floats_hold_are_compared_too(left, right, hinted_at):
    assert ("off by one" in boosts([failed(left, right)])) is hinted_at
    assert ("off by one" in boosts([failed(left, "1.5")])) is False


def test_a_sum_of_a_thousand_terms_has_a_kind():
    source = parse("a.py", f"def f(n):\n    n = 1\n    return {'x + ' * 1_500}n\n")
    total = source.functions[0].body[1].value
    assert kind_of(total) is Kind.UNKNOWN
    assert Scopes(source).kind(total) is Kind.INT
