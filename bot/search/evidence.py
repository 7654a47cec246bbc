"""What a function's name and docstring, and the failures' values, say about it: evidence for ranking only.

A word makes a call likelier that it often stands for ("lower case" and ``lower``); no word rules anything
out, and nothing of the text is ever evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sandbox.reports import TestResult

if TYPE_CHECKING:
    from bot.search.operators.base import Context

_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+")
_MOST_TEXT = 4_000  # characters of a docstring that are read
# Beginnings of words, as documentation writes them, by the call that they often stand for.
_STANDS_FOR: dict[str, tuple[str, ...]] = {
    "sorted": ("sort", "order", "ascend", "descend", "median", "rank", "alphabet"),
    "abs": ("absolut", "distance", "magnitude", "differ", "deviat"),
    "set": ("uniq", "distinct", "duplicat", "differ"),
    "len": ("count", "number", "length", "size", "how"),
    "round": ("round", "decimal", "nearest", "precision"),
    "int": ("integer", "whole", "digit", "floor", "truncat"),
    "float": ("fraction", "real", "decimal", "ratio", "average", "mean"),
    "str": ("string", "text", "digit", "character", "format"),
    "sum": ("sum", "total", "add"),
    "max": ("max", "largest", "greatest", "highest", "longest", "most", "best", "least"),
    "min": ("min", "smallest", "lowest", "shortest", "most", "earliest"),
    "list": ("list", "copy", "copies"),
    "tuple": ("tuple", "pair"),
    "reversed": ("revers", "backward", "last"),
    "any": ("any", "some", "least"),
    "all": ("all", "every", "each"),
    "bool": ("whether", "true"),
    ".lower()": ("case", "insensitiv", "lower", "normal", "regardless"),
    ".upper()": ("upper", "capital"),
    ".strip()": ("strip", "space", "whitespace", "trim", "clean", "normal"),
    ".copy()": ("copy", "copies", "new", "mutat", "modif", "place", "unchanged"),
    ".split()": ("word", "split", "separat", "token"),
    ".items()": ("item", "pair", "entr", "mapping"),
    ".values()": ("value", "total", "sum"),
    ".keys()": ("key", "name"),
    "[::-1]": ("revers", "backward", "palindrom", "mirror"),
    "reverse=True": ("descend", "largest", "highest", "most", "top", "revers", "latest", "newest"),
    "inclusive": ("inclusiv", "including", "least", "most", "through", "within", "up"),
}


def words_of(node: ast.AST, context: Context) -> frozenset[str]:
    """The words, in lower case, of the name and the docstring of the function around a node."""
    function = context.source.function_of(node)
    if function is None:
        return frozenset()
    if function not in context.words:
        prose = (ast.get_docstring(function, clean=False) or "")[:_MOST_TEXT]
        text = f"{function.name.replace('_', ' ')} {prose}"
        context.words[function] = frozenset(word.lower() for word in _WORD.findall(text))
    return context.words[function]


# What one side of a comparison would have to go through to become the other.
_RELATIONS: dict[str, Callable[[Any], Any]] = {
    "sorted": sorted,
    "abs": abs,
    "len": len,
    "sum": sum,
    "max": max,
    "min": min,
    "list": list,
    "tuple": tuple,
    "set": set,
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "round": lambda value: round(value, 2),
    ".lower()": lambda value: value.lower(),
    ".upper()": lambda value: value.upper(),
    ".strip()": lambda value: value.strip(),
    ".split()": lambda value: value.split(),
    ".values()": lambda value: list(value.values()),
    ".keys()": list,
    ".items()": lambda value: list(value.items()),
    "[::-1]": lambda value: value[::-1],
}
_LONGEST = 300  # characters of a repr that is worth the comparison


def relations(failing: Sequence[TestResult]) -> frozenset[str]:
    """The calls that would turn the actual into the expected value of every comparison that is known.

    Either side may be the expected one. Only literals are compared, and only with builtins.
    """
    pairs = [pair for result in failing if (pair := _pair(result)) is not None]
    if not pairs:
        return frozenset()
    return frozenset(
        name
        for name, call in _RELATIONS.items()
        if all(_same(call, left, right) or _same(call, right, left) for left, right in pairs)
    )


def _pair(result: TestResult) -> tuple[Any, Any] | None:
    comparison = result.comparison
    if comparison is None or max(len(comparison.left), len(comparison.right)) > _LONGEST:
        return None
    try:
        return ast.literal_eval(comparison.left), ast.literal_eval(comparison.right)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _same(call: Callable[[Any], Any], value: Any, other: Any) -> bool:  # noqa: ANN401 - any literal
    try:
        made = call(value)
    except (TypeError, ValueError, AttributeError, OverflowError):
        return False
    return (
        type(made) is type(other) and bool(made == other) and (type(value) is not type(made) or value != made)
    )


def hinted(call: str, node: ast.AST, context: Context) -> bool:
    """Whether the failures, or the function's own words, speak for ``call`` in the node's place."""
    if call in context.relations:
        return True
    stems = _STANDS_FOR.get(call, ())
    return any(word.startswith(stems) for word in words_of(node, context)) if stems else False
