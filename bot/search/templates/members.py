"""What a class has, or has under another name; and what it declares in a way that Python refuses."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, together
from bot.search.source import FUNCTIONS, Function
from bot.search.templates.changes import close, definition_renamed, import_added
from bot.search.templates.failure import Failure
from bot.search.templates.project import Definition, Project
from bot.search.templates.template import template


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


def method(found: Definition[ast.ClassDef], name: str) -> Function | None:
    """The method of a class that has that name."""
    return next((node for node in found.node.body if isinstance(node, FUNCTIONS) and node.name == name), None)


def misspelt_init(found: Definition[ast.ClassDef]) -> Iterator[Mutation]:
    """``__int__``, ``_init_`` and the like, which Python never calls."""
    yield from renamed_member("__init__", found, 0.98, cutoff=0.7)


def renamed_member(
    name: str, found: Definition[ast.ClassDef], weight: float = 0.9, *, cutoff: float = 0.6
) -> Iterator[Mutation]:
    """What somebody asks for is there under a similar name; ``weight`` is that of the most similar one."""
    methods = [node.name for node in found.node.body if isinstance(node, FUNCTIONS)]
    for rank, other in enumerate(close(name, methods, cutoff=cutoff)):
        node = method(found, other)
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
    yield import_added("from dataclasses import field", context, 1.0)
