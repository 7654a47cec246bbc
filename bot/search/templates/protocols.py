"""Special methods that return what Python does not take from them."""

import ast
import re
from collections.abc import Iterator
from itertools import islice

from bot.search.operators.base import Context, Mutation
from bot.search.source import FUNCTIONS, Function
from bot.search.templates.changes import callee_name
from bot.search.templates.failure import Failure
from bot.search.templates.members import method
from bot.search.templates.project import Definition, Project
from bot.search.templates.template import Template, template

# What a special method has to return, as the call that makes it so.
_RETURNED = {"__str__": "str", "__repr__": "str", "__format__": "str", "__len__": "len", "__index__": "int",
             "__hash__": "hash", "__int__": "int", "__bool__": "bool", "__float__": "float"}  # fmt: skip


def _returns_wrongly(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``__init__`` that returns something, ``__str__`` that returns no text."""
    name = match.group(1)
    for found in _makers(failure, project) if name == "__init__" else project.functions(name):
        context = found.context
        for node in ast.walk(found.node):
            own = context.source.function_of(node) is found.node
            if isinstance(node, ast.Return) and node.value is not None and own:
                if name in _RETURNED:
                    code = f"{_RETURNED[name]}({context.code(node.value)})"
                    yield context.put(node.value, code, weight=0.97)
                elif name == "__init__":
                    yield from _nothing_returned(node, context)
        if name in {"__str__", "__repr__"} and isinstance(found.node, FUNCTIONS):
            yield from _printing(found.node, context, 0.95)


def _makers(failure: Failure, project: Project) -> Iterator[Definition]:
    """The ``__init__`` of what the failing line makes: others, in every file, return nothing."""
    calls = [call for spot in islice(project.seen(failure), 1) for call in spot.of(ast.Call)]
    for name in dict.fromkeys(callee_name(call) for call in calls):
        for found in project.classes(name):
            for owner in (found, *project.bases(found)):
                if (init := method(owner, "__init__")) is not None:
                    yield Definition(owner.context, init, None)


def _nothing_returned(node: ast.Return, context: Context) -> Iterator[Mutation]:
    block, lines = context.source.block_of(node), context.source.whole_lines(node)
    if lines is not None and block[-1] is node and len(block) > 1:
        yield context.replace(*lines, "", weight=0.97, why="return nothing")
    yield context.replace(*context.source.segment(node), "return", weight=0.9)


def _printing(function: Function, context: Context, weight: float) -> Iterator[Mutation]:
    """``__str__`` that prints its text instead of returning it."""
    for node in function.body:
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and context.code(call.func) == "print" and len(call.args) == 1:
            code = f"return {context.code(call.args[0])}"
            yield context.replace(*context.source.segment(node), code, weight=weight)


TEMPLATES: tuple[Template, ...] = (
    template(
        "wrong return",
        "TypeError",
        r"^(__\w+__)(?:\(\))? (?:method )?(?:should return|returned non-|must return)",
        _returns_wrongly,
    ),
)
