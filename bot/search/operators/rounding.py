"""Numbers that should be rounded, or whole. To how many digits can be anything: these come late."""

import ast
from collections.abc import Iterator

from bot.search.kinds import NUMBERS
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.wrap import is_value
from bot.search.precedence import FACTOR, POWER

_VALUES = (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute)
_PLACES = (ast.Return, ast.Assign, ast.AugAssign, ast.BinOp, ast.GeneratorExp, ast.ListComp, ast.Call)


def _is_number(node: ast.expr, context: Context) -> bool:
    placed = isinstance(context.source.parents[node], _PLACES) and is_value(node, context)
    return placed and context.scopes.kind(node) in NUMBERS


@operator("missing rounding", prior=0.2, kinds=_VALUES)
def missing_rounding(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """A quotient or another number that should be whole, or have so many digits."""
    if not _is_number(node, context):
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        up = f"-(-{context.operand(node.left, POWER)} // {context.operand(node.right, FACTOR)})"
        yield context.put(node, up, level=FACTOR)
    broken = any(isinstance(part, (ast.Div, ast.Mult)) for part in ast.walk(node))
    share = 1.0 if broken else 0.5
    code = context.code(node)
    for digits, weight in ((2, 1.0), (1, 0.5), (3, 0.3)):
        yield context.put(node, f"round({code}, {digits})", weight=weight * share)
    if "math" in context.scopes.known:
        for name in ("ceil", "floor", "sqrt"):
            yield context.put(node, f"math.{name}({code})", weight=0.8 * share)
