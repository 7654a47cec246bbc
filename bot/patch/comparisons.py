"""Methods that decide what a value equals, is smaller than, or holds, where they are not of a known form.

A test says what it expects by comparing. A class that answers a comparison without asking for the values can
make any test pass. Of the endless ways to write one, none is listed here. What is listed is how honest
classes compare: the same of both objects, ``(self.a, self.b) == (other.a, other.b)``. A person sees what
is of no such form.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.equality import Equality
from bot.patch.finding import CodeFinding
from bot.patch.measures import changes, is_refusal, orders, read, results, searches, takes_away
from bot.patch.mirrored import BUILTINS, Names, mentions
from bot.patch.syntax import last_name

_EQUAL = words("__eq__ __ne__")
_ORDER = words("__lt__ __le__ __gt__ __ge__")
_DIFFERENCE = words("__sub__ __rsub__")
_NUMBER = words(
    "__abs__ __float__ __int__ __index__ __complex__ __round__ __trunc__ __floor__ __ceil__ __hash__"
)
_TRUTH = words("__bool__ __nonzero__")
DECIDING = _EQUAL | _ORDER | _DIFFERENCE | _NUMBER | _TRUTH | {"__contains__"}
_NEVER = words(
    """
    __instancecheck__ __subclasscheck__ __subclasshook__ __class__ __cmp__ __reduce__ __reduce_ex__
    __getstate__ __getnewargs__ __getnewargs_ex__ __getattribute__ __mro_entries__ __prepare__
    __array_ufunc__ __array_function__ __array_wrap__ __array_finalize__ __del__
    __array__ __array_interface__ __array_struct__ __array_priority__
    """
)
"""They decide what others see of an object, or hand names to what sets and calls by name."""

_NAMES = DECIDING | _NEVER
_COMPARED = words("compare eq cmp order")
_PLAIN_DECORATORS = words("override abstractmethod final overload no_type_check typechecked")
_FIELDS = words("field ib attrib Field attr")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def comparisons(tree: ast.Module) -> Iterator[CodeFinding]:
    """The methods of no known form, the fields that are not compared, and what else takes such a name."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    owners = {id(member): owner for owner in classes for member in owner.body}
    yield from _shadowed(tree)
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name in _NAMES:
                if name in _NEVER or not _is_known(node):
                    yield CodeFinding(f"a new {name} of no known form", ast.dump(node))
                elif id(node) in owners:
                    yield from _blind_parts(node, owners[id(node)])
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _NAMES:
                if not _is_known_value(name, value):
                    yield CodeFinding(f"a new {name} of no known form", ast.dump(node))
            case ast.Call(func=function, keywords=keywords) if last_name(function) in _FIELDS:
                if any(
                    one.arg is None or (one.arg in _COMPARED and not _is_true(one.value)) for one in keywords
                ):
                    yield CodeFinding("a new field that is not compared", ast.dump(node))
            case _ if name := _set_from_outside(node, tree):
                yield CodeFinding(f"{name} is set from outside", ast.dump(node))


def _shadowed(tree: ast.Module) -> Iterator[CodeFinding]:
    """What takes the place of a builtin by which a method compares."""
    methods = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in DECIDING)
    used = {one.id for method in methods for one in ast.walk(method) if isinstance(one, ast.Name)}
    for node in tree.body:
        if isinstance(node, _Function | ast.ClassDef) and node.name in used & BUILTINS:
            yield CodeFinding(f"{node.name}, by which a class compares, is defined anew", ast.dump(node))


def _set_from_outside(node: ast.AST, tree: ast.Module) -> str:
    """The name of a deciding method that ``node`` binds, other than by one assignment."""
    match node:
        # in __slots__, as an argument, as the key of a class's namespace
        case ast.Assign(
            targets=[ast.Name(id="__slots__")], value=ast.Tuple(elts=named) | ast.List(elts=named)
        ):
            return _named(named)
        case ast.Call(func=function, args=named) if last_name(function) not in {"getattr", "hasattr"}:
            return _named(named)
        case ast.Dict(keys=keys):
            return _named([key for key in keys if key])
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            return name if name in _NAMES and not _is_assigned(node, tree) else ""
    return ""


def _named(values: list[ast.expr]) -> str:
    texts = (one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str))
    return next((str(text) for text in texts if text in _NAMES), "")


def _is_assigned(target: ast.AST, tree: ast.Module) -> bool:
    """Whether ``target`` is the only one of an assignment to a name, which is judged by what it assigns."""
    return isinstance(target, ast.Name) and any(
        isinstance(node, ast.Assign) and node.targets == [target] for node in ast.walk(tree)
    )


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (True, None)


def _is_known_value(name: str, value: ast.expr) -> bool:
    """Whether a method may be bound to ``value``: None, the same method of a class, or an honest lambda."""
    match value:
        case ast.Constant(value=None):
            return True
        case ast.Attribute(attr=attribute):
            return attribute == name and name not in _EQUAL
        case ast.Lambda(args=arguments, body=body):
            return _is_honest(name, arguments, [ast.Return(value=body)])
    return False


def _is_known(function: _Function) -> bool:
    if isinstance(function, ast.AsyncFunctionDef) or any(
        isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)
    ):
        return False  # what it gives is an object, which is true
    plain = all(last_name(one) in _PLAIN_DECORATORS for one in function.decorator_list)
    return plain and _is_honest(function.name, function.args, function.body)


def _is_honest(name: str, arguments: ast.arguments, body: list[ast.stmt]) -> bool:
    named = [*arguments.posonlyargs, *arguments.args]
    if name in _TRUTH | _NUMBER:
        return bool(named) and _looks_at_itself(named[0].arg, body, name)
    if len(named) != 2 or arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
        return False
    names = Names(named[0].arg, named[1].arg)
    if name in _EQUAL:
        return Equality(names, answer=name == "__eq__").holds(body)
    if name in _ORDER:
        return all(orders(value, names) for value in results(body)) and not changes(
            body, names.own, names.other
        )
    if name in _DIFFERENCE:
        return takes_away(body, names)
    return searches(body, names)


def _looks_at_itself(own: str, body: list[ast.stmt], name: str) -> bool:
    """Whether each result depends on the object; that it is false needs no reason."""
    # A hash may be kept.
    if name != "__hash__" and changes(body, own):
        return False
    bound = {
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return all(
        (name in _TRUTH and is_refusal(value))
        or (not isinstance(value, ast.Constant) and bool({own, *bound, "super"} & read(value)))
        for value in results(body)
    )


def _blind_parts(function: _Function, owner: ast.ClassDef) -> Iterator[CodeFinding]:
    """What an equality compares of the objects, where the class makes it without a look at them."""
    if function.name not in _EQUAL:
        return
    asked = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)} - DECIDING
    nodes = list(ast.walk(owner))
    stored = {
        node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    for member in owner.body:
        match member:
            case ast.FunctionDef(name=name, args=ast.arguments(args=[own, *_])) if name in asked:
                blind = not any(_is_of(value, own.arg, member) for value in results(member.body))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in asked - stored:
                blind = _is_for_all(value)
            case _:
                continue
        if blind and (isinstance(member, ast.Assign) or results(member.body)):
            yield CodeFinding(f"{name}, by which {owner.name} compares, looks at nothing", ast.dump(member))


def _is_for_all(value: ast.expr) -> bool:
    """Whether each object of a class has this value: a constant, or a property that does not look at it."""
    match value:
        case ast.Call(
            func=ast.Name(id="property"), args=[ast.Lambda(args=ast.arguments(args=[own]), body=body)]
        ):
            return not mentions(body, own.arg)
    return isinstance(value, ast.Constant)


def _is_of(value: ast.expr, own: str, function: ast.FunctionDef) -> bool:
    """Whether a result mentions the object, or a name that the function binds."""
    local = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return mentions(value, own) or bool(local & read(value)) or "super" in read(value)
