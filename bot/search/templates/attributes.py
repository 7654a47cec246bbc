"""Attributes that an object does not have: misspelt, never set, of the wrong object; and what a class has."""

import ast
import re
from collections.abc import Iterator

from bot.search.conversions import conversions
from bot.search.examples import UNKNOWN, value_of
from bot.search.operators.base import Context, Mutation, together
from bot.search.operators.statements import at_head, import_added, inserted
from bot.search.source import FUNCTIONS, Function, method_of, methods_of
from bot.search.templates.changes import close, definition_renamed, suffixed
from bot.search.templates.failure import Failure
from bot.search.templates.project import Definition, Project
from bot.search.templates.template import template
from bot.search.templates.type_fixes import converted, made

_KINDS = (str, list, dict, set, tuple, int, float, bytes, frozenset, bool, complex, range)
_BUILTIN: dict[str, type] = {kind.__name__: kind for kind in _KINDS}
# A value for what a class above sets too, at its best: below those for other attributes.
_ALSO_SET_ABOVE = 0.3


@template("missing attribute", "AttributeError", r"^'(?:[\w.]+\.)?(\w+)' object has no attribute '(\w+)'")
def _no_attribute(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    owner, name = match.group(1).rpartition(".")[2], match.group(2)
    places = [
        (spot, node) for spot in project.seen(failure) for node in spot.of(ast.Attribute) if node.attr == name
    ]
    classes = project.classes(owner)
    for spot, node in places[:1]:
        if owner in _BUILTIN:
            yield from _of_builtin(node, owner, spot.context)
        elif classes:
            for found in classes:
                yield from _misspelt(node, found, spot.context, project)
            yield from _or_none(node, spot.context)
        else:
            yield from made(node.value, owner, spot, project)
            yield from _named(node, spot.context.scopes.attribute_names, spot.context, 0.9)
    for found in classes[:2]:
        yield from _one_more_alias(name, found)
        yield from _never_set(name, found, project)
        if not any(project.may_change(spot.context.source.path) for spot, _ in places):
            yield from renamed_member(name, found)


def _named(
    node: ast.Attribute, names: tuple[str, ...] | list[str], context: Context, weight: float
) -> Iterator[Mutation]:
    """The attribute by one of ``names`` that is similar."""
    for rank, other in enumerate(close(node.attr, names)):
        yield context.rename(node, other, weight=weight - 0.05 * rank)


def _or_none(node: ast.Attribute, context: Context) -> Iterator[Mutation]:
    """None for an attribute that is read before anybody has set it."""
    if isinstance(node.ctx, ast.Load) and not context.source.is_called(node):
        code = f'getattr({context.code(node.value)}, "{node.attr}", None)'
        yield context.put(node, code, weight=0.57)


def _of_builtin(node: ast.Attribute, owner: str, context: Context) -> Iterator[Mutation]:
    """The attribute asked of a value of a built-in type."""
    names = [name for name in dir(_BUILTIN[owner]) if not name.startswith("_")]
    yield from _named(node, names, context, 0.97)
    if owner == "dict":
        yield context.put(node, f'{context.operand(node.value)}["{node.attr}"]', weight=0.9)
    for other in ("str", "list", "dict", "set"):
        if owner != other and hasattr(_BUILTIN[other], node.attr):
            forms = conversions(owner, other)
            yield from converted(node.value, owner, other, context, 0.85 if len(forms) == 1 else 0.6)
    if owner in {"list", "tuple"}:
        yield suffixed(node.value, "[0]", context, 0.5)


def _misspelt(
    node: ast.Attribute, found: Definition[ast.ClassDef], context: Context, project: Project
) -> Iterator[Mutation]:
    """A member of the class, or of one above it, that has a similar name; or a variable."""
    names = [name for each in (found, *project.bases(found)) for name in members_of(each)]
    yield from _named(node, names, context, 0.97)
    if context.code(node.value) == "self" and node.attr in context.scopes.variables(node):
        yield context.put(node, node.attr, weight=0.85)


def _one_more_alias(name: str, found: Definition[ast.ClassDef]) -> Iterator[Mutation]:
    """``debug = info = log`` in the body of a class, where one of its names is missing."""
    for statement in ast.walk(found.node):
        if not isinstance(statement, ast.Assign) or found.context.source.function_of(statement) is not None:
            continue
        if isinstance(statement.value, ast.Name) and all(
            isinstance(one, ast.Name) for one in statement.targets
        ):
            start = found.context.source.segment(statement.value)[0]
            weight = 0.9 if len(statement.targets) > 1 else 0.5
            yield found.context.replace(start, start, f"{name} = ", weight=weight)


def _never_set(name: str, found: Definition[ast.ClassDef], project: Project) -> Iterator[Mutation]:
    """The object that lacks what its ``__init__`` should have set."""
    context, init = found.context, method_of(found.node, "__init__")
    if init is None:
        yield from misspelt_init(found)
        return
    parameters = [arg.arg for arg in (*init.args.args, *init.args.kwonlyargs)]
    for other in dict.fromkeys((name, name.lstrip("_"))):
        if other in parameters:
            yield from inserted(init.body[-1], f"self.{name} = {other}", context, weight=0.96)
    for node in ast.walk(init):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name:
            yield context.put(node, f"self.{name}", weight=0.97)
    setting = [
        one for one in project.bases(found) if name in members_of(one) and method_of(one.node, "__init__")
    ]
    yield from _bases_asked(found, setting, project)
    # What a base sets is missing because nothing asked the base.
    weight = _ALSO_SET_ABOVE if setting else 0.62
    for value in dict.fromkeys(_begun_above(name, setting)):
        yield from inserted(init.body[-1], f"self.{name} = {value}", context, weight=0.9)
    for rank, value in enumerate(("None", "[]", "0", "{}", '""')):
        yield from inserted(init.body[-1], f"self.{name} = {value}", context, weight=weight - 0.04 * rank)


def _begun_above(name: str, setting: list[Definition[ast.ClassDef]]) -> Iterator[str]:
    """The literals with which the classes above begin the attribute."""
    for one in setting:
        init = method_of(one.node, "__init__")
        for node in ast.walk(init) if init else ():
            match node:
                case (
                    ast.Assign(targets=[ast.Attribute(attr=attr)], value=value)
                    | ast.AnnAssign(target=ast.Attribute(attr=attr), value=ast.expr() as value)
                ) if attr == name and value_of(value) is not UNKNOWN:
                    yield one.context.code(value)


def _bases_asked(
    found: Definition[ast.ClassDef], setting: list[Definition[ast.ClassDef]], project: Project
) -> Iterator[Mutation]:
    """``super().__init__()`` in classes between an object's and those ``setting`` its attribute."""
    between = [one for one in (found, *project.bases(found)) if one not in setting]
    weight = 0.99
    for one in between if setting else ():
        init = method_of(one.node, "__init__")
        if init is None or "super" in one.context.code(init):
            continue
        above = [base for base in project.bases(one) if base in setting]
        for arguments in dict.fromkeys(_asked_with(init, above)):
            yield from at_head(init, f"super().__init__({arguments})", one.context, weight=weight)
            weight -= 0.01


def _asked_with(init: Function, above: list[Definition[ast.ClassDef]]) -> Iterator[str]:
    """What ``init`` may hand on to the ``__init__`` of those ``above``, or of whatever follows a mixin."""
    if init.args.kwarg:
        yield f"**{init.args.kwarg.arg}"
    parameters = [arg.arg for arg in (*init.args.args, *init.args.kwonlyargs)]
    for base in above:
        if base_init := method_of(base.node, "__init__"):
            yield _passed(base_init, parameters)


def _passed(init: Function, parameters: list[str]) -> str:
    """The arguments for a base's ``__init__`` from the parameters of the same names."""
    names = [arg.arg for arg in init.args.args[1:]]
    required = len(names) - len(init.args.defaults)
    given = [name for rank, name in enumerate(names) if name in parameters or rank < required]
    # After one that is left out, the others have to be named.
    return ", ".join(name if names[rank] == name else f"{name}={name}" for rank, name in enumerate(given))


@template("class attribute", "AttributeError", r"type object '([\w.]+)' has no attribute '(\w+)'")
def _of_type(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """Asked of the class: a slip, an instance that was not made, the class of a module of the same name."""
    owner, name = match.group(1).rpartition(".")[2], match.group(2)
    classes = project.classes(owner)
    spots = project.spots(failure)
    places = [(node, spot.context) for spot in spots for node in spot.of(ast.Attribute) if node.attr == name]
    for node, context in places[:1]:
        if name == owner:
            yield context.put(node, context.code(node.value), weight=0.97)
        for found in classes:
            yield from _misspelt(node, found, context, project)
        if isinstance(node.value, ast.Name):
            yield suffixed(node.value, "()", context, 0.7)
    for found in classes[:2] if not places else ():
        yield from renamed_member(name, found)


def members_of(found: Definition[ast.ClassDef]) -> list[str]:
    """What a class defines and sets on ``self``, in text order."""
    names = []
    for node in ast.walk(found.node):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}:
                names.append(node.attr)
        elif isinstance(node, FUNCTIONS):
            names.append(node.name)
    for statement in found.node.body:
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        names += [target.id for target in targets if isinstance(target, ast.Name)]
    return list(dict.fromkeys(names))


def misspelt_init(found: Definition[ast.ClassDef]) -> Iterator[Mutation]:
    """``__int__``, ``_init_`` and the like, which Python never calls."""
    yield from renamed_member("__init__", found, 0.98, cutoff=0.7)


def renamed_member(
    name: str, found: Definition[ast.ClassDef], weight: float = 0.9, *, cutoff: float = 0.6
) -> Iterator[Mutation]:
    """What somebody asks for is there under a similar name; ``weight`` is that of the most similar one."""
    methods = [node.name for node in methods_of(found.node)]
    for rank, other in enumerate(close(name, methods, cutoff=cutoff)):
        node = method_of(found.node, other)
        if node is not None and (name.startswith("__") or not other.startswith("__")):
            definition = Definition(found.context, node, found.node)
            yield definition_renamed(definition, name, weight - 0.05 * rank)


@template(
    "abstract class",
    "TypeError",
    r"Can't instantiate abstract class (\w+) with(?:out an implementation for)?"
    r" abstract methods? ([\w', ]+)",
)
def _abstract(match: re.Match[str], _failure: Failure, project: Project) -> Iterator[Mutation]:
    """A class that does not implement what its base asks for: the method is there under a similar name."""
    for found in project.classes(match.group(1))[:2]:
        for name in re.findall(r"\w+", match.group(2).replace(" and ", " "))[:2]:
            yield from renamed_member(name, found, 0.97, cutoff=0.5)


@template("mutable field", "ValueError", r"mutable default <class '(?:\w+\.)*(\w+)'> for field (\w+)")
def _mutable_field(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``tags: list = []`` in a dataclass: each object needs its own."""
    factory, name = match.groups()
    for path in dict.fromkeys(frame.path for frame in failure.frames):
        context = project.context(path)
        for node in context.source.statements if context else ():
            named = isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == name
            if context and named and isinstance(node, ast.AnnAssign) and node.value:
                code = context.code(node.value)
                call = factory if code in {"[]", "{}", f"{factory}()"} else f"lambda: {code}"
                own = context.put(node.value, f"field(default_factory={call})")
                yield together(own, *_field_imported(context), why=f"make a new `{factory}` for each object")


def _field_imported(context: Context) -> Iterator[Mutation]:
    """``field`` added to the import that brings ``dataclass``, or imported by a line of its own."""
    if "field" in context.scopes.known:
        return
    for statement in context.source.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "dataclasses":
            end = context.source.segment(statement.names[-1])[1]
            yield context.replace(end, end, ", field")
            return
    yield import_added("from dataclasses import field", context)
