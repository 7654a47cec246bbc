"""Whether an order, a difference or a search is made of both values."""

import ast

from bot.patch.dangers import words
from bot.patch.mirrored import Names, is_mirrored, mentions

_COMBINING = words("__sub__ __rsub__ __add__ __radd__ difference subtract")


def results(body: list[ast.stmt]) -> list[ast.expr]:
    """What ``body`` returns."""
    nodes = (node for statement in body for node in ast.walk(statement))
    return [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]


def read(value: ast.expr) -> set[str]:
    """The names in ``value``."""
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}


def changes(body: list[ast.stmt], *names: str) -> bool:
    """Whether anything but a local name is bound, or something is called for its effect."""
    for node in (node for statement in body for node in ast.walk(statement)):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                return True
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in names:
                return True
            case ast.Expr(value=value) if not isinstance(value, ast.Constant | ast.Subscript):
                return True
    return False


def is_refusal(value: ast.expr) -> bool:
    """Whether a result is false, or leaves the comparison to the other object."""
    match value:
        case ast.Constant(value=constant):
            return not constant
        case ast.Name(id="NotImplemented"):
            return True
    return False


def orders(value: ast.expr, names: Names) -> bool:
    """Whether ``value`` compares the same of both, by order or by equality."""
    match value:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(orders(one, names) for one in values)
        case ast.BoolOp(op=ast.Or(), values=values):
            return all(orders(one, names) for one in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not isinstance(operand, ast.Constant) and orders(operand, names)
        case ast.IfExp(body=body, orelse=orelse):
            return orders(body, names) and orders(orelse, names)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return not isinstance(operator, ast.In | ast.NotIn) and is_mirrored(left, right, names)
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"))), args=[ast.Name(id=one)]):
            return one == names.other
    return is_refusal(value)


def takes_away(body: list[ast.stmt], names: Names) -> bool:
    """Whether a difference is made from both values."""
    made: set[str] = set()
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and _combines(node.value, names):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                made.update(one.id for one in targets if isinstance(one, ast.Name))
    return not changes(body, names.own, names.other) and all(
        (is_refusal(value) and not isinstance(value, ast.Constant))
        or _combines(value, names)
        or bool(made & read(value))
        for value in results(body)
    )


def _combines(value: ast.expr, names: Names) -> bool:
    """Whether a result is something of the one and something of the other, added or taken away."""
    match value:
        case ast.BinOp(left=left, op=ast.Sub() | ast.Add() | ast.BitAnd() | ast.BitXor(), right=right):
            sides = ((left, right), (right, left))
            return any(mentions(one, names.own) and mentions(another, names.other) for one, another in sides)
        case ast.UnaryOp(operand=operand):
            return _combines(operand, names)
        case ast.IfExp(body=body, orelse=orelse):
            return _combines(body, names) and _combines(orelse, names)
        case ast.Call(func=ast.Attribute(value=owner, attr=attribute), args=arguments) if (
            attribute in _COMBINING
        ):
            return any(mentions(one, names.other) for one in (owner, *arguments))
        case ast.Call(args=arguments, keywords=keywords):
            return any(_combines(one, names) for one in (*arguments, *(one.value for one in keywords)))
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return any(_combines(one, names) for one in elements)
        case ast.ListComp(elt=one) | ast.GeneratorExp(elt=one):
            return isinstance(one, ast.BinOp) and isinstance(one.op, ast.Sub)
    return False


def searches(body: list[ast.stmt], names: Names) -> bool:
    """Whether the values that an object holds are asked for the one that is looked for."""
    tried = any(
        isinstance(node, ast.Subscript)
        and mentions(node.value, names.own)
        and mentions(node.slice, names.other)
        for statement in body
        if isinstance(statement, ast.Try)
        for inner in statement.body
        for node in ast.walk(inner)
    )
    return not changes(body, names.own, names.other) and all(
        is_refusal(value) or _finds(value, names) or (tried and isinstance(value, ast.Constant))
        for value in results(body)
    )


def _finds(value: ast.expr, names: Names) -> bool:
    match value:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_finds(one, names) for one in values)
        case ast.BoolOp(op=ast.Or(), values=values):
            return all(_finds(one, names) for one in values)
        case ast.Compare(left=left, ops=[ast.In()], comparators=[right]):
            return mentions(left, names.other) and _is_held(right, names)
        case ast.Compare(left=ast.Call(func=ast.Attribute(value=owner, attr="get" | "find"), args=[one, *_])):
            return _is_held(owner, names) and mentions(one, names.other)
        case ast.Call(func=ast.Attribute(value=owner, attr="__contains__"), args=[one]):
            own = _is_held(owner, names) or (
                isinstance(owner, ast.Call) and ast.unparse(owner.func) == "super"
            )
            return own and mentions(one, names.other)
        case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=compared, generators=[loop])]):
            asks = isinstance(compared, ast.Compare) and isinstance(compared.ops[0], ast.Eq | ast.In | ast.Is)
            return asks and mentions(compared, names.other) and _is_held(loop.iter, names)
        case ast.Call(func=ast.Name(id="bool"), args=[inner]):
            return _finds(inner, names)
    return False


def _is_held(value: ast.expr, names: Names) -> bool:
    """Whether it is of the own object, and the value that is asked for has no part in it."""
    return mentions(value, names.own) and names.other not in read(value)
