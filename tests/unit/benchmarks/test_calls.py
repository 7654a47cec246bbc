"""Values go out of the sandbox as data and come back as what they were; compared as EvalPlus does."""

import json
import math
import sys

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from sections import sections

from benchmarks.datasets.calls import called, decoded, same
from benchmarks.inside.calls import encode
from sandbox.base import SandboxSpec
from sandbox.process import ProcessProvider

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.complex_numbers(allow_nan=False)
)
HASHABLE = st.recursive(
    SCALARS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=2), max_leaves=4
)
VALUES = st.recursive(
    HASHABLE,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(HASHABLE, inner, max_size=3)
        | st.sets(HASHABLE, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_plain_values_come_back_as_they_were(value):
    back = decoded(json.loads(json.dumps(encode(value))))
    assert back == value
    assert type(back) is type(value)


def test_huge_integers_come_back_and_what_is_no_data_equals_nothing():
    assert decoded(json.loads(json.dumps(encode(7**50_000)))) == 7**50_000
    for value in (object(), iter([]), [len]):
        sent = json.loads(json.dumps(encode(value)))
        assert decoded(sent) != decoded(sent)
    assert decoded({"set": [[1]]}) != {1}
    assert decoded({"unheard-of": 1}) != 1


@every_case(
    ("actual", "expected", "tolerance", "verdict"),
    [
        (1, 1.0, 0.0, True),
        ("a", "a", 0.0, True),
        (1, 2, 0.0, False),
        (0.1 + 0.2, 0.3, 0.0, True),
        ([0.1 + 0.2, 1.0], [0.3, 1.0], 0.0, True),
        ((0.1 + 0.2, 1.0), [0.3, 1.0], 0.0, False),
        ([0.3], [0.3, 1.0], 0.0, False),
        (0.31, 0.3, 0.0, False),
        (0.31, 0.3, 0.1, True),
        (1, 1.00001, 0.1, False),
        (math.inf, math.inf, 0.0, True),
        (math.inf, 1e308, 0.0, False),
        (math.nan, math.nan, 0.0, False),
        (10**400, 1.5, 0.1, False),
        ("a", 0.5, 0.1, False),
    ],
)
def test_what_counts_as_the_same(actual, expected, tolerance, verdict):
    assert same(actual, expected, tolerance=tolerance) is verdict


SOURCES = sections("sources/calls.txt")[0].parts
MODULE = SOURCES["MODULE"]


@pytest.mark.slow
def test_calls_in_a_sandbox():
    kinds = [["plain"], ["mutate", [[]]], ["raise"], ["exit"], ["mutate", [[]]], ["end"], ["plain"]]
    with ProcessProvider().open(SandboxSpec(python=sys.executable)) as sandbox:

        def answers(module, calls, limit_s=30.0):
            pairs = [(arguments, 1.0) for arguments in calls]
            return called(sandbox, sys.executable, module, "odd", pairs, limit_s=limit_s)

        found = answers(MODULE, kinds)
        assert decoded(found[0].value) == ("plain", {"values": {1, 2}}, 0.5)
        assert found[1].value == found[4].value == [[], 1]
        assert [answer.raised for answer in found] == ["", "", "ValueError", "SystemExit", ""]
        assert answers("import nothing_of_the_kind", [["plain"]]) == []
        # It swallows what would end it: only the limit on all calls helps.
        assert len(answers(MODULE, [["plain"], ["hang"]], limit_s=1.0)) == 1
        slow = "def odd(kind):\n    while True: pass\n"
        fast = called(sandbox, sys.executable, slow, "odd", [(["x"], 0.1)], limit_s=30.0)
        assert [answer.raised for answer in fast] == ["TimeoutError"]
