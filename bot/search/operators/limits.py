"""A number that should stay within a limit: ``max(best, x)``, ``max(0, a - b)``."""

import ast
from collections.abc import Iterator

from bot.search.kinds import NUMBERS
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.wrap import is_value

_MAX_OTHERS = 2


@operator("larger of two", prior=0.4, kinds=(ast.Attribute, ast.Assign))
def larger_of_two(node: ast.Attribute | ast.Assign, context: Context) -> Iterator[Mutation]:
    """The larger or smaller of what was and what comes: of a name, or of an attribute of two objects."""
    new: ast.expr
    if not context.failing:
        return
    if isinstance(node, ast.Attribute):
        if not is_value(node, context):
            return
        region, new, weight = context.scopes.region(node), node, 1.0
        alike = (part for part in region if isinstance(part, ast.Attribute) and part.attr == node.attr)
        others = [code for code in dict.fromkeys(map(context.code, alike)) if code != context.code(node)]
    else:
        target, new, weight = node.targets[0], node.value, 0.6
        plain = not isinstance(target, ast.Name | ast.Attribute) or isinstance(new, ast.Constant)
        if plain or not context.source.loop_of(node) or context.scopes.kind(new) not in NUMBERS:
            return
        others = [context.code(target)]
    for other in others[:_MAX_OTHERS]:
        for function in ("max", "min"):
            yield context.put(new, f"{function}({other}, {context.code(new)})", weight=weight)


@operator("not below", prior=0.2, kinds=(ast.BinOp,))
def not_below(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """``max(0, a - b)`` within a larger expression: a difference that is not meant to be negative."""
    parent = context.source.parents[node]
    if not (context.failing and isinstance(node.op, ast.Sub)) or isinstance(parent, ast.Return | ast.Assign):
        return
    inside = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Sub | ast.Add)
    if context.scopes.kind(node) in NUMBERS and not inside:
        yield context.put(node, f"max(0, {context.code(node)})")
