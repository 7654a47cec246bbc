"""Classes that are compared by value: a change must not make their objects forget what they are given.

An honest ``self.amount == other.amount`` says nothing where the constructor forgets the amount, or where
``amount`` is a property that gives something else. So a person sees each change of a member by which objects
are made or compared, but of the errors that it raises.
"""

import ast
from collections.abc import Iterator, Mapping

from bot.patch.policy.classes.ancestors import ancestors
from bot.patch.policy.classes.special_methods import COMPARING, asked, classes, is_special, said
from bot.patch.policy.classes.statements import FIELDS, VALUES, bound_in
from bot.patch.policy.dangers import words
from bot.patch.syntax import Function, decorator_name, last_name, walk

_DATA = words("dataclass attrs s define frozen mutable")
_HOLDING = words("""
    list dict set bytearray deque OrderedDict defaultdict Counter UserList UserDict UserString Mapping
    MutableMapping Set MutableSet SimpleNamespace NamedTuple BaseModel Struct
""")
"""Types whose objects are compared by what they hold, also where a class below forgets it."""
_HELD = words("data items _UserList__cast _from_iterable")
"""Members of such types by which Python's own equalities compare."""
_FILLING = words("append extend insert add update setdefault __setitem__ appendleft extendleft")
"""Methods by which such objects get what they hold."""
_VALIDATORS = words("validator field_validator model_validator root_validator")
"""Decorators that make a function a part of the constructor."""
_MAKING = words("__init__ __post_init__ __attrs_post_init__")
_WHOLE = words("__dict__ items _asdict astuple asdict") | {""}


def compared_classes(before: ast.Module, after: ast.Module) -> Iterator[str]:
    """The members by which objects are compared that ``after`` has otherwise than ``before``."""
    known, now = dict(classes(before)), dict(classes(after))
    old = {id(node): known.get(place) for place, node in now.items()}
    by_name: dict[str, list[ast.ClassDef]] = {}
    names = ancestors(after)
    outside = _outside(before), _outside(after)
    for node in now.values():
        by_name.setdefault(node.name, []).append(node)
    for node in now.values():
        family = [node, *_above(node, by_name)]
        compared = _Compared(family, names.get(node.name, frozenset()))
        for part in family if compared.is_any else ():
            yield from compared.changed(old[id(part)], part)
        for name in sorted(compared.used & set(outside[0])):
            if outside[0][name] != outside[1].get(name):
                yield f"{name}, by which objects of {node.name} are compared, is another"


def _outside(tree: ast.Module) -> dict[str, list[str]]:
    """What a module's own statements bind its names to, but for classes."""
    found: dict[str, list[str]] = {}
    for statement in tree.body:
        match statement:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                origin = getattr(statement, "module", "")
                pairs = [(one.asname or one.name, f"{origin} {one.name}") for one in names]
            case _:
                pairs = [(name, said(statement)) for name in bound_in(statement)]
        for name, value in pairs:
            found.setdefault(name, []).append(value)
    return found


class _Compared:
    """By what the objects of a class are compared: the class and those above it are its ``family``.

    ``used`` are the names outside of the class by which they are.
    """

    def __init__(self, family: list[ast.ClassDef], above: frozenset[str]) -> None:
        methods = [one for part in family for one in part.body if isinstance(one, Function)]
        deciding = [one for one in methods if one.name in COMPARING]
        self._data = any(_DATA.intersection(map(decorator_name, part.decorator_list)) for part in family)
        derived = bool(above & VALUES) or any(isinstance(base, ast.Call) for base in family[0].bases)
        holding = bool(above & _HOLDING)
        self.is_any = bool(deciding or self._data or derived or holding)
        self._asked = _asked_by(deciding, methods)
        reading = [*deciding, *(one for one in methods if one.name in self._asked)]
        read = {node.id for one in reading for node in walk(one) if isinstance(node, ast.Name)}
        self.used = read - {"self"}
        checks = [one for one in methods if _VALIDATORS.intersection(map(decorator_name, one.decorator_list))]
        self._names = _MAKING | self._asked | {one.name for one in checks}
        if self._data or (derived and not deciding) or self._names & _WHOLE:
            self._names |= {name for part in family for name in _fields(part)}
        self._names |= (_HELD | _FILLING) if holding else set()

    def changed(self, old: ast.ClassDef | None, node: ast.ClassDef) -> Iterator[str]:
        """The members of ``node``, a class of the family, that differ from those of ``old``."""
        was = {said(one) for one in (old.body if old else ())}
        for member in node.body:
            if said(member) in was:
                continue
            for name in bound_in(member):
                made = isinstance(member, Function) or _is_made(member) or name in self._asked
                if name in self._names and made and not is_special(name):  # a person sees those anyway
                    yield f"{node.name}.{name}, by which objects are made or compared, is another"
            match member:
                case ast.AnnAssign(annotation=kind) if self._data and "InitVar" in ast.unparse(kind):
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
        if any(isinstance(node, ast.FormattedValue) for node in walk(one)):
            waiting |= {"str", "repr", "format"}
        waiting |= {f"__{name}__" for name in waiting & {"str", "repr", "iter", "format"}}
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= {one for method in methods if method.name == name for one in asked(method)} - found
    return found
