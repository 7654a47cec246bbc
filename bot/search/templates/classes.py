"""What a class lacks for what is done with its objects: a hash, an object to enter, lists of their own.

The special methods are those of Python's data model; ``default_factory`` is the dataclasses' own way.
"""

import ast
import re
from collections.abc import Iterator
from itertools import islice

from bot.patch.syntax import last_name
from bot.search.operators.base import Context, Mutation, together
from bot.search.operators.statements import import_added, inserted
from bot.search.source import Function, attribute_of_self, method_of
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project
from bot.search.templates.template import template

_EMPTY = {"List": "list", "Dict": "dict", "Set": "set", "list": "list", "dict": "dict", "set": "set"}


@template("no hash", "TypeError", r"unhashable type: '(\w+)'")
def _no_hash(match: re.Match[str], _failure: Failure, project: Project) -> Iterator[Mutation]:
    """A class with ``__eq__`` and without ``__hash__``: of the same attributes."""
    for found in project.classes(match.group(1))[:1]:
        equal = method_of(found.node, "__eq__")
        compared = _own_attributes(equal) if equal else []
        if equal is None or not compared or method_of(found.node, "__hash__"):
            continue
        source = found.context.source
        items = ", ".join(f"self.{name}" for name in compared)
        value = f"({items})" if len(compared) > 1 else items
        indent, end = source.indent_of(equal), source.whole_lines(equal)
        if indent is not None and end is not None:
            lines = [f"{indent}def __hash__(self):", f"{indent}{source.step}return hash({value})", ""]
            gap = "" if source.code[: end[1]].endswith("\n") else source.newline
            code = gap + source.newline + source.newline.join(lines)
            yield found.context.replace(end[1], end[1], code, weight=0.97, why="hash what `__eq__` compares")


def _own_attributes(function: Function) -> list[str]:
    """The attributes of ``self`` that are read, in the order of the text."""
    read = map(attribute_of_self, ast.walk(function))
    return [name for name in dict.fromkeys(read) if name and not name.startswith("__")]


@template("default of a field", "ValueError", r"mutable default <class '(\w+)'> for field (\w+) is not")
def _mutable_field(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``lines: list = []`` in a dataclass."""
    for spot in project.spots(failure):
        for field in spot.context.source.statements:
            named = isinstance(field, ast.AnnAssign) and _name(field) == match.group(2)
            if isinstance(field, ast.AnnAssign) and field.value and named:
                made = _emptied(field.value) or f"lambda: {spot.context.code(field.value)}"
                yield _factory(field, field.value, made, spot.context)


@template("default of a field", "AttributeError|TypeError", r"'NoneType' object (?:has no attribute|is not)")
def _field_without_list(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``lines: list = None`` in a dataclass, and ``self.lines.append`` later."""
    for spot in islice(project.spots(failure), 1):
        owner = spot.context.source.class_of(spot.statement)
        read = {node.attr for node in spot.of(ast.Attribute)}
        for field in owner.body if owner and owner.decorator_list else ():
            match field:
                case ast.AnnAssign(value=ast.Constant(value=None) as value) if _name(field) in read:
                    kind = field.annotation
                    base = last_name(kind.value if isinstance(kind, ast.Subscript) else kind)
                    if base in _EMPTY:
                        yield _factory(field, value, _EMPTY[base], spot.context)


def _name(field: ast.AnnAssign) -> str:
    return field.target.id if isinstance(field.target, ast.Name) else ""


def _emptied(value: ast.expr) -> str:
    match value:
        case ast.List(elts=[]):
            return "list"
        case ast.Dict(keys=[]):
            return "dict"
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            return name
    return ""


def _factory(field: ast.AnnAssign, value: ast.expr, made: str, context: Context) -> Mutation:
    changes = [context.put(value, f"field(default_factory={made})")]
    if "field" not in context.scopes.known:
        changes.append(_imported(context))
    return together(*changes, weight=0.98, why=f"make a new `{_name(field)}` for each object")


def _imported(context: Context) -> Mutation:
    """``field`` beside ``dataclass`` in its import, or an import of its own."""
    for node in context.source.tree.body:
        match node:
            case ast.ImportFrom(module="dataclasses", level=0, names=[*_, last]):
                end = context.source.segment(last)[1]
                return context.replace(end, end, ", field")
    return import_added("from dataclasses import field", context)


@template("nothing entered", "AttributeError", r"'NoneType' object has no attribute")
def _nothing_entered(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``with Timer() as timer`` where ``__enter__`` returns nothing."""
    for spot in islice(project.seen(failure), 1):
        around = spot.context.source.function_of(spot.statement) or spot.context.source.tree
        for name in dict.fromkeys(_entered_by_name(around)):
            for found in project.classes(name)[:1]:
                enter = method_of(found.node, "__enter__")
                if enter and not any(isinstance(node, ast.Return) and node.value for node in ast.walk(enter)):
                    yield from inserted(enter.body[-1], "return self", found.context, weight=0.98)


def _entered_by_name(around: ast.AST) -> Iterator[str]:
    """The classes ``C`` of ``with C(...) as name`` below ``around``."""
    for node in ast.walk(around):
        match node:
            case ast.withitem(context_expr=ast.Call(func=made), optional_vars=ast.expr()):
                yield last_name(made)
