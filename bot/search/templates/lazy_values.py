"""Comparisons that show no value but what would make it: a coroutine, a generator, a map."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Mutation
from bot.search.templates.changes import callee_name, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.project import Definition, Project
from bot.search.templates.template import Template, template

_COROUTINE = re.compile(r"<coroutine object (?:[\w<>]+\.)*(\w+) at")
_LAZY = re.compile(
    r"<(?:itertools\.)?(map|filter|zip|enumerate|reversed|chain|list_reverseiterator) object at"
)
_VIEW = re.compile(r"\bdict_(keys|values|items)\(")
_GENERATOR = re.compile(r"<generator object (?:[\w<>]+\.)*?(\w+)(?:\.<locals>)?\.<genexpr> at")
_CALLED = {"list_reverseiterator": "reversed"}  # where a type is not called what makes it
_MAX_FUNCTIONS = 4


def _shown(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    del match
    comparison = failure.comparison
    if comparison is None:
        return
    text = f"{comparison.left} {comparison.right}"
    for found in _COROUTINE.finditer(text):
        yield from _awaited(found.group(1), project)
    lazy = [found.group(1) for found in (*_LAZY.finditer(text), *_VIEW.finditer(text))]
    names = [found.group(1) for found in _GENERATOR.finditer(text)]
    if lazy or names:
        for definition in _called(failure, project, names):
            yield from _listed(definition, {_CALLED.get(name, name) for name in lazy})


def _awaited(name: str, project: Project) -> Iterator[Mutation]:
    """Every call of the coroutine inside another one that nobody waits for."""
    for spot in project.calls({name}):
        for call in spot.of(ast.Call):
            waits = isinstance(spot.context.source.parents[call], ast.Await)
            inside = isinstance(spot.context.source.function_of(call), ast.AsyncFunctionDef)
            if callee_name(call) == name and inside and not waits:
                yield spot.context.put(call, f"await {spot.context.code(call)}", level=14, weight=0.98)


def _called(failure: Failure, project: Project, names: list[str]) -> list[Definition]:
    """The project's functions that the failing line calls, or that made the generator."""
    for frame in failure.frames[:1]:
        spot = project.spot(frame)
        names = names + [callee_name(call) for call in (spot.of(ast.Call) if spot else ())]
    return [found for name in dict.fromkeys(names) for found in project.functions(name)][:_MAX_FUNCTIONS]


def _listed(found: Definition, lazy: set[str]) -> Iterator[Mutation]:
    """The answer as a list, where the function returns what would make one."""
    context = found.context
    for node in ast.walk(found.node):
        value = node.value if isinstance(node, ast.Return) else None
        if value is None or context.source.function_of(node) is not found.node:
            continue
        if isinstance(value, ast.GeneratorExp):
            yield context.put(value, f"[{context.code(value)[1:-1]}]", weight=0.97)
            yield context.put(value, f"tuple({context.code(value)[1:-1]})", weight=0.6)
        elif (isinstance(value, ast.Call) and callee_name(value) in lazy) or isinstance(value, ast.Name):
            sure = 0.97 if isinstance(value, ast.Call) else 0.8
            yield wrapped(value, "list", context, sure)
            yield wrapped(value, "tuple", context, sure - 0.3)


TEMPLATES: tuple[Template, ...] = (template("shown unmade", "AssertionError", r"", _shown),)
