"""The expressions of workflows: values, operators, functions, places in a text, conditions, limits."""

import datetime as dt
import math
from contextlib import suppress

import pytest
from case_rows import rows, values
from cost import cost
from every_case import every_case

from sandbox.ci.workflows.expression_values import MAX_VALUE, as_text
from sandbox.ci.workflows.expressions import (
    MAX_LENGTH,
    MAX_TEXT,
    InvalidExpression,
    evaluate,
    holds,
    interpolate,
    value_of,
)

CONTEXTS = {
    "matrix": {"os": "ubuntu-latest", "python-version": "3.12", "extras": ["a", "b"], "deep": {"Key": 1}},
    "env": {"MODE": "fast", "EMPTY": ""},
    "inputs": {"cover": False, "level": 3, "names": '["x", "y"]'},
    "github": {"event_name": "push", "ref": "refs/heads/main"},
}


@every_case(("text", "value"), values("ci/expression_values.txt"))
def test_a_value(text, value):
    assert evaluate(text, CONTEXTS) == value


@every_case(
    "text",
    [
        *(text for text, _ in rows("ci/no_expressions.txt")),
        "",
        "   ",
        pytest.param("0x" + "f" * 2_000, id="a long number"),
        "(" * 100 + "1" + ")" * 100,
        "!" * 100 + "1",
        pytest.param("x" * (MAX_LENGTH + 1), id="too long"),
        "\0",
        "'\ud800' +",
    ],
)
def test_what_is_no_expression(text):
    with pytest.raises(InvalidExpression):
        evaluate(text, CONTEXTS)


@every_case(("text", "shown"), rows("ci/expressions_in_texts.txt"))
def test_a_text_with_expressions(text, shown):
    assert interpolate(text, CONTEXTS) == shown


@every_case(
    ("text", "value"),
    [
        *values("ci/expressions_alone.txt"),
        (" ${{ inputs.cover }} ", False),
        ("${{ env.MODE }} ", "fast"),
    ],
)
def test_a_field_that_is_one_expression_keeps_its_type(text, value):
    assert value_of(text, CONTEXTS) == value


@every_case(
    ("condition", "expected"),
    [
        *values("ci/conditions.txt"),
        (None, True),
        (True, True),
        (False, False),
        (0, False),
        ({"a": 1}, True),
        (["a"], True),
    ],
)
def test_a_condition(condition, expected):
    assert holds(condition, CONTEXTS) is expected


def test_what_cannot_be_known_may_count_as_false():
    assert not holds("needs.a.outputs.b == 'c'", {}, unknown=False)
    assert not holds("what is this", {}, unknown=False)


@every_case(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (3.0, "3"),
        (3.25, "3.25"),
        (math.inf, "inf"),
        pytest.param(10**5_000, "", id="a long number"),
        (dt.date(2024, 1, 2), '"2024-01-02"'),
        ({dt.date(2024, 1, 2): 1}, ""),
        ([{"a": {1, 2}}], '[{"a": "{1, 2}"}]'),
    ],
)
def test_whatever_a_file_holds_can_be_shown(value, text):
    assert as_text(value) == text


def test_a_number_of_any_size_can_be_compared():
    assert evaluate("matrix.n > 1 && matrix.n == matrix.n", {"matrix": {"n": 16**5_000}}) is True
    assert evaluate("matrix.n < 1", {"matrix": {"n": -(16**5_000)}}) is True


NESTED = "'x'"
for _ in range(30):
    NESTED = f"format('{{0}}{{0}}{{0}}{{0}}', {NESTED})"
QUOTED = "'\"'"
for _ in range(30):
    QUOTED = f"toJSON({QUOTED})"


@every_case("text", [NESTED, QUOTED, f"join(fromJSON('[{','.join('1' * 900)}]'), '{'x' * 900}')"])
def test_calls_within_calls_cannot_make_a_long_string(text):
    assert len(text) <= MAX_LENGTH
    with pytest.raises(InvalidExpression, match="characters"):
        evaluate(text, {})


def test_expressions_beside_each_other_cannot_make_a_long_text():
    long = {"env": {"A": "x" * MAX_VALUE}}
    text = interpolate("${{ env.A }}" * 10_000, long)
    assert len(text) < 2 * MAX_TEXT + len("${{ env.A }}" * 10_000)


@every_case(
    "text",
    [
        "${{" * 60_000,
        "${{" * 60_000 + "}}",
        "${{ '" * 40_000,
        "${{ 1 }}" * 20_000,
        "${{ " + "'" * 4_000 + " }}" * 40_000,
        "x" * 1_000_000,
    ],
)
def test_a_text_is_read_within_bounds(text):
    assert cost(lambda: value_of(text, CONTEXTS)) < 60


@every_case(
    "text",
    [
        "a" * 5_000,
        " " * 5_000,
        "'" * 5_000,
        "a||" * 1_600 + "a",
        "a." * 2_400 + "a",
        "f(" + "a," * 2_400 + ")",
        "contains('" + "x" * 2_000 + "','" + "y" * 2_000 + "')",
        "!" * 5_000,
        "-" * 5_000,
        "0x" * 2_500,
    ],
)
def test_an_expression_is_read_within_bounds(text):
    def read():
        with suppress(InvalidExpression):
            evaluate(text, CONTEXTS)

    assert cost(read) < 10
