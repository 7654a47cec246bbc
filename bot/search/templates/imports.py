"""Imports that fail: a module or member misspelt, moved between versions, or named from the wrong place."""

import ast
import re
import sys
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, together
from bot.search.source import FUNCTIONS
from bot.search.templates.changes import close, definition_renamed, modules_for
from bot.search.templates.failure import Failure
from bot.search.templates.library import HOMES, MEMBERS_MOVED, MODULES_MOVED, members
from bot.search.templates.project import Definition, Project, Spot
from bot.search.templates.template import template


def imports_of(project: Project, failure: Failure, module: str) -> Iterator[tuple[Spot, ast.stmt]]:
    """The import statements that name ``module``: in the failure's frames, else anywhere."""
    for spot in project.spots(failure):
        if isinstance(spot.statement, (ast.Import, ast.ImportFrom)):
            yield spot, spot.statement
            return
    last = module.rpartition(".")[2]
    for path in project.paths:
        context = project.context(path) if last in project.sources[path] else None
        for node in context.source.statements if context else ():
            named = isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == last
            named |= isinstance(node, ast.Import) and any(module in alias.name for alias in node.names)
            if context and named:
                yield Spot(context, node.lineno, node, (node,)), node


@template("missing module", "ModuleNotFoundError|ImportError", r"No module named '?([\w.]+)'?")
def _no_module(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    missing = match.group(1)
    for spot, statement in imports_of(project, failure, missing):
        for other, weight in _other_modules(missing, spot, project):
            yield from _module_put(statement, missing, other, weight, spot.context)


def _other_modules(missing: str, spot: Spot, project: Project) -> Iterator[tuple[str, float]]:
    if missing in MODULES_MOVED:
        yield MODULES_MOVED[missing], 1.0
    head, _, last = missing.rpartition(".")
    # The project has the module, only not under that name: its package, or a dot, is missing.
    if (path := project.module(missing)) or (path := project.module(last)):
        for rank, name in enumerate(modules_for(path, spot, project)):
            if name != missing:
                yield name, 0.99 - 0.02 * rank
    stems = {".".join(project.dotted(each)): each for each in sorted(project.sources) if each.endswith(".py")}
    for rank, other in enumerate(close(missing, stems)):
        yield other, 0.95 - 0.05 * rank
    tails = {name.rpartition(".")[2]: each for name, each in stems.items()}
    for rank, other in enumerate(close(last, tails)):
        for name in modules_for(tails[other], spot, project):
            yield name, 0.93 - 0.05 * rank
    if not head:
        for rank, other in enumerate(close(missing, sorted(sys.stdlib_module_names))):
            yield other, 0.94 - 0.05 * rank


def _module_put(
    statement: ast.stmt, old: str, new: str, weight: float, context: Context
) -> Iterator[Mutation]:
    """The import statement with another module; names bound by a plain import stay what they were."""
    source = context.source
    if isinstance(statement, ast.ImportFrom):
        start = source.code.index("from", source.segment(statement)[0]) + 4
        end = re.compile(r"\bimport\b").search(source.code, start)
        if end is not None:
            yield context.replace(start, end.start(), f" {new} ", weight=weight, why=f"import from `{new}`")
        return
    assert isinstance(statement, ast.Import)
    for alias in statement.names:
        if old in {alias.name, alias.name.split(".")[0]}:
            package, _, last = new.rpartition(".")
            bound = alias.asname or alias.name
            code = f"{new} as {bound}" if bound != new else new
            if len(statement.names) == 1 and (new.startswith(".") or package) and not alias.asname:
                origin = package or "." * (len(new) - len(new.lstrip(".")))
                renaming = f" as {bound}" if last != bound and "." not in bound else ""
                whole = f"from {origin} import {last}{renaming}"
                yield context.replace(*source.segment(statement), whole, weight=weight + 0.005)
            if not new.startswith("."):
                yield context.replace(*source.segment(alias), code, weight=weight)
                if "." not in new:
                    yield _renamed_throughout(alias, new, weight - 0.01, context)


def _renamed_throughout(alias: ast.alias, new: str, weight: float, context: Context) -> Mutation:
    """Another name imported, and used wherever the old one was."""
    names = (node for node in context.source.parents if isinstance(node, ast.Name) and not alias.asname)
    uses = (context.put(node, new) for node in names if node.id == alias.name)
    own = context.replace(*context.source.segment(alias), new)
    return together(own, *uses, weight=weight, why=f"import `{new}` instead of `{alias.name}`")


@template(
    "missing member",
    "ImportError",
    r"cannot import name '?(\w+)'? from (?:partially initialized module )?"
    r"'?([\w.]+)'?",
)
def _cannot_import(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    name, module = match.group(1), match.group(2)
    path = project.module(module)
    spots = [spot for spot in project.spots(failure) if isinstance(spot.statement, ast.ImportFrom)]
    for spot in spots[:1]:
        yield from _other_member(name, module, path, spot, project)
    if path and project.may_change(path):
        yield from _offered(name, path, project, sure=not spots)


def _other_member(name: str, module: str, path: str, spot: Spot, project: Project) -> Iterator[Mutation]:
    context, statement = spot.context, spot.statement
    assert isinstance(statement, ast.ImportFrom)
    alias = next((each for each in statement.names if each.name == name), None)
    if alias is None:
        return
    # Where the standard library keeps what the module does not have.
    moved = MEMBERS_MOVED.get((module, name))
    home = (HOMES[name], name) if HOMES.get(name, module) != module else moved
    if home is not None:
        yield from _moved(statement, alias, home, 1.0, context)
    for other in project.exported(name):
        if other not in {path, context.source.path}:
            for rank, dotted in enumerate(modules_for(other, spot, project)):
                yield from _moved(statement, alias, (dotted, name), 0.97 - 0.02 * rank, context)
    bound = alias.asname or name
    for rank, other in enumerate(close(name, _names_in(module, path, project))):
        weight = 0.96 - 0.06 * rank
        yield _renamed_throughout(alias, other, weight, context)
        yield context.replace(*context.source.segment(alias), f"{other} as {bound}", weight=weight - 0.03)


def _moved(
    statement: ast.ImportFrom, alias: ast.alias, home: tuple[str, str], weight: float, context: Context
) -> Iterator[Mutation]:
    """The member imported from elsewhere, in the statement's place or in one of its own."""
    module, member = home
    bound = alias.asname or alias.name
    renaming = f" as {bound}" if member != bound else ""
    line = f"from {module} import {member}{renaming}" if module else f"{bound} = {member}"
    start, end = context.source.segment(statement)
    others = [context.code(each) for each in statement.names if each is not alias]
    if not others:
        yield context.replace(start, end, line, weight=weight)
        return
    origin = "." * statement.level + (statement.module or "")
    kept = f"from {origin} import {', '.join(others)}"
    indent = context.source.indent_of(statement) or ""
    newline = context.source.newline
    yield context.replace(start, end, f"{kept}{newline}{indent}{line}", weight=weight)


def _names_in(module: str, path: str, project: Project) -> tuple[str, ...]:
    context = project.context(path) if path else None
    if context is None:
        return members(module)
    defined = [node.name for node in context.source.tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))]
    return (*defined, *context.scopes.module_variables)


def _offered(name: str, path: str, project: Project, *, sure: bool) -> Iterator[Mutation]:
    """The module made to offer the name: one of its own renamed, or one of its package's passed on."""
    context = project.context(path)
    if context is None:
        return
    top = [node for node in context.source.tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))]
    for rank, other in enumerate(close(name, [node.name for node in top])):
        node = next(node for node in top if node.name == other)
        weight = (0.97 if sure else 0.6) - 0.05 * rank
        yield definition_renamed(Definition(context, node, None), name, weight)
    spot = Spot(context, 1, context.source.tree.body[0], ()) if context.source.tree.body else None
    for other in project.exported(name):
        # An empty file has no statement to look around from; a line is all that it takes.
        names = modules_for(other, spot, project) if spot else iter([".".join(project.dotted(other))])
        dotted = next(names, "")
        if other != path and dotted:
            line = f"from {dotted} import {name}{context.source.newline}"
            end = len(context.source.code)
            gap = "" if not end or context.source.code.endswith(("\n", "\r")) else context.source.newline
            yield context.replace(end, end, gap + line, weight=0.95, why=f"import `{name}` there")


@template("module attribute", "AttributeError", r"module '([\w.]+)' has no attribute '(\w+)'")
def _no_member(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``module.name`` that the module does not have."""
    module, name = match.group(1), match.group(2)
    path = project.module(module)
    for spot in project.spots(failure):
        context = spot.context
        uses = [node for node in spot.of(ast.Attribute) if node.attr == name]
        for node in uses[:1]:
            # What moved to another module may need an import.
            if moved := MEMBERS_MOVED.get((module, name)):
                yield context.put(node, ".".join(moved), weight=1.0 if moved[0] == module else 0.8)
            # `datetime.now` where the module's class of the same name was meant.
            if module in members(module) and name in dir(getattr(sys.modules[module], module)):
                yield context.put(node.value, f"{context.code(node.value)}.{module}", weight=1.0)
            for rank, other in enumerate(close(name, _names_in(module, path, project))):
                yield context.rename(node, other, weight=0.97 - 0.05 * rank)
            return
    if path and project.may_change(path):
        yield from _offered(name, path, project, sure=True)
