"""A job's matrix as its combinations: axes, exclude, include, expressions, limits."""

import yaml
from case_rows import values
from cost import cost
from every_case import every_case

from sandbox.ci.workflows.matrix import MAX_COMBINATIONS, combinations

CONTEXTS = {"inputs": {"versions": '["3.11", "3.12"]', "os": "ubuntu-latest"}, "github": {}}


def expanded(text):
    return [dict(one) for one in combinations(yaml.safe_load(text), CONTEXTS)]


@every_case(
    ("text", "found"),
    [
        *values("ci/matrix_combinations.txt"),
        ("", [{}]),
        ("{0xff: [x], a: [2024-01-01]}", [{"255": "x", "a": yaml.safe_load("2024-01-01")}]),
    ],
)
def test_the_combinations(text, found):
    assert expanded(text) == found


@every_case(
    "matrix",
    [
        {chr(97 + n): list(range(20)) for n in range(20)},
        {"a": list(range(5_000))},
        {"include": [{"a": n} for n in range(5_000)]},
        {"a": list(range(60)), "b": list(range(60)), "include": [{"c": n} for n in range(5_000)]},
    ],
)
def test_there_are_no_more_than_a_run_may_have(matrix):
    assert 0 < len(combinations(matrix, {})) <= MAX_COMBINATIONS


LONG = "x" * 200


@every_case(
    "matrix",
    [
        {"a": list(range(4_000)), "exclude": [{"a": -n} for n in range(1, 20_000)]},
        {"a": list(range(4_000)), "include": [{"a": -n} for n in range(1, 20_000)]},
        {"a": [[LONG] * 9] * 4_000, "exclude": [{"a": [*[LONG] * 8, "y"]}] * 4_000},
        {"a": [{"b": {"c": LONG}}] * 4_000, "exclude": [{"a": {"b": {"c": "y"}}}] * 4_000},
        {"a": ["${{ " + "'x' || " * 600 + "'y' }}"] * 100},
    ],
)
def test_a_large_matrix_is_read_within_bounds(matrix):
    assert cost(lambda: combinations(matrix, {})) < 60
