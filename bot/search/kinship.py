"""Names that belong together: ``doubles == DOUBLES_LIMIT``, ``width=self.width``, ``prices[price]``.

What stands beside a name often shares a word with it; a slip seldom does ("natural bugs", Pradel and Sen,
"DeepBugs: A Learning Approach to Name-Based Bug Detection", OOPSLA 2018). It only ranks.
"""

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.search.source import names_in

if TYPE_CHECKING:
    from bot.search.operators.base import Context

NEARER, FARTHER = 1.5, 0.4
"""What a name weighs that shares a word with what stands beside it, or does not where the old one did."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LEAST = 3  # letters of a word that says something


def kinship(old: str, new: str, node: ast.expr, context: "Context") -> float:
    """How much likelier ``new`` is than ``old`` in the place of ``node``, by the names beside it."""
    beside = {word for name in _beside(node, context) for word in _words(name)}
    was, would_be = bool(beside & _words(old)), bool(beside & _words(new))
    return 1.0 if was is would_be else NEARER if would_be else FARTHER


def alike(old: str, new: str) -> float:
    """How much likelier one name is in the place of another with which it shares a word."""
    return NEARER if _words(old) & _words(new) else 1.0


def _words(name: str) -> frozenset[str]:
    """The words of an identifier in lower case, a plural's ending left out."""
    found = (word.lower().removesuffix("s") for word in _WORD.findall(name))
    return frozenset(word for word in found if len(word) >= _LEAST)


def _beside(node: ast.expr, context: "Context") -> Iterator[str]:
    match context.source.parents.get(node):
        case ast.Compare(left=left, comparators=others):
            yield from _names(side for side in (left, *others) if side is not node)
        case ast.BinOp(left=left, right=right):
            yield from _names(side for side in (left, right) if side is not node)
        case ast.keyword(arg=str(name)):
            yield name
        case ast.Assign(targets=targets):
            yield from _names(iter(targets))
        case ast.Subscript(value=value, slice=key):
            yield from _names(iter([key if node is value else value]))


def _names(nodes: Iterator[ast.expr]) -> Iterator[str]:
    """The last names of variables and attributes: ``limit`` of ``self.limit``."""
    for node in nodes:
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id
        else:
            yield from names_in(node)
