"""What a name holds, by what it is bound to and by what is done with it: methods that only one type has."""

import ast
from collections.abc import Iterable, Iterator

from bot.search.kinds import Kind, kind_of, kind_of_annotation

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


def shown_by_assignment(node: ast.AST) -> Iterator[tuple[str, Kind]]:
    """The names that a statement or a loop binds, with the kinds that it shows."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, kind_of(node.value)
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=False)
                yield from ((left.id, kind_of(right)) for left, right in pairs if isinstance(left, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, kind_of_annotation(node.annotation)
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        match node.target, node.iter:
            case (ast.Name(id=name), ast.Call(func=ast.Name(id="range"))) | (
                ast.Tuple(elts=[ast.Name(id=name), *_]),
                ast.Call(func=ast.Name(id="enumerate")),
            ):
                yield name, Kind.INT
