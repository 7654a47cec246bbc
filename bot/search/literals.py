"""The two sides of a failed comparison as values, for all that judge by them.

The texts are reprs that hostile code may have shaped: they are read as literals or not at all, and never
evaluated.
"""

import ast
import warnings
from typing import Any, NamedTuple

from sandbox.reports import Comparison

LONGEST = 2_000  # characters of a repr: longer ones were shortened on their way


class ComparedLiterals(NamedTuple):
    """What a comparison compared: any literals."""

    left: Any
    right: Any


def sides(comparison: Comparison | None, longest: int = LONGEST) -> ComparedLiterals | None:
    """The sides of ``comparison``; None where one of them is no literal of at most ``longest`` characters."""
    if comparison is None or max(len(comparison.left), len(comparison.right)) > longest:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that a text should not hold
            return ComparedLiterals(ast.literal_eval(comparison.left), ast.literal_eval(comparison.right))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
