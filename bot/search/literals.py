"""The two sides of a failed comparison as values, and which call would turn the one into the other.

The texts are reprs that hostile code may have shaped: they are read as literals or not at all, and never
evaluated; only builtins are called with them.
"""

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandbox.reports import Comparison, TestResult
from sandbox.silenced import silenced

LONGEST = 2_000  # characters of a repr: longer ones were shortened on their way
# What one side of a comparison would have to go through to become the other.
_RELATIONS: dict[str, Callable[[Any], Any]] = {
    **{
        call.__name__: call
        for call in (sorted, abs, len, sum, max, min, list, tuple, set, str, int, float, bool)
    },
    "round": lambda value: round(value, 2),
    ".lower()": lambda value: value.lower(),
    ".upper()": lambda value: value.upper(),
    ".strip()": lambda value: value.strip(),
    ".rstrip()": lambda value: value.rstrip(),
    ".lstrip()": lambda value: value.lstrip(),
    ".split()": lambda value: value.split(),
    ".values()": lambda value: list(value.values()),
    ".keys()": list,
    ".items()": lambda value: list(value.items()),
    "[::-1]": lambda value: value[::-1],
}
_LONGEST = 300  # characters of a repr that is worth the comparison


class ComparedLiterals(NamedTuple):
    """What a comparison compared: any literals."""

    left: Any
    right: Any


def sides(comparison: Comparison | None, longest: int = LONGEST) -> ComparedLiterals | None:
    """The sides of ``comparison``; None where one of them is no literal of at most ``longest`` characters."""
    if comparison is None or max(len(comparison.left), len(comparison.right)) > longest:
        return None
    try:
        with silenced():  # of escapes that a text should not hold
            return ComparedLiterals(ast.literal_eval(comparison.left), ast.literal_eval(comparison.right))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def relations(failing: Sequence[TestResult]) -> frozenset[str]:
    """The calls that would turn the actual into the expected value of every comparison that is known.

    Either side may be the expected one.
    """
    pairs = [pair for result in failing if (pair := sides(result.comparison, _LONGEST)) is not None]
    if not pairs:
        return frozenset()
    return frozenset(
        name
        for name, call in _RELATIONS.items()
        if all(_same(call, left, right) or _same(call, right, left) for left, right in pairs)
    )


def _same(call: Callable[[Any], Any], value: Any, other: Any) -> bool:  # noqa: ANN401 - any literal
    try:
        made = call(value)
    except (TypeError, ValueError, AttributeError, OverflowError, LookupError):
        return False  # a mapping has no slices: a TypeError, and from Python 3.12 on a KeyError
    return (
        type(made) is type(other) and bool(made == other) and (type(value) is not type(made) or value != made)
    )
