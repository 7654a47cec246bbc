"""Arithmetic: the wrong operator, order, grouping or sign, in expressions and in assignments.

Wrong binary operators and operands are bug patterns of their own in SStuBs (Karampatsis & Sutton, MSR 2020)
and "operator misuse" is one of the bug types of HumanEvalPack (Muennighoff et al. 2023). Off-by-one is
elsewhere.
"""

import ast
from collections.abc import Iterator

from bot.search.kinds import NUMBERS, Kind
from bot.search.operators.base import Context, Mutation, operator
from bot.search.precedence import FACTOR, TERM, level

_SWAPS: dict[str, tuple[tuple[str, float], ...]] = {
    "+": (("-", 1.0), ("*", 0.6), ("|", 0.15), ("/", 0.15)),
    "-": (("+", 1.0), ("*", 0.3), ("/", 0.2), ("//", 0.15), ("%", 0.15), ("^", 0.1)),
    "*": (("+", 0.8), ("**", 0.7), ("/", 0.7), ("//", 0.5), ("-", 0.4), ("%", 0.2)),
    "/": (("//", 1.0), ("*", 0.8), ("%", 0.5), ("-", 0.2)),
    "//": (("/", 0.9), ("%", 1.0), ("*", 0.5), ("-", 0.2)),
    "%": (("//", 1.0), ("/", 0.5), ("*", 0.3), ("-", 0.2)),
    "**": (("*", 1.0), ("//", 0.3), ("/", 0.2), ("^", 0.1)),
    "&": (("|", 1.0), ("^", 0.7), ("-", 0.3), ("and", 0.3)),
    "|": (("&", 1.0), ("^", 0.7), ("-", 0.3), ("+", 0.2), ("or", 0.3)),
    "^": (("&", 0.9), ("|", 0.9), ("**", 0.6), ("-", 0.2)),
    "<<": ((">>", 1.0),),
    ">>": (("<<", 1.0), ("//", 0.2)),
    "@": (("*", 1.0),),
}


@operator("arithmetic", prior=0.8, kinds=(ast.BinOp,))
def arithmetic_swap(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """Another operator between the same operands."""
    token = context.source.operator_between(node.left, node.right)
    text_format = isinstance(node.op, ast.Mod) and context.scopes.kind(node.left) is Kind.STR
    if token is None or text_format:
        return
    for symbol, weight in _SWAPS.get(token.code, ()):
        why = f"use `{symbol}` instead of `{token.code}`"
        yield context.replace(token.start, token.end, symbol, weight=weight, why=why)


@operator("augmented assignment", prior=0.7, kinds=(ast.AugAssign,))
def augmented_swap(node: ast.AugAssign, context: Context) -> Iterator[Mutation]:
    """Another augmented assignment, or a plain one."""
    token = context.source.operator_between(node.target, node.value)
    if token is None:
        return
    for symbol, weight in (*_SWAPS.get(token.code, ()), ("", 0.6)):
        if symbol not in {"and", "or"}:
            why = f"use `{symbol}=` instead of `{token.code}=`"
            yield context.replace(token.start, token.end, symbol, weight=weight, why=why)


@operator("plain assignment", prior=0.5, kinds=(ast.Assign,))
def assignment_to_augmented(node: ast.Assign, context: Context) -> Iterator[Mutation]:
    """``total = x`` that was meant to accumulate: ``total += x``."""
    target = node.targets[0]
    fixed = context.scopes.kind(node.value) in {Kind.BOOL, Kind.NONE}
    if len(node.targets) > 1 or isinstance(target, (ast.Tuple, ast.List)) or fixed:
        return
    end = context.source.segment(target)[1]
    position = context.source.code.index("=", end)
    in_loop = context.source.loop_of(node) is not None
    for symbol, weight in (("+", 1.0), ("-", 0.5), ("*", 0.4), ("|", 0.1)):
        why = f"accumulate with `{symbol}=` instead of assigning"
        weight *= 1.0 if in_loop else 0.4  # noqa: PLW2901
        yield context.replace(position, position, symbol, weight=weight, why=why)


@operator("count from nothing", prior=0.3, kinds=(ast.Assign, ast.AugAssign))
def count_from_nothing(node: ast.Assign | ast.AugAssign, context: Context) -> Iterator[Mutation]:
    """``d[k] = v`` or ``d[k] += v`` that should accumulate, and begin where no key is yet."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, (ast.Slice, ast.Tuple)):
        return
    start, end = context.source.segment(node)
    held = f"{context.operand(target.value)}.get({context.code(target.slice)}"
    for empty in ("0", "[]", "''"):
        code = f"{context.code(target)} = {held}, {empty}) + {context.operand(node.value, TERM)}"
        yield context.replace(start, end, code, weight=1.0 if empty == "0" else 0.5)


@operator("operand order", prior=0.5, kinds=(ast.BinOp,))
def operand_order(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """``a - b`` as ``b - a``, where the order matters."""
    numeric = {context.scopes.kind(node.left), context.scopes.kind(node.right)} <= {Kind.INT, Kind.FLOAT}
    if not (numeric and isinstance(node.op, (ast.Add, ast.Mult))):
        yield context.exchange(node.left, node.right)


@operator("drop operand", prior=0.45, kinds=(ast.BinOp,))
def operand_drop(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """One operand too many."""
    for kept, gone in ((node.left, node.right), (node.right, node.left)):
        why = f"drop `{context.code(gone)}`"
        yield context.put_like(node, kept, weight=1.0 if kept is node.left else 0.7, why=why)


@operator("regroup", prior=0.5, kinds=(ast.BinOp,))
def regroup(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """Parentheses missing, or in the way: ``a + b / c`` against ``(a + b) / c``."""
    source = context.source
    left, right = node.left, node.right
    # Down the whole chain: in `a - b * c / d` the parentheses may close after `b` as well as after `c`.
    while isinstance(right, ast.BinOp) and not source.is_parenthesised(right):
        right = right.left
        start, middle = source.outer(left)[0], source.outer(right)[1]
        yield context.replace(start, middle, f"({source.code[start:middle]})")
    right = node.right
    while isinstance(left, ast.BinOp) and not source.is_parenthesised(left):
        start, end = source.outer(left.right)[0], source.outer(right)[1]
        yield context.replace(start, end, f"({source.code[start:end]})")
        left = left.left
    left = node.left
    for operand in (left, right):
        if isinstance(operand, ast.BinOp) and source.is_parenthesised(operand) and level(operand) < TERM:
            yield context.replace(*source.outer(operand), source.source_of(operand), weight=0.7)


@operator(
    "sign", prior=0.35, kinds=(ast.UnaryOp, ast.Name, ast.BinOp, ast.Call, ast.Attribute, ast.Subscript)
)
def sign_change(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """A minus sign too many, or one missing."""
    if isinstance(node, ast.UnaryOp):
        if not isinstance(node.op, ast.Not):
            yield context.put_like(node, node.operand)
        return
    parent = context.source.parents[node]
    is_value = isinstance(parent, (ast.Return, ast.BinOp, ast.Call, ast.Assign, ast.keyword, ast.Lambda))
    called = context.source.is_called(node)
    stored = isinstance(getattr(node, "ctx", None), ast.Store)
    if is_value and not called and not stored and context.scopes.kind(node) in NUMBERS:
        code = f"-{context.operand(node, FACTOR)}"
        weight = 0.6 if isinstance(parent, (ast.Return, ast.Lambda)) else 0.3
        yield context.put(node, code, level=FACTOR, weight=weight)
