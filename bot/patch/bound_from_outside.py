"""Special methods that a class gets by another way than a definition, and results that hold any number.

A method that is defined is judged by its form. One that is assigned, set from outside, wrapped by a
decorator or brought by a class of classes has no form that could be read.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.flow import gives

_CONSTRUCTORS = words(
    """
    __init__ __new__ __post_init__ __attrs_post_init__ __init_subclass__ __call__ __enter__ __exit__
    __aenter__ __aexit__ _generate_next_value_ __class_getitem__ __set_name__ __getstate__ __setstate__
    """
)
_PLAIN = words(
    """
    __name__ __doc__ __module__ __qualname__ __wrapped__ __dict__ __cause__ __context__ __traceback__
    __notes__ __annotations__ __signature__ __version__ __suppress_context__ __defaults__
    __kwdefaults__ __all__ __slots__
    """
)
_METACLASSES = words("ABCMeta EnumMeta EnumType type")
_DECORATORS = words("override abstractmethod final overload wraps deprecated staticmethod classmethod")
_ENDLESS = words("count cycle repeat")
_LARGE = 100


def bound_from_outside(tree: ast.Module) -> Iterator[CodeFinding]:
    """What a person has to see of such bindings."""
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef():
                yield from _of_class(node)
            case ast.Attribute(value=ast.Name(id=base), attr=name, ctx=ast.Store()) if base in classes:
                yield CodeFinding(f"the class {base} is changed from outside", f"{base}.{name}")
            case ast.Attribute(attr=name, ctx=ast.Store()) if _is_special(name):
                yield CodeFinding(f"{name} is set from outside", ast.dump(node))
            case ast.Call():
                yield from _of_call(node)
            case ast.FunctionDef():
                yield from _endless(node)


def _of_call(node: ast.Call) -> Iterator[CodeFinding]:
    match node:
        case ast.Call(func=ast.Name(id="setattr") | ast.Attribute(attr="__setattr__"), args=given):
            for one in given:
                name = str(one.value) if isinstance(one, ast.Constant) else ""
                if _is_special(name):
                    yield CodeFinding(f"{name} is set from outside", ast.dump(node))
        case ast.Call(func=ast.Attribute(attr="push"), args=[ast.Lambda(body=body)]):
            if not (isinstance(body, ast.Constant) and not body.value):
                yield CodeFinding("a new context that may swallow every exception", ast.dump(node))


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _PLAIN


def _of_class(node: ast.ClassDef) -> Iterator[CodeFinding]:
    for keyword in node.keywords:
        if keyword.arg == "metaclass" and _last(keyword.value) not in _METACLASSES:
            yield CodeFinding(f"a new class of the class {node.name}", node.name + ast.dump(keyword.value))
    for member in node.body:
        yield from _of_member(member, node.name)


def _of_member(member: ast.stmt, owner: str) -> Iterator[CodeFinding]:
    match member:
        case ast.FunctionDef(name="_generate_next_value_"):
            given = {one.arg for one in (*member.args.posonlyargs, *member.args.args)}
            if not all(given & _names(value) for value in gives(member)):
                yield CodeFinding("a new _generate_next_value_ of one value", ast.dump(member))
        case ast.FunctionDef(name=name, decorator_list=decorators) if name in _CONSTRUCTORS:
            for one in decorators:
                if _last(one.func if isinstance(one, ast.Call) else one) not in _DECORATORS:
                    yield CodeFinding(f"a new decorator of {owner}.{name}", ast.dump(one))
        case ast.Assign(targets=targets, value=value):
            for one in targets:
                if isinstance(one, ast.Name) and one.id in _CONSTRUCTORS and not _is_same(one.id, value):
                    yield CodeFinding(f"{one.id} is set from outside", ast.dump(member))


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _is_same(name: str, value: ast.expr) -> bool:
    """Whether it is None, or the same method of a class."""
    return isinstance(value, ast.Constant) or (isinstance(value, ast.Attribute) and value.attr == name)


def _endless(function: ast.FunctionDef) -> Iterator[CodeFinding]:
    """Results that hold whatever a test looks for in them."""
    for value in gives(function):
        for call in ast.walk(value):
            if isinstance(call, ast.Call) and _holds_any(call) and _is_whole(value, call):
                yield CodeFinding(f"{function.name} gives all of a long range", ast.dump(value))
    counted = {
        node.target.id
        for node in ast.walk(function)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.While) and isinstance(node.test, ast.Constant):
            for one in ast.walk(node):
                if isinstance(one, ast.Yield) and isinstance(one.value, ast.Name) and one.value.id in counted:
                    yield CodeFinding(f"{function.name} gives all of a long range", ast.dump(node))


def _is_whole(value: ast.expr, call: ast.Call) -> bool:
    """Whether the result is what ``call`` gives, perhaps in a container."""
    while value is not call:
        if not (isinstance(value, ast.Call) and len(value.args) == 1 and isinstance(value.func, ast.Name)):
            return False
        if value.func.id not in {"list", "tuple", "set", "frozenset", "iter", "sorted"}:
            return False
        value = value.args[0]
    return True


def _holds_any(call: ast.Call) -> bool:
    name = _last(call.func)
    if name in _ENDLESS:
        library = isinstance(call.func, ast.Name) or ast.unparse(call.func).startswith("itertools.")
        return library and not (name == "repeat" and len(call.args) > 1)
    numbers = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, int)]
    return name == "range" and any(one > _LARGE for one in numbers)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
