"""A guess at what an expression holds, from its syntax alone.

It only ranks: no candidate is dropped because of a guess, and no type is inferred across functions.
"""

import ast
from collections.abc import Mapping
from enum import StrEnum


class Kind(StrEnum):
    """What an expression seems to hold."""

    INT = "int"
    FLOAT = "float"
    STR = "str"
    BOOL = "bool"
    NONE = "None"
    LIST = "list"
    DICT = "dict"
    SET = "set"
    TUPLE = "tuple"
    UNKNOWN = "unknown"


NUMBERS = frozenset({Kind.INT, Kind.FLOAT, Kind.UNKNOWN})
SEQUENCES = frozenset({Kind.STR, Kind.LIST, Kind.TUPLE, Kind.UNKNOWN})
COLLECTIONS = SEQUENCES | {Kind.DICT, Kind.SET}

_CALLS = {
    "len": Kind.INT, "int": Kind.INT, "ord": Kind.INT, "sum": Kind.INT, "hash": Kind.INT, "id": Kind.INT,
    "float": Kind.FLOAT, "str": Kind.STR, "repr": Kind.STR, "chr": Kind.STR, "bin": Kind.STR, "hex": Kind.STR,
    "input": Kind.STR, "format": Kind.STR, "bool": Kind.BOOL, "isinstance": Kind.BOOL, "any": Kind.BOOL,
    "all": Kind.BOOL, "callable": Kind.BOOL, "hasattr": Kind.BOOL, "list": Kind.LIST, "sorted": Kind.LIST,
    "dict": Kind.DICT, "set": Kind.SET, "frozenset": Kind.SET, "tuple": Kind.TUPLE, "Counter": Kind.DICT,
    "defaultdict": Kind.DICT,
}  # fmt: skip
_METHODS = {
    "find": Kind.INT, "rfind": Kind.INT, "index": Kind.INT, "count": Kind.INT, "split": Kind.LIST,
    "rsplit": Kind.LIST, "splitlines": Kind.LIST, "strip": Kind.STR, "lstrip": Kind.STR, "rstrip": Kind.STR,
    "lower": Kind.STR, "upper": Kind.STR, "title": Kind.STR, "capitalize": Kind.STR, "replace": Kind.STR,
    "join": Kind.STR,
    "format": Kind.STR, "startswith": Kind.BOOL, "endswith": Kind.BOOL, "isdigit": Kind.BOOL,
    "isalpha": Kind.BOOL, "issubset": Kind.BOOL,
}  # fmt: skip
_NODES: dict[type[ast.AST], Kind] = {
    ast.JoinedStr: Kind.STR,
    ast.Compare: Kind.BOOL,
    ast.List: Kind.LIST,
    ast.ListComp: Kind.LIST,
    ast.Dict: Kind.DICT,
    ast.DictComp: Kind.DICT,
    ast.Set: Kind.SET,
    ast.SetComp: Kind.SET,
    ast.Tuple: Kind.TUPLE,
}
_ANNOTATIONS = {kind.value: kind for kind in Kind} | {
    "List": Kind.LIST, "Sequence": Kind.LIST, "Dict": Kind.DICT, "Mapping": Kind.DICT, "Set": Kind.SET,
    "Tuple": Kind.TUPLE, "unknown": Kind.UNKNOWN,
}  # fmt: skip


def kind_of(node: ast.AST | None, known: dict[ast.AST, Kind] | None = None) -> Kind:
    """The kind of an expression, as far as its own syntax shows.

    ``known`` remembers kinds from one call to the next: of the expression, and of those that it follows from.
    """
    if node is None:
        return Kind.UNKNOWN
    known = {} if known is None else known
    # No recursion: a sum of a thousand terms is nested deeper than that goes.
    waiting: list[ast.AST] = [node]
    parts: list[ast.AST] = []
    while waiting:
        part = waiting.pop()
        if part not in known:
            parts.append(part)
            waiting += _deciding(part)
    for part in reversed(parts):
        known[part] = _kind_by(part, known)
    return known[node]


def _deciding(node: ast.AST) -> tuple[ast.expr, ...]:
    """The expressions whose kinds decide the kind of ``node``."""
    if isinstance(node, ast.BinOp):
        return (node.left, node.right)
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return (node.operand,)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return (node.value,)
    return ()


def _kind_by(node: ast.AST, known: Mapping[ast.AST, Kind]) -> Kind:
    """The kind of ``node``, where that of each expression that decides it is ``known``."""
    if isinstance(node, ast.BinOp):
        return _kind_of_binary(node, known[node.left], known[node.right])
    if deciding := _deciding(node):
        return known[deciding[0]]
    if isinstance(node, ast.Constant):
        return _ANNOTATIONS.get(type(node.value).__name__, Kind.NONE if node.value is None else Kind.UNKNOWN)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            return _METHODS.get(node.func.attr, Kind.UNKNOWN)
        return _CALLS.get(node.func.id, Kind.UNKNOWN) if isinstance(node.func, ast.Name) else Kind.UNKNOWN
    return Kind.BOOL if isinstance(node, ast.UnaryOp) else _NODES.get(type(node), Kind.UNKNOWN)


def kind_of_annotation(node: ast.AST | None) -> Kind:
    """The kind that an annotation names."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _ANNOTATIONS.get(node.value.partition("[")[0], Kind.UNKNOWN)
    return _ANNOTATIONS.get(node.id, Kind.UNKNOWN) if isinstance(node, ast.Name) else Kind.UNKNOWN


def _kind_of_binary(node: ast.BinOp, left: Kind, right: Kind) -> Kind:
    if isinstance(node.op, ast.Mod) and left is Kind.STR:
        return Kind.STR
    if isinstance(node.op, ast.Div):
        return Kind.FLOAT
    if isinstance(node.op, ast.FloorDiv):
        return Kind.INT
    if isinstance(node.op, ast.Mult) and {left, right} & (SEQUENCES - {Kind.UNKNOWN}):
        return right if left is Kind.INT else left
    return left if left is not Kind.UNKNOWN else right
