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
from bot.patch.finding import Finding
from bot.patch.mirrored import Names, is_mirrored, mentions

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
    """
)
"""They decide what others see of an object, or hand names to what sets and calls by name."""

_NAMES = DECIDING | _NEVER
_COMBINING = words("__sub__ __rsub__ __add__ __radd__ difference subtract")
_COMPARED = words("compare eq cmp order")
_PLAIN_DECORATORS = words("override abstractmethod final overload no_type_check typechecked")
_FIELDS = words("field ib attrib Field attr")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def comparisons(tree: ast.Module) -> Iterator[Finding]:
    """The methods of no known form, the fields that are not compared, and what else takes such a name."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    owners = {id(member): owner for owner in classes for member in owner.body}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name in _NAMES:
                if name in _NEVER or not _is_known(node):
                    yield Finding(f"a new {name} of no known form", ast.dump(node))
                elif id(node) in owners:
                    yield from _blind_parts(node, owners[id(node)])
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _NAMES:
                if not _is_known_value(name, value):
                    yield Finding(f"a new {name} of no known form", ast.dump(node))
            case ast.Call(func=function, keywords=keywords) if _last(function) in _FIELDS:
                if any(
                    one.arg is None or (one.arg in _COMPARED and not _is_true(one.value)) for one in keywords
                ):
                    yield Finding("a new field that is not compared", ast.dump(node))
            case _ if name := _set_from_outside(node, tree):
                yield Finding(f"{name} is set from outside", ast.dump(node))


def _set_from_outside(node: ast.AST, tree: ast.Module) -> str:
    """The name of a deciding method that ``node`` binds, other than by one assignment."""
    match node:
        case ast.Constant(value=str(name)):
            return name if name in _NAMES else ""
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            return name if name in _NAMES and not _is_assigned(node, tree) else ""
    return ""


def _is_assigned(target: ast.AST, tree: ast.Module) -> bool:
    """Whether ``target`` is the only one of an assignment to a name, which is judged by what it assigns."""
    return isinstance(target, ast.Name) and any(
        isinstance(node, ast.Assign) and node.targets == [target] for node in ast.walk(tree)
    )


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


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
    plain = all(_last(one) in _PLAIN_DECORATORS for one in function.decorator_list)
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
        return all(_orders(value, names) for value in _results(body)) and not _changes(
            body, names.own, names.other
        )
    if name in _DIFFERENCE:
        return _takes_away(body, names)
    return _searches(body, names)


def _results(body: list[ast.stmt]) -> list[ast.expr]:
    nodes = (node for statement in body for node in ast.walk(statement))
    return [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]


def _read(value: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}


def _changes(body: list[ast.stmt], *names: str) -> bool:
    """Whether anything but a local name is bound, or something is called for its effect."""
    for node in (node for statement in body for node in ast.walk(statement)):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                return True
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in names:
                return True
            case ast.Expr(value=value) if not isinstance(value, ast.Constant | ast.Subscript):
                return True
    return False


def _is_refusal(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=constant):
            return not constant
        case ast.Name(id="NotImplemented"):
            return True
    return False


def _orders(value: ast.expr, names: Names) -> bool:
    """Whether ``value`` compares the same of both, by order or by equality."""
    match value:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_orders(one, names) for one in values)
        case ast.BoolOp(op=ast.Or(), values=values):
            return all(_orders(one, names) for one in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not isinstance(operand, ast.Constant) and _orders(operand, names)
        case ast.IfExp(body=body, orelse=orelse):
            return _orders(body, names) and _orders(orelse, names)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return not isinstance(operator, ast.In | ast.NotIn) and is_mirrored(left, right, names)
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"))), args=[ast.Name(id=one)]):
            return one == names.other
    return _is_refusal(value)


def _takes_away(body: list[ast.stmt], names: Names) -> bool:
    """Whether a difference is made from both values."""
    made: set[str] = set()
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and _combines(node.value, names):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                made.update(one.id for one in targets if isinstance(one, ast.Name))
    return not _changes(body, names.own, names.other) and all(
        (_is_refusal(value) and not isinstance(value, ast.Constant))
        or _combines(value, names)
        or bool(made & _read(value))
        for value in _results(body)
    )


def _combines(value: ast.expr, names: Names) -> bool:
    """Whether a result is something of the one and something of the other, added or taken away."""
    match value:
        case ast.BinOp(left=left, op=ast.Sub() | ast.Add() | ast.BitAnd() | ast.BitXor(), right=right):
            sides = ((left, right), (right, left))
            return any(mentions(one, names.own) and mentions(another, names.other) for one, another in sides)
        case ast.UnaryOp(operand=operand):
            return _combines(operand, names)
        case ast.IfExp(body=body, orelse=orelse):
            return _combines(body, names) and _combines(orelse, names)
        case ast.Call(func=ast.Attribute(value=owner, attr=attribute), args=arguments) if (
            attribute in _COMBINING
        ):
            return any(mentions(one, names.other) for one in (owner, *arguments))
        case ast.Call(args=arguments, keywords=keywords):
            return any(_combines(one, names) for one in (*arguments, *(one.value for one in keywords)))
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return any(_combines(one, names) for one in elements)
        case ast.ListComp(elt=one) | ast.GeneratorExp(elt=one):
            return isinstance(one, ast.BinOp) and isinstance(one.op, ast.Sub)
    return False


def _searches(body: list[ast.stmt], names: Names) -> bool:
    """Whether the values that an object holds are asked for the one that is looked for."""
    tried = any(
        isinstance(node, ast.Subscript)
        and mentions(node.value, names.own)
        and mentions(node.slice, names.other)
        for statement in body
        if isinstance(statement, ast.Try)
        for inner in statement.body
        for node in ast.walk(inner)
    )
    return not _changes(body, names.own, names.other) and all(
        _is_refusal(value) or _finds(value, names) or (tried and isinstance(value, ast.Constant))
        for value in _results(body)
    )


def _finds(value: ast.expr, names: Names) -> bool:
    match value:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_finds(one, names) for one in values)
        case ast.BoolOp(op=ast.Or(), values=values):
            return all(_finds(one, names) for one in values)
        case ast.Compare(left=left, ops=[ast.In()], comparators=[right]):
            return mentions(left, names.other) and mentions(right, names.own)
        case ast.Compare(left=ast.Call(func=ast.Attribute(value=owner, attr="get" | "find"), args=[one, *_])):
            return mentions(owner, names.own) and mentions(one, names.other)
        case ast.Call(func=ast.Attribute(value=owner, attr="__contains__"), args=[one]):
            own = mentions(owner, names.own) or (isinstance(owner, ast.Call) and _last(owner.func) == "super")
            return own and mentions(one, names.other)
        case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=compared, generators=[loop])]):
            asks = isinstance(compared, ast.Compare) and isinstance(compared.ops[0], ast.Eq | ast.In | ast.Is)
            return asks and mentions(compared, names.other) and mentions(loop.iter, names.own)
        case ast.Call(func=ast.Name(id="bool"), args=[inner]):
            return _finds(inner, names)
    return False


def _looks_at_itself(own: str, body: list[ast.stmt], name: str) -> bool:
    """Whether each result depends on the object; that it is false needs no reason."""
    # A hash may be kept.
    if name != "__hash__" and _changes(body, own):
        return False
    bound = {
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return all(
        (name in _TRUTH and _is_refusal(value))
        or (not isinstance(value, ast.Constant) and bool({own, *bound, "super"} & _read(value)))
        for value in _results(body)
    )


def _blind_parts(function: _Function, owner: ast.ClassDef) -> Iterator[Finding]:
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
                blind = not any(_is_of(value, own.arg, member) for value in _results(member.body))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant()) if name in asked - stored:
                blind = True
            case _:
                continue
        if blind and (isinstance(member, ast.Assign) or _results(member.body)):
            yield Finding(f"{name}, by which {owner.name} compares, looks at nothing", ast.dump(member))


def _is_of(value: ast.expr, own: str, function: ast.FunctionDef) -> bool:
    """Whether a result mentions the object, or a name that the function binds."""
    local = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return mentions(value, own) or bool(local & _read(value)) or "super" in _read(value)
