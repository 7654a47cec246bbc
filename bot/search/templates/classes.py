"""Classes that do not fit their use: ``__init__`` misspelt, no dataclass, abstract methods left open."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Mutation
from bot.search.similar_names import close
from bot.search.source import FUNCTIONS
from bot.search.templates.changes import (
    decorated,
    decorators,
    definition_renamed,
    import_added,
    undecorated,
)
from bot.search.templates.failure import Failure
from bot.search.templates.members import members_of, misspelt_init
from bot.search.templates.project import Definition, Project
from bot.search.templates.template import Template, template


def _takes_none(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``X() takes no arguments``: ``__init__`` is misspelt, or the class forgot to be a dataclass."""
    del failure
    yield from generated(match.group(1), project)


def generated(name: str, project: Project) -> Iterator[Mutation]:
    """A class whose ``__init__`` Python does not find, or that should have one made."""
    for found in project.classes(name)[:2]:
        yield from misspelt_init(found)
        fields = [node for node in found.node.body if isinstance(node, ast.AnnAssign)]
        if fields and not any("dataclass" in code for code in decorators(found)):
            edits = list(decorated(found, "@dataclass", 1.0).edits)
            if "dataclass" not in found.context.scopes.known:
                imported = import_added("from dataclasses import dataclass", found.context, 1.0)
                edits = _joined(imported, edits)
            yield Mutation(edits=tuple(edits), weight=0.97, explanation="make it a dataclass")


def _joined(first: Mutation, edits: list) -> list:  # type: ignore[type-arg]
    """An import and a decorator as one edit where both go to the same place."""
    place = first.edits[0]
    if edits and edits[0].start == place.start:
        both = place.replacement + "\n\n" + edits[0].replacement
        return [type(place)(path=place.path, start=place.start, end=place.start, replacement=both)]
    return [*first.edits, *edits]


def _abstract(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A class that does not implement what its base asks for: the method is there under a similar name."""
    del failure
    names = re.findall(r"\w+", match.group(2).replace(" and ", " "))
    for found in project.classes(match.group(1))[:2]:
        for name in names[:2]:
            for rank, other in enumerate(close(name, members_of(found), cutoff=0.5)):
                for node in found.node.body:
                    if (
                        isinstance(node, FUNCTIONS)
                        and node.name == other
                        and isinstance(found.node, ast.ClassDef)
                    ):
                        definition = Definition(found.context, node, found.node)
                        yield definition_renamed(definition, name, 0.97 - 0.05 * rank)
            for base in project.functions(name):
                yield from undecorated(base, "abstractmethod", 0.45)


TEMPLATES: tuple[Template, ...] = (
    template("misspelt __init__", "TypeError", r"(\w+)\(\) takes no arguments", _takes_none),
    template(
        "abstract class",
        "TypeError",
        r"Can't instantiate abstract class (\w+) with(?:out an implementation for)?"
        r" abstract methods? ([\w', ]+)",
        _abstract,
    ),
)
