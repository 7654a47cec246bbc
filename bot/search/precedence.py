"""How tightly Python expressions bind, so that parentheses are added only where they are needed.

It knows the grammar's levels and nothing of source text.
"""

import ast

TUPLE, TEST, OR, AND, NOT, COMPARE, BITOR, BITXOR, BITAND, SHIFT, ARITH, TERM, FACTOR, POWER, AWAIT, ATOM = (
    range(16)
)

_BINARY: dict[type[ast.operator], int] = {
    ast.BitOr: BITOR, ast.BitXor: BITXOR, ast.BitAnd: BITAND, ast.LShift: SHIFT, ast.RShift: SHIFT,
    ast.Add: ARITH, ast.Sub: ARITH, ast.Mult: TERM, ast.Div: TERM, ast.FloorDiv: TERM, ast.Mod: TERM,
    ast.MatMult: TERM, ast.Pow: POWER,
}  # fmt: skip
_FIXED: dict[type[ast.AST], int] = {
    ast.Tuple: TUPLE, ast.NamedExpr: TUPLE, ast.Yield: TUPLE, ast.YieldFrom: TUPLE, ast.Starred: TUPLE,
    ast.Slice: TUPLE, ast.Lambda: TEST, ast.IfExp: TEST, ast.Compare: COMPARE, ast.Await: AWAIT,
}  # fmt: skip
_NEEDED: dict[type[ast.AST], int] = {
    ast.Return: TUPLE, ast.Assign: TUPLE, ast.AugAssign: TUPLE, ast.Expr: TUPLE, ast.For: TUPLE,
    ast.Compare: BITOR, ast.Attribute: ATOM, ast.Await: ATOM, ast.Starred: BITOR, ast.comprehension: OR,
}  # fmt: skip


def level(node: ast.AST) -> int:
    """How tightly ``node`` binds when it is written without parentheses of its own."""
    if isinstance(node, ast.BoolOp):
        return OR if isinstance(node.op, ast.Or) else AND
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)]
    if isinstance(node, ast.UnaryOp):
        return NOT if isinstance(node.op, ast.Not) else FACTOR
    return _FIXED.get(type(node), ATOM)


def needed(node: ast.AST, parent: ast.AST) -> int:
    """The lowest level that may stand in ``node``'s place below ``parent`` without parentheses."""
    if isinstance(parent, ast.BoolOp):
        return level(parent) + 1
    if isinstance(parent, ast.UnaryOp):
        return level(parent)
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow):
        return AWAIT if node is parent.left else FACTOR
    if isinstance(parent, ast.BinOp):
        return level(parent) + (node is parent.right)
    if isinstance(parent, ast.IfExp):
        return TEST if node is parent.orelse else OR
    if isinstance(parent, ast.Subscript):
        return ATOM if node is parent.value else TUPLE
    if isinstance(parent, ast.Call):
        return ATOM if node is parent.func else TEST
    return _NEEDED.get(type(parent), TEST)
