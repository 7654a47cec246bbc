"""Properties and methods taken for one another, and properties that cannot be set."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Mutation
from bot.search.operators.statements import inserted
from bot.search.source import FUNCTIONS
from bot.search.templates.changes import callee_name, put_like, suffixed, undecorated
from bot.search.templates.failure import Failure
from bot.search.templates.project import Definition, Project
from bot.search.templates.template import Template, template


def _no_setter(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A property assigned to: its field was meant, or the setter is missing."""
    del match
    for spot in project.seen(failure):
        context = spot.context
        for node in spot.of(ast.Attribute):
            if isinstance(node.ctx, ast.Store):
                end = context.source.segment(node)[1]
                yield context.replace(end - len(node.attr), end, f"_{node.attr}", weight=0.95)
                for found in project.functions(node.attr):
                    yield from _setter(found)
                return


def _setter(found: Definition) -> Iterator[Mutation]:
    fields = [
        node.attr
        for node in ast.walk(found.node)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    ]
    decorated = any(getattr(part, "id", "") == "property" for part in found.node.decorator_list)
    if fields and decorated and isinstance(found.node, FUNCTIONS):
        name = found.node.name
        body = f"{found.context.source.step}self.{fields[0]} = value"
        code = f"\n@{name}.setter\ndef {name}(self, value):\n{body}"
        yield from inserted(found.node, code, found.context, weight=0.85)


def is_property(found: Definition) -> bool:
    """Whether a function is read like a field."""
    return any("property" in found.context.code(part) for part in found.node.decorator_list)


def _property_called(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``x.size()`` where ``size`` is a property, or ``x.size`` where the tests want one."""
    del match
    for spot in project.spots(failure):
        for call in spot.of(ast.Call):
            if isinstance(call.func, ast.Attribute) and any(
                map(is_property, project.functions(callee_name(call)))
            ):
                yield put_like(call, call.func, spot.context, 1.0)
        break
    for frame in failure.frames[:1]:
        place = project.spot(frame)
        for call in place.of(ast.Call) if place else ():
            for found in project.functions(callee_name(call)):
                if found.owner is not None:
                    for name in ("property", "cached_property"):
                        yield from undecorated(found, name, 0.8)


def _method_for_value(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A method compared or computed with: its parentheses were forgotten, or it should be a property."""
    del match
    shown = f"{failure.comparison.left} {failure.comparison.right}" if failure.comparison else ""
    names = re.findall(r"<bound method (?:\w+\.)*(\w+) of|<function (?:[\w<>]+\.)*(\w+) at", shown)
    called = {name for pair in names for name in pair if name}
    for spot in project.seen(failure):
        reads = [node for node in spot.of(ast.Attribute) if isinstance(node.ctx, ast.Load)]
        for node in reads:
            is_call = isinstance(spot.context.source.parents[node], ast.Call)
            if not is_call and (node.attr in called or not called):
                found = [each for each in project.functions(node.attr) if each.owner is not None]
                if found and not any(map(is_property, found)):
                    yield suffixed(node, "()", spot.context, 0.97)
                    yield from (_as_property(each) for each in found[:2])
        break


def _as_property(found: Definition) -> Mutation:
    source = found.context.source
    start = source.segment(found.node)[0]
    indent = source.indent_of(found.node) or ""
    code = f"@property{source.newline}{indent}"
    return found.context.replace(start, start, code, weight=0.9, why="make it a property")


TEMPLATES: tuple[Template, ...] = (
    template("missing setter", "AttributeError", r"has no setter|can't set attribute|can't set", _no_setter),
    template("method for value", "AssertionError", r"^", _method_for_value),
    template("method for value", "TypeError|AttributeError", r"'(?:method|function)'", _method_for_value),
    template("property called", "TypeError", r"object is not callable", _property_called),
)
