"""What a function's name and docstring, and the failures' values, say about it: evidence for ranking only.

A word makes a call likelier that it often stands for ("lower case" and ``lower``); no word rules anything
out, and nothing of the text is ever evaluated.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from bot.search.source import FUNCTIONS

if TYPE_CHECKING:
    from bot.search.operators.base import Context

_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+")
_MAX_TEXT = 4_000  # characters of a docstring that are read
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
    return context.once(_words, function) if function is not None else frozenset()


def _words(function: ast.AST, context: Context) -> frozenset[str]:
    del context
    assert isinstance(function, FUNCTIONS)
    prose = (ast.get_docstring(function, clean=False) or "")[:_MAX_TEXT]
    words = _WORD.findall(f"{function.name.replace('_', ' ')} {prose}")
    return frozenset(word.lower() for word in words)


def hinted(call: str, node: ast.AST, context: Context) -> bool:
    """Whether the failures, or the function's own words, speak for ``call`` in the node's place."""
    if call in context.relations:
        return True
    stems = _STANDS_FOR.get(call, ())
    return any(word.startswith(stems) for word in words_of(node, context)) if stems else False
