"""Methods by which a class gives its elements and attributes, and computes, where they are of no honest form.

A test iterates, takes an item, adds and reads attributes. An honest method gives what its object holds, or
what it makes of both objects. A person sees every other: one that counts, or gives what it is asked for.
"""

import ast
from collections.abc import Iterator

from bot.patch import conversions
from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.flow import flow, gives
from bot.patch.keeping import NOTHING, Keeping, Sources
from bot.patch.measures import results

_BINARY = words("add mul truediv floordiv mod divmod pow lshift rshift and or xor matmul concat div")
_OPERATORS = frozenset(f"__{kind}{name}__" for kind in ("", "r") for name in _BINARY)
_IN_PLACE = frozenset(f"__i{name}__" for name in (*_BINARY, "sub"))
_UNARY = words("__neg__ __invert__ __pos__")
_ELEMENTS = words("__iter__ __reversed__ __aiter__ __getitem__")
_NEXT = words("__next__ __anext__")
_ATTRIBUTES = words("__get__ __set__ __set_name__")
NAMES = (
    _OPERATORS
    | _IN_PLACE
    | _UNARY
    | _ELEMENTS
    | _NEXT
    | _ATTRIBUTES
    | conversions.NAMES
    | words("__len__ __getattr__ __setattr__ _missing_")
)
_DECORATORS = words("override abstractmethod final overload no_type_check typechecked classmethod")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def protocols(tree: ast.Module) -> Iterator[CodeFinding]:
    """The methods of no honest form, and what else takes the name of one."""
    for node in tree.body:
        if isinstance(node, _Function) and node.name == "__getattr__" and results(node.body):
            yield CodeFinding("a new __getattr__ of a module", ast.dump(node))
    for owner in ast.walk(tree):
        for member in _members(owner.body) if isinstance(owner, ast.ClassDef) else ():
            match member:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name in NAMES:
                    if not _is_honest(member):
                        yield CodeFinding(f"a new {name} of no known form", _said(member))
                case ast.Assign(targets=targets, value=value):
                    plain = all(isinstance(one, ast.Name) for one in targets)
                    for name in _bound(targets):
                        if not (plain and _is_honest_value(name, value)):
                            yield CodeFinding(f"a new {name} of no known form", name + ast.dump(value))


def _members(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What a class's body binds, also under a condition."""
    for member in body:
        yield member
        if isinstance(member, ast.If | ast.Try | ast.With | ast.For):
            yield from _members(member.body)
            yield from _members(getattr(member, "orelse", []))


class _WithoutErrors(ast.NodeTransformer):
    def visit_Raise(self, node: ast.Raise) -> ast.Pass:  # noqa: ARG002 - what it raises does not matter
        return ast.Pass()


def _said(member: ast.stmt) -> str:
    """The code of a method, whatever errors it raises."""
    copied = ast.parse(ast.unparse(member))
    return ast.dump(_WithoutErrors().visit(copied))


def _bound(targets: list[ast.expr]) -> list[str]:
    nodes = (one for target in targets for one in ast.walk(target))
    return [one.id for one in nodes if isinstance(one, ast.Name) and one.id in NAMES]


def _is_honest_value(name: str, value: ast.expr) -> bool:
    """Whether a method may be bound to ``value``: None, an operator, the same of a class, or a lambda."""
    match value:
        case ast.Constant(value=None):
            return True
        case ast.Name(id=other):
            return name in _OPERATORS and other in _OPERATORS
        case ast.Attribute(attr=attribute):
            return attribute == name
        case ast.Lambda(args=arguments, body=body):
            made = ast.FunctionDef(
                name=name, args=arguments, body=[ast.Return(value=body)], decorator_list=[], lineno=1
            )
            return _is_honest(made)
    return False


def _is_honest(function: _Function) -> bool:
    named = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if not named or not all(_last(one) in _DECORATORS for one in function.decorator_list):
        return False
    given = gives(function)
    name, own, others = function.name, named[0], named[1:]
    if name in _ATTRIBUTES:
        return False
    if name == "__setattr__":
        return _sets_what_is_given(function, others)
    if all(map(_is_refusal, given)):
        return True
    if name in _ELEMENTS | _NEXT or name == "__getattr__":
        return _gives_its_own(function, given, own)
    if name == "_missing_":
        return _finds_what_is_asked(function, others)
    reading = flow(function, {one: frozenset({one}) for one in others}, own)
    if name == "__len__":
        return all(_measures(value, reading, own) for value in given)
    if name in conversions.NAMES:
        return conversions.converts(function, reading, own, set(others))
    if name in _UNARY:
        return all(
            bool(_own_parts(reading.of(value))) and (name == "__pos__" or not _is_itself(value, own))
            for value in given
        )
    return bool(others) and _combines(function, given, reading, own, others[0])


def _is_refusal(value: ast.expr) -> bool:
    """Whether a result leaves the work to the other object, or is empty."""
    match value:
        case ast.Name(id="NotImplemented"):
            return True
        case ast.Tuple(elts=[]) | ast.List(elts=[]):
            return True
        case ast.Call(func=ast.Name(id="iter"), args=[one]):
            return _is_refusal(one)
    return False


def _gives_its_own(function: _Function, given: list[ast.expr], own: str) -> bool:
    """Whether all that a method gives is held by its object, and no arithmetic makes it."""
    reading = flow(function, {}, own, strict=function.name != "__getattr__")
    changed = {
        f".{node.target.attr}"
        for node in ast.walk(function)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute)
    } | {
        f".{target.attr}"
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp)
        for target in node.targets
        if isinstance(target, ast.Attribute)
    }
    index = function.name == "__getitem__"
    for value in given:
        kept = reading.of(value)
        if function.name in _NEXT and _is_plain(value, own) and kept & changed:
            return False
        allowed = kept or _is_refusal(value) or (index and _is_indexed(value, own))
        if not allowed or (
            _is_itself(value, own) and function.name in {"__getitem__", "__next__", "__getattr__"}
        ):
            return False
    return True


def _is_plain(value: ast.expr, own: str) -> bool:
    return isinstance(value, ast.Attribute) and _is_itself(value.value, own)


def _is_indexed(value: ast.expr, own: str) -> bool:
    """Whether it is a part of what the object holds, also a slice of it."""
    while isinstance(value, ast.Subscript | ast.Attribute | ast.Call):
        if isinstance(value, ast.Call):
            if value.args and not isinstance(value.func, ast.Attribute):
                return any(_is_indexed(one, own) for one in value.args)
            value = value.func
            continue
        inner = value.value
        if isinstance(value, ast.Subscript) and _is_plain(inner, own):
            return True
        value = inner
    return False


def _sets_what_is_given(function: _Function, others: list[str]) -> bool:
    """Whether a ``__setattr__`` hands its name and its value on, or refuses."""
    if len(others) != 2:
        return False
    reading = flow(function, {one: frozenset({one}) for one in others}, "")
    set_to: list[Sources] = []
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id="setattr") | ast.Attribute(attr="__setattr__"), args=[*_, value]):
                set_to.append(reading.of(value))
            case ast.Assign(targets=[ast.Subscript()], value=value):
                set_to.append(reading.of(value))
    refuses = any(isinstance(node, ast.Raise) for node in function.body)
    return (bool(set_to) or refuses) and all(others[1] in kept for kept in set_to)


def _finds_what_is_asked(function: _Function, others: list[str]) -> bool:
    """Whether each member that ``_missing_`` gives was found by a comparison with what is looked for."""
    conditions = [
        node for node in ast.walk(function) if isinstance(node, ast.If) and set(others) & _names(node.test)
    ]
    found = {id(one) for node in conditions for part in node.body for one in ast.walk(part)}
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None and id(node) not in found:
            empty = isinstance(node.value, ast.Constant) and node.value.value is None
            asked = isinstance(node.value, ast.Call | ast.Subscript) and set(others) & _names(node.value)
            if not empty and not asked:
                return False
    return True


def _measures(value: ast.expr, reading: Keeping, own: str) -> bool:
    """Whether a length is one of what the object holds."""
    if isinstance(value, ast.Constant):
        return value.value == 0
    return any(
        isinstance(one, ast.expr) and bool(reading.of(one)) for one in ast.walk(value)
    ) and not _is_itself(value, own)


def _combines(function: _Function, given: list[ast.expr], reading: Keeping, own: str, other: str) -> bool:
    """Whether an operator makes each result of both objects."""
    zero = {
        id(one)
        for node in ast.walk(function)
        if isinstance(node, ast.If) and _asks_for_nothing(node.test, other)
        for part in node.body
        for one in ast.walk(part)
    }
    changed = function.name in _IN_PLACE and _takes_in(function, reading, own, other)
    for value in given:
        kept = reading.of(value)
        both = bool(_own_parts(kept)) and other in kept
        if both or _is_refusal(value) or (_is_itself(value, own) and (changed or id(value) in zero)):
            continue
        return False
    return True


def _takes_in(function: _Function, reading: Keeping, own: str, other: str) -> bool:
    """Whether an object is changed by what it is given, as ``__iadd__`` does."""
    for node in ast.walk(function):
        match node:
            case ast.AugAssign(target=target, value=value) if own in _names(target):
                if other in reading.of(value):
                    return True
            case ast.Assign(targets=targets, value=value) if any(own in _names(one) for one in targets):
                if other in reading.of(value):
                    return True
            case ast.Call(func=ast.Attribute(value=value), args=arguments) if own in _names(value):
                if any(other in reading.of(one) for one in arguments):
                    return True
    return False


def _asks_for_nothing(test: ast.expr, other: str) -> bool:
    match test:
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.Eq() | ast.Is()], comparators=[ast.Constant(value=value)]
        ):
            return name == other and not value
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)):
            return name == other
    return False


def _own_parts(kept: Sources) -> Sources:
    return frozenset(one for one in kept if one.startswith(".")) or NOTHING


def _is_itself(value: ast.expr, own: str) -> bool:
    return isinstance(value, ast.Name) and value.id == own


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
