"""Names that nothing binds, or not yet: misspelt, not imported, lacking ``self``, not declared."""

import ast
import re
import sys
from collections.abc import Iterator

from bot.search.kinds import Kind
from bot.search.operators.base import Context, Mutation
from bot.search.operators.statements import inserted, is_docstring
from bot.search.similar_names import close
from bot.search.source import FUNCTIONS, LOOPS, Function
from bot.search.standard_names import HOMES
from bot.search.templates.changes import add_parameter, import_added, modules_for, renamed
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import Template, template

_ELSEWHERE = {
    "xrange": "range", "raw_input": "input", "unicode": "str", "basestring": "str", "long": "int",
    "unichr": "chr", "true": "True", "false": "False", "none": "None", "null": "None", "nil": "None",
    "NULL": "None", "TRUE": "True", "FALSE": "False", "undefined": "None", "this": "self", "string": "str",
    "integer": "int", "boolean": "bool", "izip": "zip", "imap": "map", "ifilter": "filter",
}  # fmt: skip
_EMPTY = {"append": "[]", "extend": "[]", "insert": "[]", "add": "set()", "update": "{}", "setdefault": "{}"}


def _not_defined(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    name = match.group(1)
    for spot in project.spots(failure):
        uses = [node for node in spot.of(ast.Name) if node.id == name]
        if uses or isinstance(spot.statement, (*FUNCTIONS, ast.ClassDef)):
            # A name misspelt the same way all through a function is one mistake.
            everywhere = uses if name in spot.context.scopes.known else _all_uses(name, spot)
            yield from _first_parameter(name, spot)
            yield from _other_names(name, everywhere or uses, spot)
            yield from _imported(name, spot, project)
            if uses:
                yield from _through_self(name, everywhere or uses, spot)
                yield from _new_names(name, uses[0], spot)
            return


def _all_uses(name: str, spot: Spot) -> list[ast.Name]:
    region = spot.context.scopes.region(spot.statement)
    return [node for node in region if isinstance(node, ast.Name) and node.id == name]


def _first_parameter(name: str, spot: Spot) -> Iterator[Mutation]:
    """``self`` used by a method that does not take it."""
    function = spot.context.source.function_of(spot.statement)
    if name in {"self", "cls"} and function is not None:
        yield add_parameter(function, name, spot.context, first=True, weight=1.0)


def _other_names(name: str, uses: list[ast.Name], spot: Spot) -> Iterator[Mutation]:
    context = spot.context
    if not uses:
        return
    if name in _ELSEWHERE:
        yield renamed(uses, _ELSEWHERE[name], context, 1.0)
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
        if path != context.source.path:
            statements += [
                (f"from {module} import {name}", 0.99) for module in modules_for(path, spot, project)
            ]
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
    methods, attributes = scopes.methods(place), scopes.self_attributes(place)
    if name in (*methods, *attributes) and first in {"self", "cls"}:
        yield renamed(uses, f"{first}.{name}", context, 0.99)
    own = [part for part in owner.body if isinstance(part, (ast.Assign, ast.AnnAssign))]
    targets = [target for part in own for target in getattr(part, "targets", [getattr(part, "target", None)])]
    if name in {getattr(target, "id", "") for target in targets} | set(methods):
        yield renamed(
            uses, f"{first}.{name}" if first in {"self", "cls"} else f"{owner.name}.{name}", context, 0.98
        )
        yield renamed(uses, f"{owner.name}.{name}", context, 0.9)
    if first == "self":
        for rank, other in enumerate(close(name, (*attributes, *methods))):
            yield renamed(uses, f"self.{other}", context, 0.75 - 0.05 * rank)


def _new_names(name: str, use: ast.Name, spot: Spot) -> Iterator[Mutation]:
    """A text that lost its quotes, or a variable that was never made."""
    context = spot.context
    parent = context.source.parents[use]
    quoted = 0.75 if isinstance(parent, (ast.Subscript, ast.Compare, ast.Dict)) else 0.45
    yield context.put(use, f'"{name}"', weight=quoted)
    method = parent.attr if isinstance(parent, ast.Attribute) else ""
    function = context.source.function_of(use)
    if method in _EMPTY and function is not None:
        for first in _work_of(function)[:1]:
            yield from inserted(first, f"{name} = {_EMPTY[method]}", context, weight=0.85, before=True)
    if function is not None and name.isidentifier():
        yield add_parameter(function, name, context, first=False, weight=0.4)


def _work_of(function: Function) -> list[ast.stmt]:
    """The statements that do something; there may be none, and a default still be evaluated."""
    return [statement for statement in function.body if not is_docstring(statement)]


def _unbound(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """Read before it is assigned: declare it as an outer one, begin it, or mean another."""
    name = match.group(1)
    for spot in project.spots(failure):
        context, function = spot.context, spot.context.source.function_of(spot.statement)
        uses = [node for node in spot.of(ast.Name) if node.id == name]
        work = _work_of(function) if function else []
        if function is None or not uses or not work:
            continue
        outer = context.source.function_of(function)
        if outer is not None and name in context.scopes.locals_of(outer):
            yield from inserted(work[0], f"nonlocal {name}", context, weight=1.0, before=True)
        elif name in context.scopes.module_variables:
            yield from inserted(work[0], f"global {name}", context, weight=1.0, before=True)
        yield from _begun(name, spot, function, work[0])
        pool = [other for other in context.scopes.variables(uses[0]) if other != name]
        for rank, other in enumerate(close(name, pool)):
            yield renamed(uses, other, context, 0.9 - 0.08 * rank)
            yield renamed(_all_uses(name, spot), other, context, 0.88 - 0.08 * rank)
        if isinstance(spot.statement, ast.AugAssign):
            yield from _plain(spot.statement, context)
        return


def _begun(name: str, spot: Spot, function: Function, first: ast.stmt) -> Iterator[Mutation]:
    """The variable's first value, before the function's first statement or before the loop."""
    context = spot.context
    loops = [node for node in context.source.ancestors(spot.statement) if isinstance(node, LOOPS)]
    loops = [loop for loop in loops if context.source.function_of(loop) is function]
    for rank, value in enumerate(_first_values(name, spot)):
        weight = 0.92 - 0.06 * rank
        yield from inserted(first, f"{name} = {value}", context, weight=weight, before=True)
        for loop in loops[:1]:
            if loop is not first:
                yield from inserted(loop, f"{name} = {value}", context, weight=weight - 0.02, before=True)


def _first_values(name: str, spot: Spot) -> tuple[str, ...]:
    kinds = {
        spot.context.scopes.kind(node.value)
        for node in spot.context.scopes.region(spot.statement)
        if isinstance(node, (ast.Assign, ast.AugAssign))
        and any(getattr(part, "id", "") == name for part in ast.walk(node) if isinstance(part, ast.Name))
    }
    statement = spot.statement
    if isinstance(statement, ast.AugAssign):
        operator = statement.op
        if isinstance(operator, ast.Mult):
            return ("1", "0")
        if isinstance(operator, (ast.BitOr, ast.BitAnd)):
            return ("set()", "0", "False")
    if Kind.STR in kinds:
        return ('""', "None", "[]")
    if Kind.LIST in kinds:
        return ("[]", "None", "0")
    if Kind.BOOL in kinds:
        return ("False", "True", "None")
    return ("0", "None", "[]", '""')


def _plain(statement: ast.AugAssign, context: Context) -> Iterator[Mutation]:
    token = context.source.operator_between(statement.target, statement.value)
    if token is not None:
        yield context.replace(token.start, token.end, "", weight=0.6, why="assign instead of accumulating")


TEMPLATES: tuple[Template, ...] = (
    template("unbound name", "NameError", r"name '(\w+)' is not defined", _not_defined),
    template("unbound local", "UnboundLocalError|NameError", r"variable '(\w+)'", _unbound),
)
