"""Where code sets attributes, or changes what an object holds, and what methods call their own object."""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.namespaces import namespace_of

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_CHANGING = words("setattr delattr")
_CHANGING_ITEMS = words(
    """
    update pop popitem setdefault clear append extend insert remove sort reverse add discard __setitem__
    __delitem__ __ior__ __iadd__
    """
)
_BY_METHOD = words("__setattr__ __delattr__")


def changing_methods(tree: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    """Methods that set attributes of their object, or read its namespace, and the classes that have them."""
    found: dict[str, set[str]] = {}
    for owner in ast.walk(tree):
        for method in owner.body if isinstance(owner, ast.ClassDef) else ():
            if isinstance(owner, ast.ClassDef) and isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                own = next(iter(own_names(method, frozenset(), in_class=True)), "")
                kinds = {one.id for one in method.decorator_list if isinstance(one, ast.Name)}
                if own and "classmethod" not in kinds and _changes(method, own):
                    found.setdefault(method.name, set()).add(owner.name)
    return ((name, frozenset(classes)) for name, classes in found.items())


def _changes(method: ast.AST, own: str) -> bool:
    for node in ast.walk(method):
        if any(isinstance(base, ast.Name) and base.id == own for base, _ in set_attributes(node)):
            return True
        space = namespace_of(node)
        if isinstance(space, ast.Name) and space.id == own:
            return True
    return False


def own_names(function: Function, around: frozenset[str], *, in_class: bool) -> frozenset[str]:
    """What the methods at this place call their own object."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    others = {*(one.arg for one in arguments), *(one.arg for one in function.args.kwonlyargs)}
    if isinstance(function, ast.Lambda) or not in_class:
        return around - others
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list)
    return frozenset(one.arg for one in arguments[:1]) if not static else frozenset()


def set_attributes(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """The objects of which ``node`` sets or deletes an attribute, and the attribute's name."""
    match node:
        case ast.Attribute(value=base, attr=name, ctx=ast.Store() | ast.Del()):
            yield base, name
        case ast.Subscript(value=space, slice=key, ctx=ast.Store() | ast.Del()):
            if (owner := namespace_of(space)) is not None:
                yield owner, _constant([key])
        case ast.Call(func=ast.Name(id=function), args=[base, *rest]) if function in _CHANGING:
            yield base, _constant(rest)
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=arguments) if method in _BY_METHOD:
            # object.__setattr__(x, "name", 1), or x.__setattr__("name", 1)
            if len(arguments) >= (3 if method == "__setattr__" else 2):
                yield arguments[0], _constant(arguments[1:])
            elif not (
                isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"
            ):
                yield owner, _constant(arguments)


def changed_items(node: ast.AST) -> Iterator[ast.expr]:
    """The objects of which ``node`` changes what they hold."""
    match node:
        case (
            ast.Subscript(value=base, ctx=ast.Store() | ast.Del()) | ast.AugAssign(target=ast.Name() as base)
        ):
            yield base
        case ast.Call(func=ast.Attribute(value=base, attr=method)) if method in _CHANGING_ITEMS:
            yield base


def _constant(arguments: list[ast.expr]) -> str:
    first = arguments[0] if arguments else None
    return str(first.value) if isinstance(first, ast.Constant) else "?"
