"""Whether two expressions ask the same of two objects, as ``self.key == other.key`` does."""

import ast
from dataclasses import dataclass

from bot.patch.dangers import words

COMMON = frozenset(name for kind in (int, float, str, bytes, list, tuple, dict, set) for name in dir(kind))
"""Attributes of numbers, texts and containers."""
# What says little of an object: many have the same.
_OF_TYPE = words("__class__ __doc__ __module__ __qualname__ __name__ __slots__ denominator imag")
_CONVERSIONS = words("list tuple set frozenset sorted dict str repr int float bytes vars asdict astuple")
_ELEMENTS = words("list tuple set frozenset sorted str")
_ASKED = words("isinstance issubclass type id callable hasattr len")
BUILTINS = _CONVERSIONS | _ASKED
"""Functions by which objects are compared."""
_QUIET = (
    *(ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Tuple, ast.Load),
    *(ast.cmpop, ast.boolop, ast.unaryop, ast.IfExp),
)


@dataclass(frozen=True, slots=True)
class Names:
    """What a method calls its object and the other."""

    own: str
    other: str


def mentions(node: ast.AST, name: str) -> bool:
    """Whether ``name`` is read in ``node``, other than to ask for its type or identity."""
    asked = {id(one) for part in ast.walk(node) for one in asked_for_type(part)}
    return any(
        isinstance(one, ast.Name) and one.id == name and id(one) not in asked for one in ast.walk(node)
    )


def asked_for_type(node: ast.AST) -> list[ast.expr]:
    """What ``node`` asks only for its type or its identity."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass" | "type" | "id"), args=[first, *_]):
            return [first]
        case ast.Attribute(value=ast.Name() as value, attr="__class__"):
            return [value]
        case ast.Compare(left=left, ops=ops, comparators=others) if all(
            isinstance(op, ast.Is | ast.IsNot) for op in ops
        ):
            return [left, *others]
        case ast.Compare(left=left, comparators=[other]) if ast.dump(left) == ast.dump(other):
            return [one for side in (left, other) for one in ast.walk(side) if isinstance(one, ast.expr)]
    return []


def is_quiet(node: ast.expr) -> bool:
    """Whether a condition only asks: it calls nothing of the objects, and binds nothing."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            if not (isinstance(one.func, ast.Name) and one.func.id in _ASKED) or one.keywords:
                return False
        elif not isinstance(one, _QUIET):
            return False
    return True


def is_mirrored(left: ast.expr, right: ast.expr, names: Names) -> bool:
    """Whether the same is asked of both objects, and depends on their values.

    The other object itself may stand on one side: ``self.value == other``.
    """
    for mine, theirs in ((left, right), (right, left)):
        if not _is_telling(mine, names.own):
            continue
        if isinstance(theirs, ast.Name) and theirs.id == names.other:
            return True
        if ast.dump(_renamed(mine, names)) == ast.dump(theirs):
            return True
    return False


def _is_telling(node: ast.expr, own: str) -> bool:
    """Whether an expression says something of the value of ``own``, and nothing else has a part in it."""
    match node:
        case ast.Name(id=name):
            return name == own
        case ast.Attribute(value=value, attr=attribute):
            special = attribute.startswith("__") and attribute != "__dict__"
            return attribute not in _OF_TYPE and not special and _is_telling(value, own)
        case ast.Subscript(value=value, slice=ast.Constant()):
            return _is_telling(value, own)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute), args=[], keywords=[]):
            return name == own and (attribute not in COMMON or attribute == "items")
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[value], keywords=[]):
            if name in _ELEMENTS and (
                isinstance(value, ast.Attribute | ast.Call) and "__dict__" in ast.dump(value)
            ):
                return False  # of a namespace, these are the names alone
            if name in _ELEMENTS and isinstance(value, ast.Call) and ast.unparse(value.func) == "vars":
                return False
            return name in _CONVERSIONS and _is_telling(value, own)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            said = [_is_telling(one, own) or _is_plain(one, own) for one in elements]
            return all(said) and any(_is_telling(one, own) for one in elements)
    return False


def _is_plain(node: ast.expr, own: str) -> bool:
    """Whether it is a constant, or an attribute or the type of the object."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Attribute(value=value):
            return _is_plain(value, own)
        case ast.Call(func=ast.Name(id="type" | "len" | "id"), args=[inner], keywords=[]):
            return _is_plain(inner, own)
    return False


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: Names) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(id=self._names.other if node.id == self._names.own else node.id, ctx=node.ctx)


def _renamed(node: ast.expr, names: Names) -> ast.expr:
    """``node`` with the other object in the place of the own."""
    copied = ast.parse(ast.unparse(node), mode="eval").body
    found = _Renaming(names).visit(copied)
    assert isinstance(found, ast.expr)
    return found
