"""Which expressions set attributes, give a class, and hang on others."""

import ast
from collections.abc import Iterator

from bot.patch.policy.dangers import words
from bot.patch.policy.objects.namespaces import namespace_of
from bot.patch.syntax import last_name

ANCESTORS = words("__mro__ __bases__ __base__ mro __subclasses__")


def set_attributes(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """The objects of which ``node`` sets or deletes an attribute, and the attribute's name."""
    match node:
        case ast.Attribute(value=base, attr=name, ctx=ast.Store() | ast.Del()):
            yield base, name
        case ast.Subscript(value=space, slice=key, ctx=ast.Store() | ast.Del()):
            if (owner := namespace_of(space)) is not None:
                yield owner, _constant([key])
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[base, *rest]):
            yield base, _constant(rest)
        case ast.Call(
            func=ast.Attribute(value=owner, attr="__setattr__" | "__delattr__" as method), args=given
        ):
            # object.__setattr__(x, "name", 1), or x.__setattr__("name", 1)
            if len(given) >= (3 if method == "__setattr__" else 2):
                yield given[0], _constant(given[1:])
            elif not (isinstance(owner, ast.Call) and last_name(owner.func) == "super"):
                yield owner, _constant(given)


def _constant(arguments: list[ast.expr]) -> str:
    first = arguments[0] if arguments else None
    return str(first.value) if isinstance(first, ast.Constant) else "?"


def chain(node: ast.expr) -> Iterator[ast.expr]:
    """``node`` and what its attributes and items hang on."""
    while True:
        yield node
        if isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and class_of(node) is not None:
            node = node.args[0]
        elif isinstance(node, ast.Call) and last_name(node.func) in ANCESTORS:
            node = node.func
        else:
            return


def class_of(node: ast.AST) -> ast.expr | None:
    """The object whose class ``node`` gives."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[owner], keywords=[]):
            return owner
        case ast.Attribute(value=owner, attr="__class__", ctx=ast.Load()):
            return owner
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value="__class__"), *_]):
            return owner
    return None
