"""How far two values are apart, as far as their reprs show: a number in [0, 1], or nothing known.

What is no literal (``literals``) is nothing known.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from bot.search.literals import sides
from sandbox.reports import Comparison

_LARGEST_TABLE = 2_500  # cells of an edit distance; longer sequences are compared from both ends
_DEEPEST = 3
_REMEMBERED = 256  # comparisons: what the program gives unchanged is asked about with every candidate
_ORDERED = frozenset({"<", "<=", ">", ">="})


@lru_cache(maxsize=_REMEMBERED)
def distance(comparison: Comparison | None) -> float | None:
    """How far the two sides of a failed comparison are apart, in [0, 1]; None where that is not known.

    Numbers by their difference, texts and sequences by edits, sets by what is in one of them only, mappings
    by their values. Sides of different types are as far apart as can be.
    """
    if comparison is None or comparison.operator not in {"==", "is", *_ORDERED}:
        return None
    found = sides(comparison)
    if found is None:
        return None
    if comparison.operator in _ORDERED and not (is_number(found.left) and is_number(found.right)):
        return None
    try:
        return _apart(found.left, found.right, _DEEPEST)
    except OverflowError:  # an integer beyond what floats hold
        return None


def _apart(left: Any, right: Any, depth: int) -> float:  # noqa: ANN401 - any literal
    if is_number(left) and is_number(right):
        return _numbers_apart(left, right)
    if type(left) is not type(right) or depth == 0:
        return 0.0 if left == right and type(left) is type(right) else 1.0
    if isinstance(left, (str, bytes, list, tuple)):
        return _sequences_apart(left, right, depth)
    if isinstance(left, (set, frozenset)):
        return len(left ^ right) / max(1, len(left | right))
    if isinstance(left, dict):
        keys, both = left.keys() | right.keys(), left.keys() & right.keys()
        apart = sum(_apart(left[key], right[key], depth - 1) for key in both) + len(keys) - len(both)
        return float(apart / max(1, len(keys)))
    return float(left != right)


def is_number(value: object) -> bool:
    """Whether a value is a number, and no truth."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _numbers_apart(left: float, right: float) -> float:
    if left == right:
        return 0.0
    gap = abs(float(left) - float(right))
    return gap / (1.0 + gap) if math.isfinite(gap) else 1.0


def _sequences_apart(left: Sequence[Any], right: Sequence[Any], depth: int) -> float:
    longest = max(len(left), len(right))
    if longest == 0:
        return 0.0
    if (len(left) + 1) * (len(right) + 1) > _LARGEST_TABLE:
        return (longest - sum(shared_ends(left, right))) / longest
    nested = isinstance(left, (list, tuple))
    # What both begin and end with costs nothing, and most candidates change little.
    first, last = shared_ends(left, right)
    left, right = left[first : len(left) - last], right[first : len(right) - last]
    row = [float(column) for column in range(len(right) + 1)]
    for index, one in enumerate(left, start=1):
        above, row = row, [float(index)]
        for column, other in enumerate(right, start=1):
            # An element of the right kind in the right place is half way to the right element.
            cost = float(one != other)
            if nested and cost:
                cost = 0.5 + 0.5 * _apart(one, other, depth - 1)
            row.append(min(above[column] + 1.0, row[-1] + 1.0, above[column - 1] + cost))
    return min(1.0, row[-1] / longest)


def shared_ends(left: Sequence[Any], right: Sequence[Any]) -> tuple[int, int]:
    """How many elements the two share at their beginnings and, of the rest, at their ends."""
    shortest = min(len(left), len(right))
    first = next((i for i in range(shortest) if left[i] != right[i]), shortest)
    last = next((i for i in range(shortest - first) if left[-1 - i] != right[-1 - i]), shortest - first)
    return first, last
