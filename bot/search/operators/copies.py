"""Copies that are too shallow: what they hold is shared all the same, with whoever has the original."""

import ast
from collections.abc import Iterator

from bot.patch.syntax import walk
from bot.search.operators.base import Context, Mutation, operator, together
from bot.search.operators.statements import import_needed

_MAX_COPIES = 6  # of a file that are made deep together
_COPYING = frozenset({"dict", "list", "set"})


@operator("deep copy", prior=0.45, kinds=(ast.Call, ast.Dict, ast.List))
def deep_copy(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``dict(row)`` as ``copy.deepcopy(row)``, here, in each copy of the file, and in two of them."""
    copies = context.once(_copies, context.source.tree)
    if not any(one is node for one, _ in copies):
        return
    yield _deep([pair for pair in copies if pair[0] is node], context, weight=0.8)
    if 1 < len(copies) <= _MAX_COPIES:
        yield _deep(copies, context, weight=0.6)
        for other in copies if len(copies) > 2 else ():
            if other[0] is not node:
                both = [pair for pair in copies if pair[0] is node or pair is other]
                yield _deep(both, context, weight=0.4)


def _copies(tree: ast.AST, _: Context) -> list[tuple[ast.expr, ast.expr]]:
    """The shallow copies of a file, each with what it copies."""
    found: list[tuple[ast.expr, ast.expr]] = []
    for part in walk(tree):
        match part:
            case ast.Call(func=ast.Name(id=name), args=[copied], keywords=[]) if name in _COPYING:
                found.append((part, copied))
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id="copy"), attr="copy"), args=[copied])
                | ast.Call(func=ast.Attribute(value=copied, attr="copy"), args=[], keywords=[])
                | ast.Dict(keys=[None], values=[copied])
                | ast.List(elts=[ast.Starred(value=copied)])
            ):
                found.append((part, copied))
    return [pair for pair in found if isinstance(pair[1], (ast.Name, ast.Attribute, ast.Subscript))]


def _deep(copies: list[tuple[ast.expr, ast.expr]], context: Context, *, weight: float) -> Mutation:
    changes = [context.put(node, f"copy.deepcopy({context.code(copied)})") for node, copied in copies]
    imported = import_needed("copy", "import copy", context)
    named = context.code(copies[0][1])
    where = f", in {len(copies)} places" if len(copies) > 1 else ""
    return together(*imported, *changes, weight=weight, why=f"copy `{named}` with all that it holds{where}")
