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

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
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
    found = (word.lower().removesuffix("s") for word in WORD.findall(name))
    return frozenset(word for word in found if len(word) >= _LEAST)


def _beside(node: ast.expr, context: "Context") -> Iterator[str]:
    """The last names of the variables and attributes beside a node: ``limit`` of ``self.limit``."""
    sides: list[ast.expr] = []
    parent = context.source.parents.get(node)
    match parent:
        case ast.Compare(left=left, comparators=others):
            sides = [left, *others]
        case ast.BinOp(left=left, right=right) | ast.Subscript(value=left, slice=right):
            sides = [left, right]
        case ast.keyword(arg=str(name)):
            yield name
        case ast.Assign(targets=targets):
            sides = targets
    for side in sides:
        if side is not node or isinstance(parent, ast.Assign):
            yield from [side.attr] if isinstance(side, ast.Attribute) else names_in(side)
