"""Off by one: ±1 where code counts, indexes, slices, compares or returns.

QuixBugs (Lin et al. 2017) and the loop- and bound-errors of BugsInPy (Widyasari et al. 2020) show where it
happens; a literal number's ±1 is among the constants.
"""

import ast
from collections.abc import Iterator

from bot.search.kinds import NUMBERS
from bot.search.operators.base import Context, Mutation, operator
from bot.search.precedence import ARITH
from bot.search.source import function_called, is_read

_SITES: dict[type[ast.AST], float] = {
    ast.Slice: 1.0,
    ast.Subscript: 1.0,
    ast.Compare: 0.9,
    ast.Return: 0.7,
    ast.Call: 0.5,
    ast.Assign: 0.6,
    ast.IfExp: 0.5,
    ast.BinOp: 0.4,  # of a sum, where it is the same on either side; the rest has places of its own
    ast.Tuple: 0.4,
    ast.keyword: 0.3,
    ast.AugAssign: 0.4,
    ast.Lambda: 0.4,
    ast.ListComp: 0.4,
}

# The first of n steps is not a step: exponents, factors and divisors are n - 1 as bounds are.
_OPERANDS: dict[type[ast.operator], float] = {ast.Pow: 0.9, ast.Mult: 0.6, ast.FloorDiv: 0.6, ast.Mod: 0.6}


@operator("off by one", prior=0.6, kinds=(ast.Name, ast.Attribute, ast.BinOp, ast.Call, ast.Subscript))
def off_by_one(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``n`` as ``n + 1`` or ``n - 1``, and ``n ± 1`` as ``n``."""
    if is_read(node) and context.scopes.kind(node) in NUMBERS and (weight := _weight(node, context)):
        code = context.operand(node, ARITH)
        for sign in "+-":
            yield context.put(node, f"{code} {sign} 1", level=ARITH, weight=weight)


@operator("drop step", prior=0.65, kinds=(ast.BinOp,))
def step_drop(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """``n + 1`` that should be ``n``: a correction made twice."""
    step = node.right
    if isinstance(node.op, (ast.Add, ast.Sub)) and isinstance(step, ast.Constant) and step.value in {1, 2}:
        yield context.put_like(node, node.left)


def _weight(node: ast.expr, context: Context) -> float:
    """How much the place invites a miscount; 0 where ±1 makes no sense."""
    parent = context.source.parents[node]
    indexed = isinstance(parent, ast.Subscript) and node is parent.value
    if indexed or context.source.is_called(node):
        return 0.0
    if function_called(parent) == "range":
        return 1.0
    usual = _SITES.get(type(parent), 0.0)
    return _OPERANDS.get(type(parent.op), usual) if isinstance(parent, ast.BinOp) else usual
