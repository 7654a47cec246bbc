"""What a name holds by what is done with it: a method of one type only, a constant on the other side."""

import ast
from collections.abc import Iterable, Iterator

from bot.search.kinds import Kind, kind_of

_BUILTIN: dict[Kind, type] = {Kind.STR: str, Kind.LIST: list, Kind.DICT: dict, Kind.SET: set}
_SHARED = frozenset({"replace", "get", "format", "translate"})  # times, clients and others have them too
_OWN: dict[str, Kind] = {
    name: kind
    for kind, made in _BUILTIN.items()
    for name in {*dir(made)} - _SHARED
    if not any(hasattr(other, name) for other in _BUILTIN.values() if other is not made)
}
"""Methods that one built-in type has and no other."""

_OTHERS = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
_DECISIVE = frozenset({Kind.STR, Kind.INT, Kind.FLOAT})


def shown_by_use(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, Kind]]:
    """The names of a scope with the kind that one use of each shows, in text order."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _OWN:
                yield name, _OWN[method]
            case ast.Compare(left=left, ops=[op], comparators=[right]) if not isinstance(op, _OTHERS):
                yield from _by_other_side(left, right)
            case ast.BinOp(left=left, op=ast.Sub() | ast.FloorDiv() | ast.Pow(), right=right):
                yield from _by_other_side(left, right)


def _by_other_side(left: ast.expr, right: ast.expr) -> Iterator[tuple[str, Kind]]:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ast.Name) and isinstance(other, (ast.Constant, ast.JoinedStr)):
            kind = kind_of(other)
            if kind in _DECISIVE:
                yield one.id, kind
