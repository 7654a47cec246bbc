"""What the failures themselves hint at: an IndexError at bounds, ``3`` for ``4`` at off-by-one.

A hint makes an operator likelier by a bounded factor and rules nothing out.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.search.literals import sides
from sandbox.reports import TestResult, TestStatus

MAX_BOOST = 2.0
"""What a symptom multiplies an operator's prior by, at most."""

ACCEPTED_BOOST = 1.5
"""What multiplies the prior of an operator whose patches people took in this repository."""

# Ratios between units that code confuses.
_FACTORS = (60, 3600, 24, 7, 100, 1000, 1024, 86_400)
_FIGURES = re.compile(r"\d[\d.,]*%?")
_NOT_RAISED = re.compile(r"DID NOT RAISE|\bnot raised\b")
_COROUTINE = re.compile(r"<coroutine object|'coroutine'|was never awaited")
_BOUNDS = "off by one, drop step, range, slice, number, comparison, index or slice"
_EXITS = "dedent, indent, loop exit, insert exit, delete, if elif, missing return"
# What makes a truth, `any` and `all` among it.
_CONDITIONS = (
    "comparison, and or, negate condition, drop not, drop clause, add clause, flag, return opposite, "
    "return constant, early else, identity for truth, function family, lone item, pattern"
)
# The operators that each symptom speaks for.
_HINTS: Mapping[str, frozenset[str]] = {
    symptom: frozenset(operators.split(", "))
    for symptom, operators in {
        "IndexError": f"guard, {_BOUNDS}",
        "KeyError": "guard, get, variable, text, text reuse, caught type, swap indices",
        "TypeError": "guard, wrap, unwrap, suffix, call parentheses, swap arguments, drop argument, "
        "add argument, missing return, self attribute, await",
        "AttributeError": "guard, attribute, unwrap, call parentheses, method family, self attribute, "
        "missing return, missing super",
        "NameError": "variable, self attribute",
        "UnboundLocalError": "dedent, indent, move",
        "ZeroDivisionError": "guard, comparison, number, return constant",
        "RecursionError": "off by one, number, comparison, variable, replace argument, "
        "drop step, arithmetic, base case, super or self",
        "ValueError": "guard, wrap, unwrap, suffix, comparison",
        "RuntimeError": "suffix, wrap, walk over a copy",
        "timeout": "advance, comparison, augmented assignment, number, off by one, variable, insert exit, "
        "loop exit, indent, arithmetic",
        "opposite truth": _CONDITIONS,
        "nothing returned": "missing return, dedent, indent, return variable, if elif",
        "nothing gathered": "accumulate, begin inside, return variable, missing return, early else, indent, "
        "dedent",
        "not awaited": "await",
        "did not raise": "guard, raise guard, reraise, raised type, caught type, comparison, "
        "negate condition",
        "other unit": "arithmetic, number",
        "other format": "format spec, number, wrap, add argument",
        "repeated": "order lost, wrap, stored alias, repeated reference, walk over a copy",
        "near number": f"begin inside, {_BOUNDS}",
        "other sign": "sign, operand order, wrap, arithmetic",
        "other type": "wrap, unwrap, arithmetic, number",
        "other order": "reverse, order lost, wrap, unwrap, add argument, sort key, tuple order, "
        "swap arguments, move, other end, operand order, drop argument, comparison",
        "other case": "method family, suffix, text, unwrap",
        "other space": "text, suffix, unwrap, method family, text reuse",
        "shorter": f"drop filter, add filter, walk over a copy, begin inside, {_BOUNDS}, {_EXITS}",
    }.items()
}


def boosts(failing: Sequence[TestResult]) -> dict[str, float]:
    """The factor, at most ``MAX_BOOST``, of each operator that the failures hint at."""
    named = {symptom for result in failing for symptom in _symptoms(result)}
    return {name: MAX_BOOST for symptom in sorted(named) for name in _HINTS.get(symptom, ())}


def _symptoms(result: TestResult) -> Iterator[str]:
    yield result.exception.rpartition(".")[2]
    if result.status is TestStatus.TIMEOUT:
        yield "timeout"
    if _NOT_RAISED.search(result.message):
        yield "did not raise"
    if _COROUTINE.search(f"{result.message} {result.comparison}"):
        yield "not awaited"
    if found := sides(result.comparison):
        if found.left is None or found.right is None:
            yield "nothing returned"
            return
        if _is_fresh(found.left) != _is_fresh(found.right):
            yield "nothing gathered"
        yield from _symptoms_of_values(*found)


def _symptoms_of_values(left: Any, right: Any) -> Iterator[str]:  # noqa: ANN401 - any literal
    if isinstance(left, bool) and isinstance(right, bool):
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
            if set(map(repr, left)) == set(map(repr, right)):
                yield "repeated"
        elif sorted(map(repr, left)) == sorted(map(repr, right)):
            yield "other order"


def _is_fresh(value: Any) -> bool:  # noqa: ANN401 - any literal
    """Whether a value is what an accumulator begins with."""
    return not isinstance(value, bool) and not value


def _symptoms_of_numbers(left: float, right: float) -> Iterator[str]:
    if type(left) is not type(right):
        yield "other type"
    if left == -right and left:
        yield "other sign"
    try:
        near = abs(left - right) <= 2
        scaled = any(math.isclose(left * by, right) or math.isclose(left, right * by) for by in _FACTORS)
    except OverflowError:  # an integer beyond what floats hold
        near, scaled = type(left) is type(right) and abs(left - right) <= 2, False
    if near:
        yield "near number"
    if scaled:
        yield "other unit"


def _symptoms_of_texts(left: str, right: str) -> Iterator[str]:
    if left.lower() == right.lower():
        yield "other case"
    elif "".join(left.split()) == "".join(right.split()):
        yield "other space"
    elif sorted(left) == sorted(right):
        yield "other order"
    elif left in right or right in left:
        yield "shorter"
    if _FIGURES.search(left) and _FIGURES.sub("#", left) == _FIGURES.sub("#", right):
        yield "other format"
