"""Methods by which a class is turned into a number, a text or an array, where they are of no honest form.

A test measures a difference with ``abs`` and ``round``. An honest method applies the same to what its object
holds.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.flow import gives
from bot.patch.keeping import Keeping, bound_names

MEASURES = words("__abs__")
_ROUNDING = words("__round__ __trunc__ __floor__ __ceil__")
NAMES = (
    MEASURES | _ROUNDING | words("__float__ __int__ __index__ __complex__ __bytes__ __format__ __missing__")
)
_SIZES = words("abs fabs hypot sqrt norm copy_abs __abs__ length magnitude")
_APPLIED = words("round trunc floor ceil int float complex bytes format index fmod quantize rint Decimal")
_SAME = words("str int float repr bytes tuple list set frozenset sorted abs round max min")
_UNCHANGED = words("float int complex sum")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def converts(function: _Function, reading: Keeping, own: str, others: set[str]) -> bool:
    """Whether all that a conversion gives is made of what its object holds."""
    if function.name == "__missing__":
        return _makes_missing(function, others)
    if function.name in MEASURES:
        return all(_is_size(value, reading, own) for value in _chosen(function))
    return all(_is_converted(value, reading) for value in gives(function))


def _makes_missing(function: _Function, asked: set[str]) -> bool:
    """Whether what stands in the place of a missing item is not the key itself, or a form of it."""
    while (
        more := {
            name
            for node in ast.walk(function)
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value
            if _is_key(node.value, asked)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            for name in bound_names(target)
        }
        - asked
    ):
        asked = asked | more
    return not any(_is_key(value, asked) for value in gives(function))


def _is_key(value: ast.expr, asked: set[str]) -> bool:
    match value:
        case ast.Name(id=name):
            return name in asked
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _SAME:
            return any(_is_key(one, asked) for one in arguments)
        case ast.Call(func=ast.Attribute(value=owner)):
            return _is_key(owner, asked)
        case ast.Subscript(value=inner) | ast.Attribute(value=inner) | ast.NamedExpr(value=inner):
            return _is_key(inner, asked)
        case ast.IfExp() | ast.BoolOp() | ast.BinOp() | ast.Tuple() | ast.List() | ast.Starred():
            return any(
                _is_key(one, asked) for one in ast.iter_child_nodes(value) if isinstance(one, ast.expr)
            )
    return False


def _chosen(function: _Function) -> Iterator[ast.expr]:
    """What a function returns; a choice by an ``if`` before the last return counts as one expression."""
    match function.body:
        case [
            *before,
            ast.If(test=test, body=[ast.Return(value=ast.expr() as one)], orelse=[]),
            ast.Return(value=ast.expr() as other),
        ] if not any(isinstance(node, ast.Return) for part in before for node in ast.walk(part)):
            yield ast.IfExp(test=test, body=one, orelse=other)
        case _:
            yield from gives(function)


def _is_size(value: ast.expr, reading: Keeping, own: str) -> bool:
    """Whether it is an absolute value, a length, or an object that is made of one."""
    match value:
        case ast.Name(id="NotImplemented"):
            return True
        case ast.Name(id=name):
            return name != own and bool(reading.known.get(name))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _is_turned(test, body, orelse) or (
                _is_size(body, reading, own) and _is_size(orelse, reading, own)
            )
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_size(left, reading, own) and _is_size(right, reading, own)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=0.5) | ast.BinOp(op=ast.Div())):
            return own in _names(left)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _SIZES:
            return own in _names(value)
        case ast.Call(args=arguments, keywords=keywords) if _makes(value.func, own):
            given = (*arguments, *(one.value for one in keywords))
            return any(_is_size(one, reading, own) for one in given)
        case ast.ListComp(elt=one) | ast.GeneratorExp(elt=one) | ast.Starred(value=one):
            sized = isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "abs"
            return (sized and own in _names(value)) or _is_size(one, reading, own)
    return False


def _makes(func: ast.expr, own: str) -> bool:
    """Whether a call makes an object: of a class, of the class of the own object, or a plain conversion."""
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return (
                name in _UNCHANGED | {"cls", "__class__", "super", "_new", "_make"}
                or name.lstrip("_")[:1].isupper()
                or (isinstance(func, ast.Attribute) and own in _names(func.value))
            )
        case ast.Call(func=ast.Name(id="type")):
            return True
    return False


def _is_turned(test: ast.expr, body: ast.expr, orelse: ast.expr) -> bool:
    """Whether it is ``-x if x < 0 else x``, or the same the other way round."""
    match test:
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if _is_zero(right):
            below = isinstance(operator, ast.Lt | ast.LtE)
            above = isinstance(operator, ast.Gt | ast.GtE)
            turned, plain = (body, orelse) if below else (orelse, body)
            if not (isinstance(turned, ast.UnaryOp) and isinstance(turned.op, ast.USub)):
                return False
            same = ast.dump(turned.operand) == ast.dump(plain)
            return (below or above) and same and bool(_names(plain) & _names(left))
    return False


def _is_converted(value: ast.expr, reading: Keeping) -> bool:
    match value:
        case ast.Name(id="NotImplemented"):
            return True
        case ast.Call(func=ast.Name(id="round"), args=[_, ast.UnaryOp(op=ast.USub())]):
            return False  # to tens, hundreds or more
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]) if (
            name in _APPLIED
        ):
            return _is_converted(first, reading) or bool(reading.of(value))
        case ast.IfExp(body=body, orelse=orelse):
            return _is_converted(body, reading) and _is_converted(orelse, reading)
    return any(one.startswith(".") for one in reading.of(value))


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
