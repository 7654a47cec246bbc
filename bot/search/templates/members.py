"""What a class has: its members, and those that it has under another name."""

import ast
from collections.abc import Iterator

from bot.search.operators.base import Mutation
from bot.search.similar_names import close
from bot.search.source import FUNCTIONS, Function
from bot.search.templates.changes import definition_renamed
from bot.search.templates.project import Definition


def members_of(found: Definition) -> list[str]:
    """What a class defines and sets on ``self``, in text order."""
    names = []
    for node in ast.walk(found.node):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}:
                names.append(node.attr)
        elif isinstance(node, FUNCTIONS):
            names.append(node.name)
    for statement in found.node.body:
        targets = (
            statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        )
        names += [target.id for target in targets if isinstance(target, ast.Name)]
    return list(dict.fromkeys(names))


def method(found: Definition, name: str) -> Function | None:
    """The method of a class that has that name."""
    return next((node for node in found.node.body if isinstance(node, FUNCTIONS) and node.name == name), None)


def misspelt_init(found: Definition) -> Iterator[Mutation]:
    """``__int__``, ``_init_`` and the like, which Python never calls."""
    slips = [node.name for node in found.node.body if isinstance(node, FUNCTIONS)]
    for rank, other in enumerate(close("__init__", slips, cutoff=0.7)):
        node = method(found, other)
        assert node is not None
        definition = Definition(
            found.context, node, found.node if isinstance(found.node, ast.ClassDef) else None
        )
        yield definition_renamed(definition, "__init__", 0.98 - 0.05 * rank)


def renamed_member(name: str, found: Definition, weight: float = 0.9) -> Iterator[Mutation]:
    """What the tests ask for is there under a similar name; ``weight`` is that of the most similar one."""
    methods = [node.name for node in found.node.body if isinstance(node, FUNCTIONS)]
    for rank, other in enumerate(close(name, methods)):
        node = method(found, other)
        if node is not None and not other.startswith("__"):
            owner = found.node if isinstance(found.node, ast.ClassDef) else None
            yield definition_renamed(Definition(found.context, node, owner), name, weight - 0.06 * rank)
