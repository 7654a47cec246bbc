"""What a constructor does with what it is given, and which of it a class keeps.

A class that forgets it makes all its objects equal, however honest its ``__eq__`` is.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.patch.flow import flow, pairs
from bot.patch.keeping import NOTHING, Keeping, Sources, missing

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_DEPTH = 4
_BASE = "the class above"
_MAKING = frozenset({"__init__", "__new__", "_make"})
ADDING = frozenset({"append", "extend", "add", "update", "insert", "setdefault", "appendleft", "push", "put"})


@dataclass(slots=True)
class Stored:
    """What each attribute keeps; ``_BASE`` is what is given to a class above."""

    kept: dict[str, Sources] = field(default_factory=dict)
    added: dict[str, Sources] = field(default_factory=dict)

    def store(self, name: str, kept: Sources) -> None:
        """The attribute has a new value."""
        self.kept[name] = kept

    def add(self, name: str, kept: Sources) -> None:
        """The attribute holds something more."""
        self.added[name] = self.added.get(name, NOTHING) | kept

    def of(self, name: str) -> Sources:
        """What the attribute keeps."""
        return self.kept.get(name, NOTHING) | self.added.get(name, NOTHING)

    def of_base(self) -> Sources:
        """What a class above is given."""
        return self.of(_BASE)

    @property
    def names(self) -> set[str]:
        """The attributes that are set."""
        return {*self.kept, *self.added} - {_BASE}


def stored(function: _Function, members: Mapping[str, _Function], given: Mapping[str, Sources]) -> Stored:
    """What a constructor stores of what its parameters are ``given``, also by other methods of the class."""
    return _Reader(members).read(function, given)


def parameters(function: _Function) -> list[str]:
    """The names of what a method is given, its object apart; ``*args`` and ``**kwargs`` as well."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args]
    rest = [one for one in (arguments.vararg, arguments.kwarg) if one]
    return [one.arg for one in (*named[1:], *arguments.kwonlyargs, *rest)]


class _Reader:
    def __init__(self, members: Mapping[str, _Function]) -> None:
        self._members = members
        self._depth = 0

    def read(self, function: _Function, given: Mapping[str, Sources]) -> Stored:
        named = [*function.args.posonlyargs, *function.args.args]
        own = named[0].arg if named else ""
        result = Stored()
        if own and self._depth < _DEPTH:
            self._depth += 1
            self._body(function.body, flow(function, given, own), result)
            self._depth -= 1
        return result

    def _body(self, body: list[ast.stmt], reading: Keeping, result: Stored) -> None:
        for statement in body:
            if isinstance(statement, ast.If):
                self._if(statement, reading, result)
            elif isinstance(statement, ast.For | ast.While):
                self._loop(statement.body, reading, result)
            elif isinstance(statement, ast.With):
                self._body(statement.body, reading, result)
            elif isinstance(statement, ast.Try):
                self._body([*statement.body, *statement.orelse, *statement.finalbody], reading, result)
                for one in statement.handlers:
                    if not (one.body and isinstance(one.body[-1], ast.Raise)):
                        self._also(one.body, reading, result)
            else:
                self._plain(statement, reading, result)

    def _plain(self, statement: ast.stmt, reading: Keeping, result: Stored) -> None:
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value, reading, result)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, value, reading, result)
            case ast.AugAssign(target=ast.Attribute(attr=name), value=value):
                result.add(name, reading.of(value))
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                self._expression(value, reading, result)

    def _if(self, node: ast.If, reading: Keeping, result: Stored) -> None:
        then, other = Stored(), Stored()
        self._body(node.body, reading, then)
        self._body(node.orelse, reading, other)
        asked = missing(node.test)
        tested = reading.of(asked[0]) if asked else NOTHING
        for name in {*then.kept, *other.kept}:
            absent, present = (then, other) if asked and asked[1] else (other, then)
            before = result.kept.get(name)
            one, two = (arm.kept.get(name, before) for arm in (absent, present))
            if tested and two is not None and tested <= two:
                result.store(name, two)
            elif one is None or two is None:  # the attribute may be missing, which no comparison overlooks
                raises = any(arm and isinstance(arm[-1], ast.Raise) for arm in (node.body, node.orelse))
                result.store(name, (one or two or NOTHING) if raises else NOTHING)
            else:
                result.store(name, one & two)
        for arm in (then, other):
            for name, kept in arm.added.items():
                result.add(name, kept)

    def _also(self, body: list[ast.stmt], reading: Keeping, result: Stored) -> None:
        """What may be stored instead."""
        other = Stored()
        self._body(body, reading, other)
        for name, kept in other.kept.items():
            result.store(name, kept & result.kept.get(name, kept))

    def _loop(self, body: list[ast.stmt], reading: Keeping, result: Stored) -> None:
        inner = Stored()
        self._body(body, reading, inner)
        for name in inner.names | {_BASE}:
            result.add(name, inner.of(name))

    def _assign(self, target: ast.expr, value: ast.expr, reading: Keeping, result: Stored) -> None:
        match target, value:
            case ast.Attribute(value=ast.Name(id=base), attr=name), _ if base == reading.own:
                kept = reading.of(value)
                setter = self._members.get(f"{name}.setter")
                if setter and (named := parameters(setter)):
                    self._merge(self.read(setter, {named[0]: kept}), result)
                else:
                    result.added.pop(name, None)
                    result.store(name, kept)
            case ast.Subscript(), _:
                self._item(target, value, reading, result)
            case (ast.Tuple(elts=targets), ast.Tuple(elts=values)) if len(targets) == len(values):
                for one, part in zip(targets, values, strict=True):
                    self._assign(one, part, reading, result)
            case (ast.Tuple(elts=targets), _):
                for one in targets:
                    self._assign(one, value, reading, result)
            case _:
                self._expression(value, reading, result)

    def _item(self, target: ast.Subscript, value: ast.expr, reading: Keeping, result: Stored) -> None:
        kept, key = reading.of(value), target.slice
        match target.value:
            case ast.Attribute(value=ast.Name(id=base), attr="__dict__") if isinstance(key, ast.Constant):
                if base == reading.own:
                    result.store(str(key.value), kept)
            case ast.Attribute(value=ast.Name(id=base), attr=name) if base == reading.own:
                result.add(name, kept | reading.of(key))
            case ast.Name(id=base) if base == reading.own:
                result.add(_BASE, kept | reading.of(key))

    def _expression(self, value: ast.expr, reading: Keeping, result: Stored) -> None:
        value = value.value if isinstance(value, ast.Await) else value
        if not isinstance(value, ast.Call):
            return
        given = [*value.args, *(one.value for one in value.keywords)]
        kept = NOTHING.union(*(reading.of(one) for one in given))
        match value.func:
            case ast.Name(id="setattr") | ast.Attribute(attr="__setattr__"):
                _store_by_name(value, reading, result)
            case ast.Attribute(value=ast.Name(id=base), attr=name) if base == reading.own:
                if member := self._members.get(name):
                    self._merge(self.read(member, self._handed(value, member, reading)), result)
                else:
                    result.add(_BASE, kept)
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id=base), attr="__dict__")):
                for one in value.keywords if base == reading.own else ():
                    result.store(one.arg or "**", reading.of(one.value))
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id=base), attr=name), attr=how) if (
                how in ADDING
            ):
                if base == reading.own:
                    result.add(name, kept)
            case ast.Attribute() as function if function.attr in _MAKING or _is_super(function):
                result.add(_BASE, kept)

    def _handed(self, call: ast.Call, member: _Function, reading: Keeping) -> dict[str, Sources]:
        names = parameters(member)
        found = {name: reading.of(one) for name, one in zip(names, call.args, strict=False)}
        found.update({one.arg: reading.of(one.value) for one in call.keywords if one.arg})
        return {name: found.get(name, NOTHING) for name in names}

    def _merge(self, other: Stored, result: Stored) -> None:
        for name, kept in other.kept.items():
            result.store(name, kept)
        for name, kept in other.added.items():
            result.add(name, kept)


def made(function: _Function) -> Sources | None:
    """What a ``__new__`` keeps in the object that it gives; None where it may give an older one."""
    given = {name: frozenset({name}) for name in parameters(function)}
    named = [*function.args.posonlyargs, *function.args.args]
    own = named[0].arg if named else ""
    reading = flow(function, given, "")
    makers: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name, value in pairs(target, node.value):
                    makers.setdefault(name, []).append(value)
    kept: Sources | None = None
    for node in ast.walk(function):
        if not isinstance(node, ast.Return) or node.value is None:
            continue
        values = makers.get(node.value.id, []) if isinstance(node.value, ast.Name) else [node.value]
        if not values or not all(map(_is_maker, values)):
            return None
        for one in values:
            assert isinstance(one, ast.Call)
            parts = [*one.args, *(word.value for word in one.keywords)]
            found = NOTHING.union(*(reading.of(part) for part in parts))
            kept = found if kept is None else kept & found
    stores = {
        part
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Attribute) for one in node.targets)
        for part in reading.of(node.value)
    }
    return (kept or NOTHING) | stores if own else None


def _store_by_name(call: ast.Call, reading: Keeping, result: Stored) -> None:
    texts = [str(one.value) for one in call.args if isinstance(one, ast.Constant)]
    if texts:
        result.store(texts[0], reading.of(call.args[-1]))


def _is_super(function: ast.Attribute) -> bool:
    owner = function.value
    return isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"


def _is_maker(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(attr="__new__" | "_make")):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name[:1].isupper() or name == "cls"
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
            return True
    return False
