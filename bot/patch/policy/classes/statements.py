"""What a class is by its statement: its bases, decorators, fields and members, and what takes its place.

A test that builds what it expects with a class trusts the class. A person sees what makes another of it: new
bases or decorators, a field that is not compared, two members of an enumeration that are one.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

from bot.patch.policy.classes.ancestors import ancestors
from bot.patch.policy.classes.special_methods import classes, is_special, said
from bot.patch.policy.dangers import words
from bot.patch.policy.finding import CodeFinding
from bot.patch.policy.names.scopes import bound_by, own_nodes
from bot.patch.syntax import alike, decorator_name, every_node, last_name

VALUES = words("""
    int float complex str bytes tuple frozenset bool Decimal Fraction datetime date time timedelta UUID Path
    PurePath PosixPath ndarray matrix recarray memmap Series DataFrame Index Tensor
""")
"""Types whose objects are values or arrays of them; a class that is derived from one is compared like it."""
_KINDS = (
    *(int, float, complex, str, bytes, tuple, frozenset),
    *(Decimal, Fraction, date, datetime, time, timedelta),
)
_OF_VALUES = words("_richcmp _cmp _numerator _denominator _compare_check _check_nans compare")
_OF_VALUES |= words("all any equals equal allclose item tolist")
_OF_VALUES |= frozenset(name for kind in _KINDS for name in dir(kind) if not name.startswith("__"))
_DECORATORS = words("""
    dataclass attrs attr s define frozen mutable total_ordering unique final verify
    python_2_unicode_compatible add_metaclass implementer deprecated deprecated_class typechecked
""")
_METACLASSES = words("ABCMeta EnumMeta EnumType type")
_ENUMS = words("Enum IntEnum StrEnum Flag IntFlag ReprEnum")
FIELDS = words("field ib attrib Field attr")
_COMPARED = words("compare eq cmp order init converter hash")
_CONVERTERS = words("int float str bytes tuple list dict set frozenset bool")
_MAX_ERRORS = 2  # ``class NotFound(KeyError, AttributeError)`` is honest


def class_statements(before: ast.Module, after: ast.Module) -> Iterator[str]:
    """What a person has to see of the statements of classes in ``after``."""
    known, now = dict(classes(before)), dict(classes(after))
    names = {one.name for one in (*known.values(), *now.values())}
    replaced = set(Counter(_replaced(after, names)) - Counter(_replaced(before, names)))
    yield from (f"the class {name} is replaced or changed from outside" for name, _ in replaced)
    above = ancestors(after)
    for place, node in now.items():
        old = known.get(place)
        yield from _header(old, node)
        yield from _members(old, node, above.get(node.name, frozenset()))


def made_classes(tree: ast.Module) -> Iterator[CodeFinding]:
    """Classes that code makes, and classes of classes, whose methods stand in no source; and odd fields."""
    kinds = set(_enumerations(tree))
    for node in every_node(tree):
        match node:
            case ast.ClassDef(name=name, bases=bases) if any(last_name(one) in _METACLASSES for one in bases):
                yield CodeFinding(f"new class of classes: {name}", "")
            case ast.Call(func=ast.Name(id="type"), args=[_, _, *_] | [ast.Starred()]):
                yield CodeFinding("new class by a call of type", ast.dump(node))
            case ast.Call(func=function, args=given, keywords=named):
                kind = last_name(function)
                hidden = any(one.arg in {"names", None} for one in named)
                if kind == "new_class":
                    yield CodeFinding("new class by a call of new_class", ast.dump(node))
                elif kind in kinds and (len(given) > 1 or hidden):
                    yield CodeFinding("a new enumeration by a call", ast.dump(node))
                elif kind in FIELDS and any(map(_is_odd_option, named)):
                    yield CodeFinding("a new field that is not compared as it is given", ast.dump(node))


def _enumerations(tree: ast.Module) -> Iterator[str]:
    """The names of kinds of enumerations, and of those that the module defines."""
    yield from _ENUMS
    for node in every_node(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "enum":
            yield from (one.asname for one in node.names if one.asname)
        elif isinstance(node, ast.ClassDef) and any(last_name(base) in _ENUMS for base in node.bases):
            yield node.name


def _is_odd_option(option: ast.keyword) -> bool:
    match option:
        case ast.keyword(arg=str(name), value=ast.Constant(value=True | None)):
            return False
        case ast.keyword(arg="converter", value=ast.Name(id=name)):
            return name not in _CONVERTERS
    return option.arg is None or option.arg in _COMPARED


def _replaced(tree: ast.Module, names: set[str]) -> Iterator[tuple[str, str]]:
    """What binds the name of a class to something else, sets an attribute of one, or adds to its kinds."""
    for node in every_node(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()) if name in names:
                yield name, ast.dump(node)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="register")) if name in names:
                yield name, ast.dump(node)
            case ast.Global(names=bound):
                yield from ((name, "") for name in names.intersection(bound))
    for statement in tree.body:
        yield from ((name, ast.dump(statement)) for name in names.intersection(bound_in(statement)))


def bound_in(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds in its own scope, other than by a class statement."""
    for node in own_nodes(statement):
        if not isinstance(node, ast.ClassDef):
            yield from bound_by(node)


def _header(old: ast.ClassDef | None, node: ast.ClassDef) -> Iterator[str]:
    """Bases, decorators and keywords: a class that was there keeps its own, but for a kind of error."""
    errors = sum(map(_is_error, node.bases))
    if errors > _MAX_ERRORS and (old is None or not alike(old.bases, node.bases)):
        yield "an exception of many classes"
    if old is None:
        made = map(decorator_name, node.decorator_list)
        options = (two for one in node.decorator_list if isinstance(one, ast.Call) for two in one.keywords)
        if any(one not in _DECORATORS for one in made) or any(map(_is_odd_option, options)):
            yield f"a new decorator of the class {node.name}"
        metaclasses = (last_name(one.value) for one in node.keywords if one.arg == "metaclass")
        if any(one not in _METACLASSES for one in metaclasses):
            yield f"a new class of the class {node.name}"
        return
    if not alike(old.decorator_list, node.decorator_list):
        yield f"the class {node.name} has other decorators"
    if not alike(old.keywords, node.keywords):
        yield f"the class {node.name} has another metaclass or option"
    if not alike(old.bases, node.bases) and errors < len(node.bases):
        yield f"the class {node.name} has other bases"


def _is_error(base: ast.expr) -> bool:
    name = last_name(base)
    return name.endswith(("Error", "Exception", "Warning")) or name in {"KeyboardInterrupt", "StopIteration"}


def _members(old: ast.ClassDef | None, node: ast.ClassDef, bases: frozenset[str]) -> Iterator[str]:
    """New members of a class of values that its type has already, and members of an enumeration alike."""
    if bases & VALUES or any(isinstance(base, ast.Call) for base in node.bases):
        was = {said(member) for member in (old.body if old else ())}
        fresh = {name for one in node.body if said(one) not in was for name in bound_in(one)}
        names = sorted(name for name in fresh if name in _OF_VALUES or is_special(name))
        yield from (f"a value type whose {name} is its own" for name in names)
    if bases & _ENUMS:
        same = Counter(_alike(node)) - Counter(_alike(old) if old else ())
        yield from (f"members of {node.name} that are one" for _ in same)


def _alike(node: ast.ClassDef) -> Iterator[str]:
    """The values of an enumeration's members that are those of others."""
    seen: set[str] = set()
    for member in node.body:
        if isinstance(member, ast.Assign) and not isinstance(member.value, ast.Call):
            value = ast.dump(member.value)
            if isinstance(member.value, ast.Name) or value in seen:
                yield value
            seen.add(value)
