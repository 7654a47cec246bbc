"""What a variable is used for: one that is used alike elsewhere is likelier to stand here.

``token.value`` asks for something that has a value; ``table[key]`` for something with items. What two names
have in common in their uses is evidence for one in place of the other (Wen et al., "Context-Aware Patch
Generation for Better Automated Program Repair", ICSE 2018). It only ranks.
"""

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from bot.search.kinds import Kind

if TYPE_CHECKING:
    from bot.search.operators.base import Context

SEEN, UNSEEN, SENSELESS = 1.0, 0.6, 0.15
"""What a name weighs that is used alike, one that is not, and one of which its kind forbids the use."""

_TYPES: dict[Kind, type] = {
    Kind.INT: int, Kind.FLOAT: float, Kind.STR: str, Kind.BOOL: bool, Kind.NONE: type(None),
    Kind.LIST: list, Kind.DICT: dict, Kind.SET: set, Kind.TUPLE: tuple,
}  # fmt: skip
_ITEMS, _WALKED = "__getitem__", "__iter__"


def fit(name: str, node: ast.Name, context: "Context") -> float:
    """How well the variable ``name`` fits into the place of ``node``, by what both are used for."""
    role = _role(node, context)
    if not role:
        return SEEN
    needed, kind = role.removeprefix("."), _TYPES.get(context.scopes.kind_of_name(name, node))
    if kind is not None and role.startswith(".") and not hasattr(kind, needed):
        return SENSELESS
    return SEEN if role in context.once(_roles, context.source.tree).get(name, ()) else UNSEEN


def _roles(tree: ast.AST, context: "Context") -> dict[str, set[str]]:
    """What each name of the file, and each attribute of ``self``, is used for."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if role := _role(node, context):
                found[name].add(role)
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if role := _role(node, context):
                found[f"self.{name}"].add(role)
    return found


def _role(node: ast.expr, context: "Context") -> str:
    """What is asked of a name in one place: ``.name`` for a method that it needs; empty for nothing."""
    parent = context.source.parents.get(node)
    match parent:
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.Subscript(value=value):
            return f".{_ITEMS}" if value is node else "key"
        case ast.For(iter=walked) | ast.comprehension(iter=walked) if walked is node:
            return f".{_WALKED}"
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=arguments) if node in arguments:
            return f"{name} {arguments.index(node)}"
        case ast.keyword(arg=str(name)):
            return f"keyword {name}"
    return ""
