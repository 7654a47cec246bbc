"""Fields of dataclasses: mutable defaults, and fields in an order that Python does not allow."""

import ast
import re
from collections.abc import Iterator

from bot.domain import SpanEdit
from bot.search.operators.base import Context, Mutation
from bot.search.templates.changes import (
    import_added,
)
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project
from bot.search.templates.template import Template, template


def _mutable_field(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``tags: list = []`` in a dataclass: each object needs its own."""
    factory, name = match.group(1), match.group(2)
    for path in dict.fromkeys(frame.path for frame in failure.frames):
        context = project.context(path)
        for node in context.source.statements if context else ():
            named = isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == name and node.value
            if context and named and isinstance(node, ast.AnnAssign) and node.value:
                whole = context.code(node.value)
                call = factory if whole in {"[]", "{}", f"{factory}()"} else f"lambda: {whole}"
                yield _field(node, call, context)


def _field(node: ast.AnnAssign, factory: str, context: Context) -> Mutation:
    assert node.value is not None
    edits = list(context.put(node.value, f"field(default_factory={factory})").edits)
    if "field" not in context.scopes.known:
        edits += _field_imported(context)
    why = f"make a new `{factory}` for each object"
    return Mutation(edits=tuple(edits), weight=1.0, explanation=why)


def _field_imported(context: Context) -> tuple[SpanEdit, ...]:
    """``field`` added to the import that brings ``dataclass``, or imported by a line of its own."""
    for statement in context.source.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "dataclasses":
            end = context.source.segment(statement.names[-1])[1]
            return context.replace(end, end, ", field").edits
    return import_added("from dataclasses import field", context, 1.0).edits


def _field_order(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A field without a default after one that has one."""
    name = match.group(1)
    for path in dict.fromkeys(frame.path for frame in failure.frames):
        context = project.context(path)
        for node in context.source.statements if context else ():
            if context and isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == name:
                end = context.source.segment(node)[1]
                for value, weight in (("None", 0.9), ("0", 0.8), ('""', 0.75), ("False", 0.6)):
                    yield context.replace(end, end, f" = {value}", weight=weight)
                yield from _first_field(node, context)


def _first_field(node: ast.AnnAssign, context: Context) -> Iterator[Mutation]:
    """The field moved before the first one that has a default."""
    lines = context.source.whole_lines(node)
    block = context.source.block_of(node)
    with_default = [part for part in block if isinstance(part, ast.AnnAssign) and part.value is not None]
    target = context.source.whole_lines(with_default[0]) if with_default else None
    if lines and target and target[0] < lines[0]:
        moved = context.source.code[slice(*lines)]
        edits = (
            *context.replace(target[0], target[0], moved).edits,
            *context.replace(*lines, "").edits,
        )
        yield Mutation(edits=edits, weight=0.95, explanation="put the field before those with a default")


TEMPLATES: tuple[Template, ...] = (
    template(
        "mutable field",
        "ValueError",
        r"mutable default <class '(?:\w+\.)*(\w+)'> for field (\w+)",
        _mutable_field,
    ),
    template("field order", "TypeError", r"non-default argument '(\w+)' follows default", _field_order),
)
