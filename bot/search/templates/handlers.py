"""Exceptions raised where somebody waits for others: the handler around the line catches too little."""

import ast
import builtins
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import Template, template

# What no handler should take in passing.
_LEFT_ALONE = frozenset({"AssertionError", "SyntaxError", "NameError", "RecursionError", "SystemExit"})


def _not_caught(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    del match
    raised = getattr(builtins, failure.kind, None)
    known = isinstance(raised, type) and issubclass(raised, Exception)
    if failure.kind in _LEFT_ALONE or not failure.kind.isidentifier():
        return
    for spot in project.spots(failure):
        if known or failure.kind in spot.context.scopes.outer_names:
            for attempt in _tries_around(spot):
                for handler in attempt.handlers:
                    yield from _widened(handler, failure.kind, spot.context)


def _tries_around(spot: Spot) -> Iterator[ast.Try]:
    """The ``try`` statements in whose guarded part the line stands, innermost first."""
    inner: ast.AST = spot.statement
    for above in spot.context.source.ancestors(spot.statement):
        if isinstance(above, ast.Try) and inner in above.body:
            yield above
        inner = above


def _widened(handler: ast.ExceptHandler, kind: str, context: Context) -> Iterator[Mutation]:
    if handler.type is None:
        return
    caught = context.code(handler.type)
    inner = caught[1:-1].rstrip(", ") if isinstance(handler.type, ast.Tuple) else caught
    yield context.put(handler.type, f"({inner}, {kind})", weight=0.86)
    yield context.put(handler.type, kind, weight=0.84)


TEMPLATES: tuple[Template, ...] = (template("not caught", "", r"", _not_caught),)
