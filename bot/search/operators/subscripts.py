"""Subscripts and slices: the wrong end, bound or nesting; and ±1 where code counts, compares or returns.

Index bugs are a class of their own in QuixBugs (Lin et al. 2017) and BugsInPy (Widyasari et al. 2020), as are
loop and bound errors. ±1 on a literal is in ``constants``.
"""

import ast
from collections.abc import Iterator

from bot.search.kinds import NUMBERS
from bot.search.operators.base import Context, Mutation, operator
from bot.search.precedence import ARITH
from bot.search.source import function_called, is_read

_SITES: dict[type[ast.AST], float] = {
    ast.Slice: 1.0, ast.Subscript: 1.0, ast.Compare: 0.9, ast.Return: 0.7, ast.Call: 0.5, ast.Assign: 0.6,
    ast.IfExp: 0.5, ast.Tuple: 0.4, ast.keyword: 0.3, ast.AugAssign: 0.4, ast.Lambda: 0.4, ast.ListComp: 0.4,
    ast.BinOp: 0.4,  # of a sum, where it is the same on either side; the rest has places of its own
}  # fmt: skip

# The first of n steps is not a step: exponents, factors and divisors are n - 1 as bounds are.
_OPERANDS: dict[type[ast.operator], float] = {ast.Pow: 0.9, ast.Mult: 0.6, ast.FloorDiv: 0.6, ast.Mod: 0.6}


@operator("index or slice", prior=0.3, kinds=(ast.Subscript,))
def index_or_slice(node: ast.Subscript, context: Context) -> Iterator[Mutation]:
    """An item where a piece was meant, or a piece where an item was meant; or the whole."""
    if not isinstance(node.ctx, ast.Load):
        return
    yield context.put_like(node, node.value, weight=0.7)
    if isinstance(node.slice, ast.Slice):
        for bound in (node.slice.lower, node.slice.upper):
            if bound:
                yield context.put(node.slice, context.code(bound), weight=0.5)
    elif not isinstance(node.slice, ast.Tuple):
        index = context.code(node.slice)
        for code in (f":{index}", f"{index}:"):
            yield context.put(node.slice, code, weight=0.6)


@operator("slice", prior=0.55, kinds=(ast.Slice,))
def slice_bounds(node: ast.Slice, context: Context) -> Iterator[Mutation]:
    """A bound too many, missing, or in the other's place."""
    first, last, step = (context.code(part) if part else "" for part in (node.lower, node.upper, node.step))
    for (lower, upper, stride), weight in _slices(first, last, step):
        code = f"{lower}:{upper}:{stride}" if stride else f"{lower}:{upper}"
        yield context.put(node, code, weight=weight)


def _slices(first: str, last: str, step: str) -> Iterator[tuple[tuple[str, str, str], float]]:
    if first or last:
        yield (last, first, step), 0.8
    if last.startswith("-") and not first:
        yield (last[1:], "", step), 0.6
    if first and not last:
        yield ("", f"-{first}", step), 0.6
    if first:
        yield ("", last, step), 0.9
    else:
        yield ("1", last, step), 1.0
        yield ("-1", last, step), 0.3
    if last:
        yield (first, "", step), 0.9
        yield (first, f"-{last}" if last.isidentifier() else "-1", step), 0.5
    else:
        yield (first, "-1", step), 1.0
    if first:
        yield (f"-{first}" if first.isidentifier() else "1", last, step), 0.4
    if step:
        yield (first, last, ""), 0.8
        yield (first, last, step[1:] if step.startswith("-") else f"-{step}"), 0.6
    else:
        yield (first, last, "2"), 0.5
        yield (first, last, "-1"), 0.5


@operator("swap indices", prior=0.5, kinds=(ast.Subscript,))
def index_swap(node: ast.Subscript, context: Context) -> Iterator[Mutation]:
    """``grid[x][y]`` as ``grid[y][x]``."""
    inner = node.value
    if isinstance(inner, ast.Subscript) and context.code(inner.slice) != context.code(node.slice):
        yield context.exchange(inner.slice, node.slice)
    if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
        yield context.exchange(node.slice.elts[0], node.slice.elts[1])


@operator("off by one", prior=0.6, kinds=(ast.Name, ast.Attribute, ast.BinOp, ast.Call, ast.Subscript))
def off_by_one(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``n`` as ``n + 1`` or ``n - 1``, and ``n ± 1`` as ``n``."""
    if is_read(node) and context.scopes.kind(node) in NUMBERS and (weight := _weight(node, context)):
        code = context.operand(node, ARITH)
        said = _said_by_relation(node, context)
        for sign in [one for one in "+-" if one != said]:
            yield context.put(node, f"{code} {sign} 1", level=ARITH, weight=weight)


def _said_by_relation(node: ast.expr, context: Context) -> str:
    """The sign with which another relation says the same of whole numbers: ``n + 1 > 0`` is ``n >= 0``.

    Empty where there is none.
    """
    match context.source.parents[node]:
        case ast.Compare(left=left, ops=[ast.Gt() | ast.LtE()]):
            return "+" if node is left else "-"
        case ast.Compare(left=left, ops=[ast.GtE() | ast.Lt()]):
            return "-" if node is left else "+"
    return ""


@operator("drop step", prior=0.65, kinds=(ast.BinOp,))
def step_drop(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """``n + 1`` that should be ``n``: a correction made twice."""
    step = node.right
    if isinstance(node.op, (ast.Add, ast.Sub)) and isinstance(step, ast.Constant) and step.value in {1, 2}:
        yield context.put_like(node, node.left)


def _is_no_number(comparison: ast.Compare, context: Context) -> bool:
    """Whether one side of a comparison is known to be none."""
    sides = (comparison.left, *comparison.comparators)
    return any(context.scopes.kind(side) not in NUMBERS for side in sides)


def _weight(node: ast.expr, context: Context) -> float:
    """How much the place invites a miscount; 0 where ±1 makes no sense."""
    parent = context.source.parents[node]
    indexed = isinstance(parent, ast.Subscript) and node is parent.value
    if indexed or context.source.is_called(node):
        return 0.0
    if function_called(parent) == "range":
        return 1.0
    if isinstance(parent, ast.Compare) and _is_no_number(parent, context):
        return 0.0
    usual = _SITES.get(type(parent), 0.0)
    return _OPERANDS.get(type(parent.op), usual) if isinstance(parent, ast.BinOp) else usual
