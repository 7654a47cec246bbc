"""Exceptions that nobody handles: one more type for the handler around a statement, or a ``try`` of its own.

Without a sign of what the test waits for, an exception is not swallowed: it may be the only sign of a fault.
"""

import ast
import builtins
import re
from collections.abc import Iterator

from bot.search.exits import wanted
from bot.search.operators.base import Mutation
from bot.search.operators.statements import one_line_texts, reindented
from bot.search.source import Function, names_in
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import template

_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Delete)
# What a fault in the code itself raises, not the values that it is given.
_OWN_FAULTS = frozenset(
    [
        *("AssertionError", "SyntaxError", "NameError", "UnboundLocalError", "RecursionError", "SystemExit"),
        *("ImportError", "ModuleNotFoundError", "NotImplementedError"),
    ]
)
_BROAD = frozenset({"Exception", "BaseException"})
_SAYING_NOTHING = frozenset({"RuntimeError", "Exception"})
# For these, to ask before is plainer than to handle them.
_ASKED_BEFORE = frozenset({"AttributeError", "TypeError", "ZeroDivisionError", "IndexError", "KeyError"})
# Exceptions of the standard library by the builtin one that they are.
_BUILTIN = {"JSONDecodeError": "ValueError", "InvalidOperation": "ArithmeticError", "Error": "ValueError"}


@template("caught beside", "", r"")
def _caught_beside(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``except ValueError:`` around what raised a TypeError: ``except (ValueError, TypeError):``."""
    if failure.kind in _OWN_FAULTS or _is_of_a_test(failure, project):
        return
    weight = 0.97
    for spot in project.spots(failure):
        source = spot.context.source
        if _stands_for_all(spot):
            return
        known = failure.kind in spot.context.scopes.outer_names
        for handler in _around(spot) if known else ():
            if handler.type is None or _BROAD & {*names_in(handler.type)}:
                return
            held = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            types = ", ".join([*map(spot.context.code, held), failure.kind])
            why = f"handle {failure.kind} as well"
            yield spot.context.replace(*source.outer(handler.type), f"({types})", weight=weight, why=why)
            weight -= 0.1


def _stands_for_all(spot: Spot) -> bool:
    """Whether a handler of every exception raises it: who handles it hides any fault at all."""
    source = spot.context.source
    above = source.ancestors(spot.statement) if isinstance(spot.statement, ast.Raise) else ()
    handlers = (one for one in above if isinstance(one, ast.ExceptHandler))
    return any(one.type is None or _BROAD & {*names_in(one.type)} for one in handlers)


def _around(spot: Spot) -> Iterator[ast.ExceptHandler]:
    """The handlers of what is raised at ``spot``, innermost first."""
    source, inner = spot.context.source, spot.statement
    function = source.function_of(inner)
    for above in source.ancestors(inner):
        if above is function:
            return
        if isinstance(above, ast.Try) and inner in above.body:
            yield from above.handlers
        inner = above if isinstance(above, ast.stmt) else inner


@template("not handled", "", r"")
def _handled(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind = failure.kind if hasattr(builtins, failure.kind) else _BUILTIN.get(failure.kind, "")
    if not kind or kind in _OWN_FAULTS or _is_of_a_test(failure, project):
        return
    for rank, spot in enumerate(project.spots(failure)):
        function = spot.context.source.function_of(spot.statement)
        if rank > 1 or function is None or _stands_for_all(spot):
            return
        for code, weight in _reactions(spot, function, kind):
            yield from _tried(spot, kind, code, weight - 0.05 * rank)


def _is_of_a_test(failure: Failure, project: Project) -> bool:
    """Whether a test's own stand-in refused what it was asked: no error that a program should handle."""
    return failure.kind in _SAYING_NOTHING and not any(
        project.may_change(frame.path) for frame in failure.frames[:1]
    )


def _reactions(spot: Spot, function: Function, kind: str) -> Iterator[tuple[str, float]]:
    context = spot.context
    doubt = 0.1 if kind in _ASKED_BEFORE else 0.0
    expected = list(dict.fromkeys(wanted(function, spot.statement, context, "str(error)")))
    for code in expected[:2]:
        raises = code.startswith("raise")
        if not code.startswith(f"raise {kind}"):
            yield code, 0.96 if raises else 0.93 - doubt
    asserted = any(one.answer is not None or one.raises for one in context.examples.failing)
    if not asserted and isinstance(spot.statement, ast.Expr):
        yield "pass", 0.72 - doubt


def _tried(spot: Spot, kind: str, code: str, weight: float) -> Iterator[Mutation]:
    """``try`` around the statement, where it takes whole lines."""
    source, statement = spot.context.source, spot.statement
    lines, indent = source.whole_lines(statement), source.indent_of(statement)
    whole = one_line_texts(statement) and isinstance(statement, _SIMPLE)
    if lines is None or indent is None or not whole:
        return
    name = " as error" if code.startswith("raise") else ""
    cause = " from error" if name else ""
    inner = reindented(source.code[slice(*lines)], indent, indent + source.step)
    gap = "" if inner.endswith(("\n", "\r")) else source.newline
    parts = [f"{indent}try:{source.newline}{inner}{gap}", f"{indent}except {kind}{name}:{source.newline}",
             f"{indent}{source.step}{code}{cause}{source.newline}"]  # fmt: skip
    why = f"handle {kind}: `{code}`"
    yield spot.context.replace(*lines, "".join(parts), weight=weight, why=why)
