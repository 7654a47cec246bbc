"""A guess at what an expression holds, from its syntax alone.

It only ranks: no candidate is dropped because of a guess, and no type is inferred across functions.
"""

import ast
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
TEXTS = frozenset({Kind.STR, Kind.UNKNOWN})
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
_NODES: dict[type | None, Kind] = {
    ast.JoinedStr: Kind.STR, ast.Compare: Kind.BOOL, ast.List: Kind.LIST, ast.ListComp: Kind.LIST,
    ast.Dict: Kind.DICT, ast.DictComp: Kind.DICT, ast.Set: Kind.SET, ast.SetComp: Kind.SET,
    ast.Tuple: Kind.TUPLE,
}  # fmt: skip
DEEPEST = 50  # operations within operations that are looked into
_ANNOTATIONS = {kind.value: kind for kind in Kind} | {
    "List": Kind.LIST, "Sequence": Kind.LIST, "Dict": Kind.DICT, "Mapping": Kind.DICT, "Set": Kind.SET,
    "Tuple": Kind.TUPLE, "unknown": Kind.UNKNOWN,
}  # fmt: skip


def kind_of(node: ast.AST | None, depth: int = 0) -> Kind:
    """The kind of an expression, as far as its own syntax shows; ``depth`` is how deep the question is."""
    if depth > DEEPEST:
        return Kind.UNKNOWN
    match node:
        case ast.BinOp(left=left, right=right):
            return _kind_of_binary(node, kind_of(left, depth + 1), kind_of(right, depth + 1))
        case ast.UnaryOp(op=ast.Not()):
            return Kind.BOOL
        case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner, slice=ast.Slice()):
            return kind_of(inner, depth + 1)
        case ast.Constant(value=value):
            return _ANNOTATIONS.get(type(value).__name__, Kind.NONE if value is None else Kind.UNKNOWN)
        case ast.Call(func=ast.Attribute(attr=name)):
            return _METHODS.get(name, Kind.UNKNOWN)
        case ast.Call(func=ast.Name(id=name)):
            return _CALLS.get(name, Kind.UNKNOWN)
    return _NODES.get(type(node), Kind.UNKNOWN)


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
