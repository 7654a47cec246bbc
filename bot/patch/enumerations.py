"""Enumerations whose members may be one and the same: made by a call, or with values that nobody wrote."""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.syntax import last_name

_KINDS = words("Enum IntEnum StrEnum Flag IntFlag ReprEnum")


def enumerations(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each enumeration that is made by a call, and each value of a member that is not what is given."""
    kinds = _KINDS | {
        one.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "enum"
        for one in node.names
        if one.asname
    }
    kinds = kinds | {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and any(last_name(base) in kinds for base in node.bases)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=func, args=[_, _, *_]) if last_name(func) in kinds:
                yield CodeFinding("a new enumeration by a call", ast.dump(node))
            case ast.Call(func=func, keywords=named) if last_name(func) in kinds and any(
                one.arg in {"names", None} for one in named
            ):
                yield CodeFinding("a new enumeration by a call", ast.dump(node))
            case ast.FunctionDef(name="__new__", args=arguments):
                given = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
                for value in _values(node):
                    if not (isinstance(value, ast.Name) and value.id in given):
                        yield CodeFinding("a member's value that is not what is given", ast.dump(node))


def _values(function: ast.FunctionDef) -> Iterator[ast.expr | None]:
    """What the values of members are set to."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
                    if any(isinstance(one, ast.Attribute) and one.attr == "_value_" for one in parts):
                        yield value if parts == [target] else None
            case (
                ast.AugAssign(target=ast.Attribute(attr="_value_"))
                | ast.Call(args=[_, ast.Constant(value="_value_"), *_])
            ):
                yield None
