"""Classes that are compared by value: a change must not make their objects forget what they are given.

An honest ``self.amount == other.amount`` says nothing where the constructor forgets the amount, or where
``amount`` is a property that gives something else. So a person sees each change of a member by which objects
are made or compared, unless it can be seen to keep what was kept.
"""

import ast
from collections.abc import Iterator, Mapping
from copy import deepcopy

from bot.patch.policy.classes.special_methods import (
    COMPARING,
    Function,
    asked,
    classes,
    is_quiet,
    is_special,
    said,
)
from bot.patch.policy.classes.statements import FIELDS, VALUES, bound_in
from bot.patch.policy.dangers import words
from bot.patch.syntax import last_name

_DATA = words("dataclass attrs s define frozen mutable")
_MAKING = words("__init__ __post_init__ __attrs_post_init__")
_WHOLE = words("__dict__ items _asdict astuple asdict") | {""}
_CONVERTERS = words("int float str bytes tuple list dict set frozenset")


def compared_classes(before: ast.Module, after: ast.Module) -> Iterator[str]:
    """The members by which objects are compared that ``after`` has otherwise than ``before``."""
    known, now = dict(classes(before)), dict(classes(after))
    by_name: dict[str, list[ast.ClassDef]] = {}
    for node in now.values():
        by_name.setdefault(node.name, []).append(node)
    for place, node in now.items():
        found = _Compared(node, by_name)
        if found.is_compared:
            yield from found.changed(known.get(place))


class _Compared:
    """One class with those above it in the file, and by what its objects are compared."""

    def __init__(self, node: ast.ClassDef, by_name: Mapping[str, list[ast.ClassDef]]) -> None:
        family = [node, *_above(node, by_name)]
        methods = [one for part in family for one in part.body if isinstance(one, Function)]
        self._node = node
        deciding = [one for one in methods if one.name in COMPARING]
        self._data = any(_is_data(part) for part in family)
        derived = any(last_name(base) in VALUES or isinstance(base, ast.Call) for base in node.bases)
        self.is_compared = bool(deciding) or self._data or derived
        self._compared_by = _compared_by(deciding, methods)
        if self._data or not deciding or self._compared_by & _WHOLE:
            self._compared_by |= {name for part in family for name in _fields(part)} | {"__dict__"}

    def changed(self, old: ast.ClassDef | None) -> Iterator[str]:
        """Why a person has to see the class, which was ``old`` before."""
        was = {_key(one): one for one in (old.body if old else ()) if isinstance(one, Function)}
        values = {ast.dump(one) for one in (old.body if old else ())}
        for member in self._node.body:
            if (
                _is_made(member)
                and self._compared_by.intersection(bound_in(member))
                and ast.dump(member) not in values
            ):
                yield f"an attribute by which {self._node.name} is compared is made by a call"
            if not isinstance(member, Function) or is_special(member.name):
                continue  # a person sees a special method anyway
            if member.name in _MAKING | self._compared_by and not _keeps(
                was.get(_key(member)), member, self._compared_by
            ):
                yield f"{self._node.name}.{member.name}, by which objects are compared, may forget something"
        kinds, before = _kinds(self._node), _kinds(old) if old else []
        if self._data and kinds != before and any("InitVar" in one for one in kinds):
            yield f"a new field of {self._node.name} that is not kept"


def _is_made(member: ast.stmt) -> bool:
    """Whether a class's body binds an attribute to what a call makes, as a property is; fields apart."""
    match member:
        case ast.Assign(value=ast.Call(func=made)) | ast.AnnAssign(value=ast.Call(func=made)):
            return last_name(made) not in FIELDS
    return False


def _key(function: Function) -> str:
    return function.name + "".join(sorted(map(ast.dump, function.decorator_list)))


def _kinds(node: ast.ClassDef) -> list[str]:
    return [ast.unparse(one.annotation) for one in node.body if isinstance(one, ast.AnnAssign)]


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for member in node.body:
        match member:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield name


def _is_data(node: ast.ClassDef) -> bool:
    makers = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return any(last_name(one) in _DATA for one in makers)


def _above(node: ast.ClassDef, by_name: Mapping[str, list[ast.ClassDef]]) -> Iterator[ast.ClassDef]:
    waiting, seen = [last_name(base) for base in node.bases], {node.name}
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            for one in by_name.get(name, ()):
                yield one
                waiting += [last_name(base) for base in one.bases]


def _compared_by(deciding: list[Function], methods: list[Function]) -> set[str]:
    """The attributes and methods by which objects are compared, also by way of others."""
    waiting = {attribute for one in deciding for attribute in asked(one)}
    for one in deciding:  # ``str(self) == str(other)``
        waiting |= {name for name in ("str", "repr", "iter") if f"{name}(" in ast.unparse(one)}
        waiting |= {f"__{name}__" for name in waiting & {"str", "repr", "iter"}}
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= {one for method in methods if method.name == name for one in asked(method)} - found
    return found


def _keeps(old: Function | None, new: Function, names: set[str]) -> bool:
    """Whether a changed method keeps of what it is given what it kept before.

    Only values that it stores may differ, each by a form that loses nothing. Stores of attributes that are
    not compared do not count.
    """
    if old is None or said(old) == said(new):
        return old is not None
    before, after = _Stores(names), _Stores(names)
    if said(before.visit(_without_defaults(old))) != said(after.visit(_without_defaults(new))):
        return False
    return len(before.values) == len(after.values) and all(
        ast.dump(one) == ast.dump(another) or (_kept(one) != "" and _kept(one) == _kept(another))
        for one, another in zip(before.values, after.values, strict=True)
    )


def _without_defaults(function: Function) -> ast.AST:
    found = deepcopy(function)
    found.args.defaults, found.args.kw_defaults = [], [None for _ in found.args.kwonlyargs]
    return found


class _Stores(ast.NodeTransformer):
    """Takes the stored values out of a method; ``names`` are the attributes that are compared."""

    def __init__(self, names: set[str]) -> None:
        self.values: list[ast.expr] = []
        self._compared_by = names

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(), attr=name)], value=value):
                if name not in self._compared_by and "__dict__" not in self._compared_by and is_quiet(value):
                    return None
                self.values.append(value)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                if len(targets) != len(values):
                    return node
                self.values += values
            case _:
                return node
        return ast.Assign(targets=node.targets, value=ast.Constant(value=...), lineno=node.lineno)


def _kept(value: ast.expr) -> str:
    """The name of which ``value`` keeps everything; empty for anything else."""
    match value:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Name(id=maker), args=[inner], keywords=[]) if maker in _CONVERTERS:
            return _kept(inner)
        case ast.BoolOp(op=ast.Or(), values=[inner, ast.Constant() | ast.List(elts=[]) | ast.Dict(keys=[])]):
            return _kept(inner)
    return ""
