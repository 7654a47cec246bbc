"""What the failures themselves hint at: an IndexError at bounds, ``3`` for ``4`` at off-by-one.

A hint makes an operator likelier by a bounded factor and rules nothing out. The texts compared here are reprs
that hostile code may have shaped: they are read as literals or not at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.search.priors import MOST_BOOST
from sandbox.reports import Comparison, TestResult, TestStatus

_BOUNDS = ("off by one", "drop step", "range", "slice", "index", "number", "comparison", "index or slice")
_EXITS = ("dedent", "indent", "loop exit", "insert exit", "delete", "if elif", "missing return")
_CONDITIONS = (
    "comparison",
    "and or",
    "negate condition",
    "drop not",
    "drop clause",
    "add clause",
    "flag",
    "return opposite",
    "truth clause",
    "return constant",
)
_HINTS: Mapping[str, tuple[str, ...]] = {
    "IndexError": _BOUNDS,
    "KeyError": ("get", "variable", "text", "text reuse", "caught type", "swap indices"),
    "TypeError": (
        "wrap",
        "unwrap",
        "suffix",
        "call brackets",
        "swap arguments",
        "drop argument",
        "add argument",
        "missing return",
        "self attribute",
        "early answer",
        "await",
    ),
    "AttributeError": (
        "attribute",
        "unwrap",
        "call brackets",
        "method family",
        "self attribute",
        "missing return",
        "attribute owner",
        "early answer",
    ),
    "NameError": ("variable", "self attribute"),
    "UnboundLocalError": ("shared name", "dedent", "indent", "move"),
    "ZeroDivisionError": ("early answer", "comparison", "number", "return constant"),
    "RecursionError": (
        "off by one",
        "number",
        "comparison",
        "variable",
        "replace argument",
        "early answer",
        "drop step",
        "arithmetic",
    ),
    "ValueError": ("wrap", "unwrap", "suffix", "early answer", "comparison"),
    "RuntimeError": ("suffix", "wrap"),
    "timeout": (
        "advance",
        "comparison",
        "augmented assignment",
        "number",
        "off by one",
        "variable",
        "insert exit",
        "loop exit",
        "indent",
        "arithmetic",
    ),
    "opposite truth": _CONDITIONS,
    "nothing returned": ("missing return", "dedent", "indent", "return variable", "if elif"),
    "near number": (*_BOUNDS, "increment"),
    "other sign": ("sign", "operand order", "magnitude", "wrap", "arithmetic"),
    "other type": ("wrap", "unwrap", "arithmetic", "number"),
    "other order": (
        "reverse",
        "wrap",
        "unwrap",
        "add argument",
        "sort key",
        "tuple order",
        "swap arguments",
        "move",
        "append side",
        "pop side",
        "operand order",
        "drop argument",
        "comparison",
    ),
    "other case": ("method family", "suffix", "text", "unwrap"),
    "other space": ("text", "suffix", "unwrap", "method family", "text reuse"),
    "shorter": (*_BOUNDS, *_EXITS),
}


def boosts(failing: Sequence[TestResult]) -> dict[str, float]:
    """The factor, at most ``MOST_BOOST``, of each operator that the failures hint at."""
    named = {symptom for result in failing for symptom in _symptoms(result)}
    return {name: MOST_BOOST for symptom in sorted(named) for name in _HINTS.get(symptom, ())}


def _symptoms(result: TestResult) -> Iterator[str]:
    yield result.exception.rpartition(".")[2]
    if result.status is TestStatus.TIMEOUT:
        yield "timeout"
    if result.comparison is not None:
        yield from _symptoms_of_comparison(result.comparison)


def _symptoms_of_comparison(comparison: Comparison) -> Iterator[str]:
    known, left, right = _literals(comparison)
    if not known:
        return
    if left is None or right is None:
        yield "nothing returned"
    elif isinstance(left, bool) and isinstance(right, bool):
        yield "opposite truth"
    elif isinstance(left, (int, float)) and isinstance(right, (int, float)):
        yield from _symptoms_of_numbers(left, right)
    elif type(left) is not type(right):
        yield "other type"
    elif isinstance(left, str):
        yield from _symptoms_of_texts(left, right)
    elif isinstance(left, (list, tuple)):
        if len(left) != len(right):
            yield "shorter"
        elif sorted(map(repr, left)) == sorted(map(repr, right)):
            yield "other order"


def _symptoms_of_numbers(left: float, right: float) -> Iterator[str]:
    if type(left) is not type(right):
        yield "other type"
    if left == -right and left:
        yield "other sign"
    if abs(left - right) <= 2:
        yield "near number"


def _symptoms_of_texts(left: str, right: str) -> Iterator[str]:
    if left.lower() == right.lower():
        yield "other case"
    elif "".join(left.split()) == "".join(right.split()):
        yield "other space"
    elif sorted(left) == sorted(right):
        yield "other order"
    elif left in right or right in left:
        yield "shorter"


def _literals(comparison: Comparison) -> tuple[bool, Any, Any]:
    try:
        return True, ast.literal_eval(comparison.left), ast.literal_eval(comparison.right)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False, None, None
