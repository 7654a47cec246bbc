"""Comparisons: the wrong relation, the wrong side, a link too many.

"Change binary operator" and "less specific if" are among the commonest one-statement bugs in both the Java
study (Karampatsis & Sutton, MSR 2020) and the Python one (Kamienski et al., MSR 2021, PySStuBs). What to do
with the operands themselves belongs to other modules.
"""

import ast
from collections.abc import Iterator
from itertools import pairwise

from bot.search.operators.base import Context, Mutation, Operator
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


class ComparisonSwap(Operator[ast.Compare]):
    """Another relation between the same operands."""

    name = "comparison"
    prior = 0.9
    kinds = (ast.Compare,)

    def _mutate(self, node: ast.Compare, context: Context) -> Iterator[Mutation]:
        operands = [node.left, *node.comparators]
        for left, right in pairwise(operands):
            token = context.source.operator_between(left, right)
            if token is None:
                continue
            for symbol, weight in _SWAPS.get(" ".join(token.code.split()), ()):
                why = f"compare with `{symbol}` instead of `{token.code}`"
                yield context.replace(token.start, token.end, symbol, weight=weight, why=why)


class ComparisonSides(Operator[ast.Compare]):
    """The operands swapped, where that is no mere change of relation."""

    name = "comparison sides"
    prior = 0.35
    kinds = (ast.Compare,)

    def _mutate(self, node: ast.Compare, context: Context) -> Iterator[Mutation]:
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            yield context.exchange(node.left, node.comparators[0])


class ComparisonLink(Operator[ast.Compare]):
    """One link of a chain dropped: ``a < b < c`` to ``a < b`` or ``b < c``."""

    name = "comparison link"
    prior = 0.4
    kinds = (ast.Compare,)

    def _mutate(self, node: ast.Compare, context: Context) -> Iterator[Mutation]:
        if len(node.ops) < 2:
            return
        start, end = context.source.segment(node)
        second = context.source.segment(node.comparators[0])[0]
        before_last = context.source.segment(node.comparators[-2])[1]
        yield context.replace(start, second, "", why=f"drop the lower bound {context.code(node.left)}")
        yield context.replace(
            before_last, end, "", why=f"drop the bound {context.code(node.comparators[-1])}"
        )


class DifferenceMagnitude(Operator[ast.Compare]):
    """``a - b < limit`` compared without its sign: ``abs(a - b) < limit``."""

    name = "magnitude"
    prior = 0.5
    kinds = (ast.Compare,)

    def _mutate(self, node: ast.Compare, context: Context) -> Iterator[Mutation]:
        for operand in (node.left, *node.comparators):
            if isinstance(operand, ast.BinOp) and isinstance(operand.op, ast.Sub):
                yield context.put(operand, f"abs({context.code(operand)})")


class EqualityForTruth(Operator[ast.Compare]):
    """``x is None`` against ``not x``: emptiness and absence taken for one another."""

    name = "truth or identity"
    prior = 0.4
    kinds = (ast.Compare,)

    def _mutate(self, node: ast.Compare, context: Context) -> Iterator[Mutation]:
        right = node.comparators[0]
        if len(node.ops) > 1 or not (isinstance(right, ast.Constant) and right.value in {None, True, False}):
            return
        left = context.operand(node.left, COMPARE)
        yield context.put(node, f"not {left}", level=COMPARE - 1)
        yield context.put(node, context.operand(node.left, ARITH), level=ARITH)
