"""Classes that are compared by value, and make their objects alike.

An honest ``self.amount == other.amount`` says nothing where the constructor forgets the amount, where
``amount`` is a property that gives something else, or where a key changes each time it is asked for.
"""

import ast
from collections.abc import Iterator, Mapping

from bot.patch.compared import WHOLE as _WHOLE
from bot.patch.compared import compared
from bot.patch.compared import converted as _converted
from bot.patch.constructors import Stored, made, parameters, stored
from bot.patch.finding import CodeFinding
from bot.patch.flow import flow, gives
from bot.patch.keeping import NOTHING, Sources
from bot.patch.measures import changes, results

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_DATA = frozenset({"dataclass", "attrs", "s", "define", "frozen", "mutable", "attrib", "dataclass_transform"})
_PLAIN_BASES = frozenset({"object", "ABC", "Protocol", "Generic", "Exception", "BaseException"})
_VALUES = frozenset({"int", "float", "complex", "str", "bytes", "tuple", "frozenset", "Decimal", "Fraction"})
_CONVERTERS = frozenset({"int", "float", "str", "bytes", "tuple", "list", "dict", "set", "frozenset", "bool"})


def value_classes(tree: ast.Module) -> Iterator[CodeFinding]:
    """What a person has to see of each class that is compared by value."""
    classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from _ClassReader(node, classes).read()


class _ClassReader:
    def __init__(self, node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> None:
        self._node = node
        self._members = dict(_members(node))
        self._above = list(_above(node, classes))
        self._inherited = {name: one for base in self._above for name, one in _members(base)}
        self._data = _is_data(node)

    def read(self) -> Iterator[CodeFinding]:
        name = self._node.name
        new = self._members.get("__new__")
        if new is not None:
            kept = made(new)
            if kept is None and not _only_raises(new):
                yield CodeFinding(
                    f"a new __new__ of {name} that may give an object made before", ast.dump(new)
                )
        equality = self._equality()
        if equality is None and not self._data and not self._is_derived_value():
            return
        asked = self._asked(equality) if equality else None
        if asked is not None:
            yield from self._unfaithful(asked)
        for given in sorted(self._forgotten(asked)):
            yield CodeFinding(
                f"objects of {name} may be equal whatever {given} they are given", f"{name}.{given}"
            )

    def _equality(self) -> _Function | None:
        return self._members.get("__eq__") or self._inherited.get("__eq__")

    def _is_derived_value(self) -> bool:
        return any(_last(base) in _VALUES or _is_named_tuple(base) for base in self._node.bases)

    def _asked(self, equality: _Function) -> set[str] | None:
        """The attributes that a comparison looks at whenever it holds; None for all of them."""
        waiting, found = list(compared(equality)), set[str]()
        while waiting:
            one = waiting.pop()
            if one in _WHOLE:
                return None
            if one in found:
                continue
            found.add(one)
            member = self._members.get(one) or self._inherited.get(one)
            if member is not None and member.args.args:
                own = member.args.args[0].arg
                reading = flow(member, {}, own)
                for value in gives(member):
                    kept = reading.of(value)
                    waiting += [part.lstrip(".") for part in kept if part != "."]
                    waiting += _converted(value, own) if "." in kept else ()
        return found

    def _unfaithful(self, asked: set[str]) -> Iterator[CodeFinding]:
        """Properties and methods, by which objects are compared, that give something else than is kept."""
        for name in sorted(asked & self._members.keys()):
            member = self._members[name]
            own = member.args.args[0].arg if member.args.args else ""
            values = gives(member)
            if name in {"__eq__", "__ne__"} or not values:
                continue
            reading = flow(member, {}, own)
            if (changes(member.body, own) and not _keeps_a_result(member)) or not all(
                reading.of(value) or _is_delegated(value) for value in values
            ):
                yield CodeFinding(
                    f"{name}, by which {self._node.name} compares, may say nothing of it", ast.dump(member)
                )

    def _forgotten(self, asked: set[str] | None) -> set[str]:
        given = self._given()
        constructor = self._members.get("__init__") or self._inherited.get("__init__")
        if constructor is not None:
            known = {one: frozenset({one}) for one in parameters(constructor)}
            found = stored(constructor, {**self._inherited, **self._members}, known)
            return set(known) - self._remembered(found, asked)
        if "__new__" in self._members and not self._data:
            new = self._members["__new__"]
            return set(parameters(new)) - (made(new) or NOTHING) if made(new) is not None else set()
        post = self._members.get("__post_init__") or self._members.get("__attrs_post_init__")
        if not self._data or not given:
            return set()
        fields = {name for name, plain in given.items() if plain}
        inits = {name: frozenset({name}) for name in given if name not in fields}
        found = stored(post, self._members, inits) if post else Stored()
        every = {*fields, *self._fields()}
        kept: set[str] = {name for name in fields if name not in found.names}
        for name in found.names & every:
            kept |= {one.lstrip(".") for one in found.of(name)}
        unheld = {name for name in fields if asked is not None and name not in asked}
        return set(given) - (kept - unheld)

    def _remembered(self, found: Stored, asked: set[str] | None) -> Sources:
        names = found.names if asked is None else found.names & asked
        every = NOTHING.union(*(found.of(name) for name in names))
        above = asked is None or bool(asked - found.names - self._members.keys())
        return every | (found.of_base() if above else NOTHING)

    def _given(self) -> dict[str, bool]:
        """The fields of a data class, and whether each is kept as it is given."""
        found: dict[str, bool] = {}
        for member in self._node.body:
            match member:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=value):
                    said = ast.unparse(kind)
                    if "ClassVar" in said or _has(value, "init", False):
                        continue
                    found[name] = "InitVar" not in said and not _is_converted(value)
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as value) if _last(
                    value.func
                ) in {"ib", "attrib", "field"}:
                    if not _has(value, "init", False):
                        found[name] = not _is_converted(value)
        return found

    def _fields(self) -> set[str]:
        """The fields of a data class, also those that its constructor is not given."""
        return {
            member.target.id
            for member in self._node.body
            if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name)
        }


def _members(node: ast.ClassDef) -> Iterator[tuple[str, _Function]]:
    for member in node.body:
        if isinstance(member, _Function):
            kinds = {_last(one) for one in member.decorator_list}
            yield (f"{member.name}.setter" if "setter" in kinds else member.name), member


def _above(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> Iterator[ast.ClassDef]:
    waiting, seen = [_last(base) for base in node.bases], {node.name}
    while waiting:
        name = waiting.pop(0)
        if name in classes and name not in seen:
            seen.add(name)
            yield classes[name]
            waiting += [_last(base) for base in classes[name].bases]


def _keeps_a_result(member: _Function) -> bool:
    """Whether all that a method changes is an attribute in which it keeps its result."""
    return not any(
        isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        for node in ast.walk(member)
    )


def _is_delegated(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id == "NotImplemented"


def _only_raises(function: _Function) -> bool:
    return not results(function.body)


def _is_data(node: ast.ClassDef) -> bool:
    return any(
        _last(one.func if isinstance(one, ast.Call) else one) in _DATA
        and not (isinstance(one, ast.Call) and _has(one, "eq", False))
        for one in node.decorator_list
    )


def _has(value: ast.expr | None, name: str, constant: object) -> bool:
    return isinstance(value, ast.Call) and any(
        one.arg == name and isinstance(one.value, ast.Constant) and one.value.value is constant
        for one in value.keywords
    )


def _is_converted(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and any(
        one.arg == "converter" and not (isinstance(one.value, ast.Name) and one.value.id in _CONVERTERS)
        for one in value.keywords
    )


def _is_named_tuple(base: ast.expr) -> bool:
    return isinstance(base, ast.Call) and _last(base.func) == "namedtuple"


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
