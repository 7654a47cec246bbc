"""Which expressions set attributes, give a class, hang on others, or reach an attribute through ``vars(x)``.

A copy of a namespace is a dictionary like any other, and nobody can follow which of its names is read. So a
person sees every use of ``vars(x)`` and ``x.__dict__`` that is of no harmless form: an item of a constant
name, a comparison, the names alone, and what a method does with its own object.
"""

import ast
from collections.abc import Iterator

from bot.patch.policy.dangers import words
from bot.patch.policy.finding import CodeFinding
from bot.patch.policy.names.scopes import Function, own_names
from bot.patch.syntax import children, last_name

ANCESTORS = words("__mro__ __bases__ __base__ mro __subclasses__")
_ASKING = words("get pop setdefault __contains__")
_NAMES_ONLY = words("list tuple set frozenset sorted len bool str repr iter any all hash id print format")


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


def namespaces(
    node: ast.AST, above: tuple[ast.AST, ...] = (), own: frozenset[str] = frozenset()
) -> Iterator[CodeFinding]:
    """Each use of a namespace in ``node`` that a person has to see; ``own`` are the methods' own objects."""
    if isinstance(node, ast.ClassDef):
        own = frozenset()
    elif isinstance(node, Function):
        own = own_names(node, own, in_class=bool(above) and isinstance(above[-1], ast.ClassDef))
    value = namespace_of(node)
    is_own = isinstance(value, ast.Name) and value.id in own
    if value is None:
        found = _is_named(node, above)
    else:
        found = not (_only_reads_names(node, above) or (is_own and not _asks_for_a_name(above)))
    if found:
        yield CodeFinding("a new use of vars or __dict__ that may read any attribute", ast.dump(above[-1]))
    for child in children(node):
        yield from namespaces(child, (*above, node), own)


def namespace_of(node: ast.AST) -> ast.expr | None:
    """What ``node`` is the namespace of; None where it is none."""
    match node:
        case (
            ast.Attribute(value=value, attr="__dict__")
            | ast.Call(func=ast.Name(id="vars"), args=[value])
            | ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value="__dict__"), *_])
        ):
            return value
    return None


def _only_reads_names(node: ast.AST, above: tuple[ast.AST, ...]) -> bool:
    match above[-1]:
        case ast.Subscript(value=space) if space is node:
            # What a constant names is judged by its name, and a computed one is for a person anyway.
            return not (isinstance(node, ast.Call) and len(node.args) > 1)
        case ast.Attribute(attr="keys" | "__len__" | "__repr__"):
            return True
        case ast.Attribute(attr=method) if method in _ASKING:
            call = above[-2] if len(above) > 1 else None
            return isinstance(call, ast.Call) and bool(call.args) and isinstance(call.args[0], ast.Constant)
        case ast.Compare() | ast.FormattedValue() | ast.UnaryOp(op=ast.Not()) | ast.Expr():
            return True
        case ast.Call(func=ast.Name(id=name) as function):
            return name in _NAMES_ONLY and function is not node
        case ast.For(iter=value) | ast.comprehension(iter=value):
            return value is node
    return False


def _asks_for_a_name(above: tuple[ast.AST, ...]) -> bool:
    """Whether a copy of the namespace is asked for a computed name in the same expression."""
    for one in reversed(above):
        match one:
            case ast.Subscript(slice=key) if not isinstance(key, ast.Constant):
                return True
            case ast.Attribute(attr=method) if method in _ASKING:
                return True
            case ast.stmt():
                return False
    return False


def _is_named(node: ast.AST, above: tuple[ast.AST, ...]) -> bool:
    """Whether a pattern or a string names a namespace, for a function that takes it from an object."""
    match node:
        case ast.MatchClass(kwd_attrs=names):
            return "__dict__" in names
        case ast.Constant(value=str(text)) if "__dict__" in text.split("."):
            if isinstance(above[-1], ast.Call):
                function = above[-1].func
                return not (isinstance(function, ast.Name) and function.id in {"hasattr", "getattr"})
            return not isinstance(above[-1], ast.Tuple | ast.List | ast.Set | ast.Compare | ast.Expr)
    return False
