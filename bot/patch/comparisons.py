"""Methods that decide what a value equals, is smaller than, or holds, where they are not of a known form.

A test says what it expects by comparing. A class that answers a comparison without asking for the values can make
any test pass. Of the endless ways to write one, none is listed here. What is listed is how honest classes compare:
the same of both objects, ``(self.a, self.b) == (other.a, other.b)``. A person sees whatever is of no such form.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from bot.patch.dangers import words
from bot.patch.mirrored import Names, is_asked_for_type, is_mirrored, is_quiet, mentions

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

_PLAIN_DECORATORS = words("override abstractmethod final overload no_type_check typechecked")
_FIELDS = words("field ib attrib Field attr")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Finding:
    """What a person has to see, and the code that it is about, by which two are told apart."""

    reason: str
    code: str


def comparisons(tree: ast.Module) -> Iterator[Finding]:
    """The methods of no known form, the fields that are not compared, and what else takes such a name."""
    methods = {id(node): owner for owner in ast.walk(tree) if isinstance(owner, ast.ClassDef) for node in owner.body}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name in DECIDING | _NEVER:
                if name in _NEVER or not _is_known(node):
                    yield Finding(f"a new {name} of no known form", ast.dump(node))
                elif isinstance(owner := methods.get(id(node)), ast.ClassDef):
                    yield from _blind_parts(node, owner)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in DECIDING | _NEVER:
                if not _is_known_value(name, value):
                    yield Finding(f"a new {name} of no known form", ast.dump(node))
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) if (
                name in DECIDING | _NEVER
            ) and not _is_assigned(node, tree):
                yield Finding(f"{name} is set from outside", ast.dump(node))
            case ast.Call(func=function, keywords=keywords) if _last(function) in _FIELDS:
                for keyword in keywords:
                    if keyword.arg in {"compare", "eq", "cmp", "order"} and not _is_true(keyword.value):
                        yield Finding("a new field that is not compared", ast.dump(node))


def _is_assigned(target: ast.AST, tree: ast.Module) -> bool:
    """Whether ``target`` is the only one of an assignment, which is judged by what it assigns."""
    return any(isinstance(node, ast.Assign) and node.targets == [target] for node in ast.walk(tree))


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
        return bool(named) and _looks_at_itself(named[0].arg, body, stores=name == "__hash__", name=name)
    if len(named) != 2 or arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
        return False
    names = Names(named[0].arg, named[1].arg)
    if name in _EQUAL:
        return _Equality(names, equal=name == "__eq__").holds(body)
    if name in _ORDER:
        return all(_orders(value, names) for value in _results(body)) and not _stores(body)
    if name in _DIFFERENCE:
        return _takes_away(body, names)
    return _searches(body, names)


def _results(body: list[ast.stmt]) -> list[ast.expr]:
    nodes = (node for statement in body for node in ast.walk(statement))
    return [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]


def _read(value: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}


def _stores(body: list[ast.stmt]) -> bool:
    """Whether anything but a local name is bound."""
    nodes = (node for statement in body for node in ast.walk(statement))
    return any(
        isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load) for node in nodes
    )


def _is_refusal(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=constant):
            return not constant
        case ast.Name(id="NotImplemented"):
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Equality:
    """Whether a method says "equal" only where it has seen that the two have something equal."""

    names: Names
    equal: bool  # what the method answers where the two are equal

    def holds(self, body: list[ast.stmt], *, known: bool = False) -> bool:
        """Whether each result of ``body`` is honest; ``known`` says that they were seen to be equal before."""
        for statement in body:
            match statement:
                case ast.Return(value=value):
                    return value is None or self._is_honest(value, known=known)
                case ast.If(test=test, body=then, orelse=orelse):
                    if not (is_quiet(test, self.names) or self._shows(test, truth=True) or self._shows(test, truth=False)):
                        return False
                    if not self.holds(then, known=known or self._shows(test, truth=True)):
                        return False
                    otherwise = known or self._shows(test, truth=False)
                    if not self.holds(orelse, known=otherwise):
                        return False
                    known = otherwise if _leaves(then) else known
                case ast.Try(body=tried, handlers=handlers, orelse=orelse, finalbody=[]):
                    if not all(self.holds(one.body, known=False) for one in handlers):
                        return False
                    if not self.holds([*tried, *orelse], known=known):
                        return False
                case ast.Raise() | ast.Pass() | ast.Expr(value=ast.Constant()):
                    continue
                case ast.Assert(test=test):
                    if not is_quiet(test, self.names):
                        return False
                case ast.Import() | ast.ImportFrom():
                    continue
                case _:
                    return False
        return True

    def _is_honest(self, value: ast.expr, *, known: bool) -> bool:
        if isinstance(value, ast.Name) and value.id == "NotImplemented":
            return True
        if known and is_quiet(value, self.names):
            return True
        if isinstance(value, ast.IfExp) and is_quiet(value.test, self.names):
            return self._is_honest(value.body, known=known) and self._is_honest(value.orelse, known=known)
        return self._shows(value, truth=self.equal)

    def _shows(self, value: ast.expr, *, truth: bool) -> bool:
        """Whether the two are seen to be equal where ``value`` turns out to be ``truth``."""
        names = self.names
        match value:
            case ast.Constant(value=constant):
                return bool(constant) is not truth
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._shows(operand, truth=not truth)
            case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
                return self._shows(inner, truth=truth)
            case ast.BoolOp(op=operator, values=values):
                # Where "and" is true, or "or" is false, each part is.
                together = isinstance(operator, ast.And) is truth
                shown = [self._shows(one, truth=truth) for one in values]
                quiet = [is_quiet(one, names) for one in values]
                if together:
                    return any(shown) and all(map(any, zip(shown, quiet, strict=True)))
                return all(shown)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                if not is_quiet(test, names):
                    return False
                return self._shows(body, truth=truth) and self._shows(orelse, truth=truth)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
                return truth and is_mirrored(left, right, names)
            case ast.Compare(left=left, ops=[ast.NotEq() | ast.IsNot()], comparators=[right]):
                return not truth and is_mirrored(left, right, names)
            case ast.Call(func=ast.Attribute(value=owner, attr="__eq__" | "__ne__" as name), args=[ast.Name(id=one)]):
                parent = isinstance(owner, ast.Call) and _last(owner.func) == "super"
                own = isinstance(owner, ast.Name) and owner.id == names.own
                return one == names.other and (parent or own) and (name == "__eq__") is truth
        return False


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Return | ast.Raise)


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
    return not _stores(body) and all(
        _is_refusal(value) and not isinstance(value, ast.Constant)
        or _combines(value, names)
        or bool(made & {node.id for node in ast.walk(value) if isinstance(node, ast.Name)})
        for value in _results(body)
    )


def _combines(value: ast.expr, names: Names) -> bool:
    """Whether something of the one is reckoned with something of the other."""
    for node in ast.walk(value):
        match node:
            case ast.BinOp(left=left, op=ast.Sub() | ast.Add() | ast.BitAnd() | ast.BitXor(), right=right):
                sides = [{one for one in (names.own, names.other) if mentions(side, one)} for side in (left, right)]
                if sides[0] and sides[1] and len(sides[0] | sides[1]) == 2:
                    return True
            case ast.Call(func=ast.Attribute(value=owner, attr=attribute), args=arguments) if attribute in (
                *("__sub__", "__rsub__", "__add__", "__radd__", "difference", "subtract"),
            ):
                if any(mentions(one, names.other) for one in arguments) or mentions(owner, names.other):
                    return True
    return False


def _searches(body: list[ast.stmt], names: Names) -> bool:
    """Whether the values that an object holds are asked for the one that is looked for."""
    tried = any(
        isinstance(node, ast.Subscript) and mentions(node.value, names.own) and mentions(node.slice, names.other)
        for statement in body
        if isinstance(statement, ast.Try)
        for inner in statement.body
        for node in ast.walk(inner)
    )
    return not _stores(body) and all(
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


def _looks_at_itself(own: str, body: list[ast.stmt], *, stores: bool, name: str) -> bool:
    """Whether each result depends on the object; that it is false needs no reason."""
    if _stores(body) and not stores:
        return False
    bound = {
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return all(
        (name in _TRUTH and _is_refusal(value))
        or (not isinstance(value, ast.Constant) and (bool({own, *bound, "super"} & _read(value))))
        for value in _results(body)
    )


def _blind_parts(function: _Function, owner: ast.ClassDef) -> Iterator[Finding]:
    """What an equality compares of the objects, where the class computes it without a look at them."""
    if function.name not in _EQUAL:
        return
    asked = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
    for member in owner.body:
        if isinstance(member, ast.FunctionDef) and member.name in asked - DECIDING and member.args.args:
            own = member.args.args[0].arg
            results = _results(member.body)
            if results and not any(mentions(value, own) or isinstance(value, ast.Name) for value in results):
                yield Finding(f"{member.name}, by which {owner.name} compares, looks at nothing", ast.dump(member))
