"""Classes that are compared by value: a change must not make their objects forget what they are given.

An honest ``self.amount == other.amount`` says nothing where the constructor forgets the amount, or where
``amount`` is a property that gives something else. So a person sees each change of a member by which objects
are made or compared, but of the errors that it raises.
"""

import ast
from collections.abc import Iterator, Mapping

from bot.patch.policy.classes.ancestors import ancestors
from bot.patch.policy.classes.special_methods import (
    COMPARING,
    asked,
    classes,
    is_special,
    said,
)
from bot.patch.policy.classes.statements import FIELDS, VALUES, bound_in
from bot.patch.policy.dangers import words
from bot.patch.syntax import Function, decorator_name, last_name

_DATA = words("dataclass attrs s define frozen mutable")
_HOLDING = words(
    """
    list dict set bytearray deque OrderedDict defaultdict Counter UserList UserDict UserString Mapping
    MutableMapping Set MutableSet SimpleNamespace NamedTuple BaseModel Struct
    """
)
"""Types whose objects are compared by what they hold, also where a class below forgets it."""
_HELD = words("data items _UserList__cast _from_iterable")
"""Members of such types by which Python's own equalities compare."""
_MAKING = words("__init__ __post_init__ __attrs_post_init__")
_WHOLE = words("__dict__ items _asdict astuple asdict") | {""}


def compared_classes(before: ast.Module, after: ast.Module) -> Iterator[str]:
    """The members by which objects are compared that ``after`` has otherwise than ``before``."""
    known, now = dict(classes(before)), dict(classes(after))
    by_name: dict[str, list[ast.ClassDef]] = {}
    names = ancestors(after)
    for node in now.values():
        by_name.setdefault(node.name, []).append(node)
    for place, node in now.items():
        yield from _changed(known.get(place), node, by_name, names.get(node.name, frozenset()))


def _changed(
    old: ast.ClassDef | None,
    node: ast.ClassDef,
    by_name: Mapping[str, list[ast.ClassDef]],
    above: frozenset[str],
) -> Iterator[str]:
    """The members of one class that differ from those of ``old``."""
    family = [node, *_above(node, by_name)]
    methods = [one for part in family for one in part.body if isinstance(one, Function)]
    deciding = [one for one in methods if one.name in COMPARING]
    data = any(_DATA.intersection(map(decorator_name, part.decorator_list)) for part in family)
    derived = bool(above & VALUES) or any(isinstance(base, ast.Call) for base in node.bases)
    holding = bool(above & _HOLDING)
    if not (deciding or data or derived or holding):
        return
    names = _MAKING | _asked_by(deciding, methods)
    if data or (derived and not deciding) or names & _WHOLE:
        names |= {name for part in family for name in _fields(part)}
    names |= _HELD if holding else set()
    was = {said(one) for one in (old.body if old else ())}
    for member in node.body:
        is_function = isinstance(member, Function)
        if said(member) in was or not (is_function or _is_made(member)):
            continue
        for name in names.intersection(bound_in(member)):
            if not is_special(name):  # a person sees a special method anyway
                yield f"{node.name}.{name}, by which objects are made or compared, is another"
        if data and isinstance(member, ast.AnnAssign) and "InitVar" in ast.unparse(member.annotation):
            yield f"a new field of {node.name} that is not kept"


def _is_made(member: ast.stmt) -> bool:
    """Whether a class's body binds an attribute to what a call makes, as a property is, or to no field."""
    match member:
        case ast.Assign(value=ast.Call(func=made)) | ast.AnnAssign(value=ast.Call(func=made)):
            return last_name(made) not in FIELDS
        case ast.Assign(value=ast.Lambda()) | ast.AnnAssign(value=ast.Lambda()):
            return True
        case ast.AnnAssign(annotation=kind):
            return "InitVar" in ast.unparse(kind)
    return False


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for member in node.body:
        match member:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield name


def _above(node: ast.ClassDef, by_name: Mapping[str, list[ast.ClassDef]]) -> Iterator[ast.ClassDef]:
    waiting, seen = [last_name(base) for base in node.bases], {node.name}
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            for one in by_name.get(name, ()):
                yield one
                waiting += [last_name(base) for base in one.bases]


def _asked_by(deciding: list[Function], methods: list[Function]) -> set[str]:
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
