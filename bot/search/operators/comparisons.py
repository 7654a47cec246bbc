"""Comparisons: the wrong relation, the wrong side, a link too many.

"Change binary operator" and "less specific if" are among the commonest one-statement bugs in both the Java
study (Karampatsis & Sutton, MSR 2020) and the Python one (Kamienski et al., MSR 2021, PySStuBs). What to do
with the operands themselves belongs to other modules.
"""

import ast
from collections.abc import Iterator
from itertools import pairwise

from bot.search.operators.base import Context, Mutation, operator
from bot.search.precedence import ARITH, COMPARE

_ORDER = ("<", "<=", ">", ">=", "==", "!=")
_SWAPS: dict[str, tuple[tuple[str, float], ...]] = {
    "<": (("<=", 1.0), (">", 0.8), (">=", 0.6), ("!=", 0.4), ("==", 0.35)),
    "<=": (("<", 1.0), (">=", 0.8), (">", 0.6), ("==", 0.4), ("!=", 0.3)),
    ">": ((">=", 1.0), ("<", 0.8), ("<=", 0.6), ("!=", 0.4), ("==", 0.35)),
    ">=": ((">", 1.0), ("<=", 0.8), ("<", 0.6), ("==", 0.4), ("!=", 0.3)),
    "==": (("!=", 1.0), ("<=", 0.5), (">=", 0.5), ("<", 0.45), (">", 0.45), ("in", 0.3), ("is", 0.2)),
    "!=": (("==", 1.0), ("<", 0.5), (">", 0.5), ("<=", 0.4), (">=", 0.4), ("not in", 0.25), ("is not", 0.2)),
    "is": (("is not", 1.0), ("==", 0.8)),
    "is not": (("is", 1.0), ("!=", 0.8)),
    "in": (("not in", 1.0), ("==", 0.5)),
    "not in": (("in", 1.0), ("!=", 0.5)),
}


@operator("comparison", prior=0.9, kinds=(ast.Compare,))
def comparison_swap(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """Another relation between the same operands."""
    operands = [node.left, *node.comparators]
    for left, right in pairwise(operands):
        token = context.source.operator_between(left, right)
        if token is None:
            continue
        for symbol, weight in _SWAPS.get(" ".join(token.code.split()), ()):
            why = f"compare with `{symbol}` instead of `{token.code}`"
            yield context.replace(token.start, token.end, symbol, weight=weight, why=why)


@operator("comparison sides", prior=0.35, kinds=(ast.Compare,))
def comparison_sides(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """The operands swapped, where that is no mere change of relation."""
    if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        yield context.exchange(node.left, node.comparators[0])


@operator("comparison link", prior=0.4, kinds=(ast.Compare,))
def comparison_link(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """One link of a chain dropped: ``a < b < c`` to ``a < b`` or ``b < c``."""
    if len(node.ops) < 2:
        return
    start, end = context.source.segment(node)
    second = context.source.segment(node.comparators[0])[0]
    before_last = context.source.segment(node.comparators[-2])[1]
    yield context.replace(start, second, "", why=f"drop the lower bound {context.code(node.left)}")
    yield context.replace(before_last, end, "", why=f"drop the bound {context.code(node.comparators[-1])}")


@operator("magnitude", prior=0.5, kinds=(ast.Compare,))
def difference_magnitude(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """``a - b < limit`` compared without its sign: ``abs(a - b) < limit``."""
    for operand in (node.left, *node.comparators):
        if isinstance(operand, ast.BinOp) and isinstance(operand.op, ast.Sub):
            yield context.put(operand, f"abs({context.code(operand)})")


@operator("truth or identity", prior=0.4, kinds=(ast.Compare,))
def equality_for_truth(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """``x is None`` against ``not x``: emptiness and absence taken for one another."""
    right = node.comparators[0]
    if len(node.ops) > 1 or not (isinstance(right, ast.Constant) and right.value in {None, True, False}):
        return
    left = context.operand(node.left, COMPARE)
    yield context.put(node, f"not {left}", level=COMPARE - 1)
    yield context.put(node, context.operand(node.left, ARITH), level=ARITH)
