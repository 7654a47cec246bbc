"""Names that nothing binds, or not yet: misspelt, not imported, lacking ``self``, not declared."""

import ast
import re
import sys
from collections.abc import Iterator
from itertools import chain, islice

from bot.patch.syntax import last_name
from bot.search.kinds import Kind
from bot.search.operators.base import Mutation
from bot.search.operators.statements import at_head, import_added, inserted, work_of
from bot.search.source import FUNCTIONS, LOOPS, Function, names_in
from bot.search.templates.attributes import members_of
from bot.search.templates.changes import add_parameter, close, modules_for, renamed
from bot.search.templates.failure import Failure
from bot.search.templates.library import HOMES
from bot.search.templates.project import Definition, Project, Spot
from bot.search.templates.template import template

_EMPTY = {"append": "[]", "extend": "[]", "insert": "[]", "add": "set()", "update": "{}", "setdefault": "{}"}

# What is usually raised by a call of such a name, by other expressions and statements, and at all.
_RAISED_BY_CALL = {
    **dict.fromkeys(("next", "send"), ("StopIteration",)),
    **dict.fromkeys(("int", "float", "index", "remove", "strptime", "fromisoformat"), ("ValueError",)),
    **dict.fromkeys(("pop", "popitem"), ("KeyError", "IndexError")),
    **dict.fromkeys(("open", "unlink", "mkdir", "rename", "stat"), ("OSError",)),
    **dict.fromkeys(("encode", "decode"), ("UnicodeError",)),
    **dict.fromkeys(("iter", "len", "hash"), ("TypeError",)),
    **dict.fromkeys(("import_module", "__import__"), ("ImportError",)),
    "getattr": ("AttributeError",),
}
_RAISED_BY_NODE: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Subscript: ("KeyError", "IndexError"),
    ast.Import: ("ImportError",),
    ast.ImportFrom: ("ImportError",),
    ast.Attribute: ("AttributeError",),
}
_USUAL = ("KeyError", "ValueError", "TypeError", "AttributeError", "IndexError", "OSError", "StopIteration")
MAX_PLACES = 3


@template("unbound name", "NameError", r"name '(\w+)' is not defined")
def _not_defined(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    name = match.group(1)
    # Where a library hides the frame, as template engines do, the name itself says where it stands.
    for spot in chain(project.spots(failure), islice(project.naming(name), MAX_PLACES)):
        uses = [node for node in spot.of(ast.Name) if node.id == name]
        if uses or isinstance(spot.statement, (*FUNCTIONS, ast.ClassDef)):
            # A name misspelt the same way all through a function is one mistake.
            everywhere = uses if name in spot.context.scopes.known else _all_uses(name, spot)
            function = spot.context.source.function_of(spot.statement)
            if name in {"self", "cls"} and function is not None:  # a method that does not take it
                yield add_parameter(function, name, spot.context, first=True, weight=1.0)
            yield from _other_names(name, everywhere or uses, spot)
            yield from _imported(name, spot, project)
            if uses:
                yield from _caught(uses[0], spot)
                yield from _through_self(name, everywhere or uses, spot)
                yield from _new_names(name, uses[0], spot)
            return


def _all_uses(name: str, spot: Spot) -> list[ast.Name]:
    region = spot.context.scopes.region(spot.statement)
    return [node for node in region if isinstance(node, ast.Name) and node.id == name]


def _other_names(name: str, uses: list[ast.Name], spot: Spot) -> Iterator[Mutation]:
    context = spot.context
    if not uses:
        return
    variables = context.scopes.variables(uses[0])
    pool = (*variables, *sorted(context.scopes.known))
    for rank, other in enumerate(close(name, pool)):
        bound = 0.03 if other in variables else 0.0
        yield renamed(uses, other, context, max(0.5, 0.95 - 0.08 * rank) + bound)


def _imported(name: str, spot: Spot, project: Project) -> Iterator[Mutation]:
    """An import that is missing: of a module, of a name that a module is known for, of the project's own."""
    context = spot.context
    statements = []
    if name in sys.stdlib_module_names:
        statements.append((f"import {name}", 0.99))
    if name in HOMES:
        statements.append((f"from {HOMES[name]} import {name}", 0.98))
    for path in project.exported(name):
        modules = modules_for(path, spot, project) if path != context.source.path else ()
        statements += [(f"from {module} import {name}", 0.99) for module in modules]
    if path := project.module(name):
        package = ".".join(project.dotted(path)[:-1])
        statements.append((f"from {package} import {name}" if package else f"import {name}", 0.97))
    for statement, weight in statements:
        yield import_added(statement, context, weight)


def _through_self(name: str, uses: list[ast.Name], spot: Spot) -> Iterator[Mutation]:
    context = spot.context
    scopes, place = context.scopes, uses[0]
    owner = context.source.class_of(place)
    function = context.source.function_of(place)
    if owner is None:
        return
    first = function.args.args[0].arg if function and function.args.args else ""
    names = (*scopes.self_attributes(place), *members_of(Definition(context, owner, None)))
    if name in names:
        bound = first in {"self", "cls"}
        yield renamed(uses, f"{first if bound else owner.name}.{name}", context, 0.99)
    for rank, other in enumerate(close(name, names) if first == "self" else ()):
        yield renamed(uses, f"self.{other}", context, 0.75 - 0.05 * rank)


def _caught(use: ast.Name, spot: Spot) -> Iterator[Mutation]:
    """In an ``except``: what the statements above it raise, the likeliest first."""
    parents = spot.context.source.parents
    handler = parents[use]
    if isinstance(handler, ast.Tuple):
        handler = parents[handler]
    tried = parents.get(handler)
    if not isinstance(handler, ast.ExceptHandler) or not isinstance(tried, ast.Try):
        return
    nodes = [node for statement in tried.body for node in ast.walk(statement)]
    raised = dict.fromkeys(kind for node in nodes for kind in _raised_by(node))
    others = [kind for kind in _USUAL if kind not in raised]
    for rank, kind in enumerate((*raised, *others)):
        weight = (0.97 if kind in raised else 0.7) - 0.02 * rank
        yield spot.context.put(use, kind, weight=weight, why=f"catch {kind}")


def _raised_by(node: ast.AST) -> tuple[str, ...]:
    """The exceptions that are usual for what ``node`` does; see the library's page on built-in exceptions."""
    if isinstance(node, ast.Call):
        return _RAISED_BY_CALL.get(last_name(node.func), ())
    if isinstance(node, ast.BinOp):
        return ("ZeroDivisionError",) if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod)) else ()
    return next((kinds for of, kinds in _RAISED_BY_NODE.items() if isinstance(node, of)), ())


def _new_names(name: str, use: ast.Name, spot: Spot) -> Iterator[Mutation]:
    """A text that lost its quotes, or a variable that was never made."""
    context = spot.context
    parent = context.source.parents[use]
    quoted = 0.75 if isinstance(parent, (ast.Subscript, ast.Compare, ast.Dict)) else 0.45
    yield context.put(use, f'"{name}"', weight=quoted)
    method = parent.attr if isinstance(parent, ast.Attribute) else ""
    function = context.source.function_of(use)
    if method in _EMPTY and function is not None:
        yield from at_head(function, f"{name} = {_EMPTY[method]}", context, weight=0.85)
    if function is not None and name.isidentifier():
        yield add_parameter(function, name, context, first=False, weight=0.4)


@template("unbound local", "UnboundLocalError|NameError", r"variable '(\w+)'")
def _unbound(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """Read before it is assigned: declare it as an outer one, begin it, or mean another."""
    name = match.group(1)
    for spot in project.spots(failure):
        context, function = spot.context, spot.context.source.function_of(spot.statement)
        uses = [node for node in spot.of(ast.Name) if node.id == name]
        if function is None or not uses or not work_of(function):
            continue
        outer = context.source.function_of(function)
        if outer is not None and name in context.scopes.locals_of(outer):
            yield from at_head(function, f"nonlocal {name}", context, weight=1.0)
        elif name in context.scopes.module_variables:
            yield from at_head(function, f"global {name}", context, weight=1.0)
        yield from _begun(name, spot, function)
        pool = [other for other in context.scopes.variables(uses[0]) if other != name]
        for rank, other in enumerate(close(name, pool)):
            yield renamed(uses, other, context, 0.9 - 0.08 * rank)
            yield renamed(_all_uses(name, spot), other, context, 0.88 - 0.08 * rank)
        return


def _begun(name: str, spot: Spot, function: Function) -> Iterator[Mutation]:
    """The variable's first value, before the function's first statement or before the loop."""
    context, first = spot.context, work_of(function)[0]
    loops = [node for node in context.source.ancestors(spot.statement) if isinstance(node, LOOPS)]
    loops = [loop for loop in loops if context.source.function_of(loop) is function]
    for rank, value in enumerate(_first_values(name, spot)):
        weight = 0.92 - 0.06 * rank
        yield from inserted(first, f"{name} = {value}", context, weight=weight, before=True)
        for loop in [loop for loop in loops[:1] if loop is not first]:
            yield from inserted(loop, f"{name} = {value}", context, weight=weight - 0.02, before=True)


def _first_values(name: str, spot: Spot) -> tuple[str, ...]:
    kinds = {
        spot.context.scopes.kind(node.value)
        for node in spot.context.scopes.region(spot.statement)
        if isinstance(node, (ast.Assign, ast.AugAssign)) and name in names_in(node)
    }
    operator = getattr(spot.statement, "op", None)
    if isinstance(operator, ast.Mult):
        return ("1", "0")
    if isinstance(operator, (ast.BitOr, ast.BitAnd)):
        return ("set()", "0", "False")
    found = {
        Kind.STR: ('""', "None", "[]"),
        Kind.LIST: ("[]", "None", "0"),
        Kind.BOOL: ("False", "True", "None"),
    }
    return next((values for kind, values in found.items() if kind in kinds), ("0", "None", "[]", '""'))
