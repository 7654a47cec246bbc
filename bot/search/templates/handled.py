"""Exceptions that nobody handles: a ``try`` around the statement, with what the failing test waits for.

Without a sign of what the test waits for, an exception is not swallowed: it may be the only sign of a fault.
"""

import ast
import builtins
import re
from collections.abc import Iterator

from bot.search.exits import wanted
from bot.search.operators.base import Context, Mutation
from bot.search.operators.statements import inserted, reindented
from bot.search.source import Function
from bot.search.templates.changes import callee_name
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import Template, template

_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Delete)
# What a fault in the code itself raises, not the values that it is given.
_OWN_FAULTS = frozenset(
    [
        *("AssertionError", "SyntaxError", "NameError", "UnboundLocalError", "RecursionError", "SystemExit"),
        *("ImportError", "ModuleNotFoundError", "NotImplementedError"),
    ]
)
# For these, to ask before is plainer than to handle them.
_ASKED_BEFORE = frozenset({"AttributeError", "TypeError", "ZeroDivisionError", "IndexError", "KeyError"})
# Exceptions of the standard library by the builtin one that they are.
_BUILTIN = {"JSONDecodeError": "ValueError", "InvalidOperation": "ArithmeticError", "Error": "ValueError"}
_COMPARISONS = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})
_BOUNDED = frozenset({"log", "log10", "log2", "sqrt"})


def _handled(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    del match
    kind = failure.kind if hasattr(builtins, failure.kind) else _BUILTIN.get(failure.kind, "")
    if not kind or kind in _OWN_FAULTS:
        return
    for rank, spot in enumerate(project.spots(failure)):
        function = spot.context.source.function_of(spot.statement)
        if rank > 1 or function is None:
            return
        for code, weight in _reactions(spot, function, kind):
            yield from _tried(spot, kind, code, weight - 0.05 * rank)


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
    whole = not any(
        isinstance(part, (ast.Constant, ast.JoinedStr)) and part.lineno != part.end_lineno
        for part in ast.walk(statement)
    )
    if lines is None or indent is None or not whole or not isinstance(statement, _SIMPLE):
        return
    name = " as error" if code.startswith("raise") else ""
    cause = " from error" if name else ""
    inner = reindented(source.code[slice(*lines)], indent, indent + source.step)
    gap = "" if inner.endswith(("\n", "\r")) else source.newline
    parts = [f"{indent}try:{source.newline}{inner}{gap}", f"{indent}except {kind}{name}:{source.newline}",
             f"{indent}{source.step}{code}{cause}{source.newline}"]  # fmt: skip
    why = f"handle {kind}: `{code}`"
    yield spot.context.replace(*lines, "".join(parts), weight=weight, why=why)


def _asserted(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """An ``assert`` of the project where a test waits for another exception, or for an answer."""
    del match
    for spot in project.spots(failure):
        context, statement = spot.context, spot.statement
        function = context.source.function_of(statement)
        if isinstance(statement, ast.Assert) and function is not None:
            test = opposite(statement.test, context)
            indent = (
                context.source.newline + (context.source.indent_of(statement) or "") + context.source.step
            )
            for code in dict.fromkeys(wanted(function, statement, context)):
                start, end = context.source.segment(statement)
                yield context.replace(start, end, f"if {test}:{indent}{code}", weight=0.95)
        return


def opposite(test: ast.expr, context: Context) -> str:
    """The opposite of a condition, as one writes it."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        word = _OPPOSITES.get(type(test.ops[0]))
        if word:
            return f"{context.operand(test.left, 6)} {word} {context.operand(test.comparators[0], 6)}"
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return context.code(test.operand)
    return f"not {context.operand(test, 5)}"


_OPPOSITES: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
    ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">",
}  # fmt: skip


def _other_type(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A comparison with what is no object of the class."""
    del match
    for spot in project.spots(failure):
        context = spot.context
        function, owner = context.source.function_of(spot.statement), context.source.class_of(spot.statement)
        if (
            function is None
            or owner is None
            or function.name not in _COMPARISONS
            or len(function.args.args) != 2
        ):
            return
        other, step = function.args.args[1].arg, context.source.step
        for answer, weight in (("NotImplemented", 0.97), ("False", 0.9)):
            guard = f"if not isinstance({other}, {owner.name}):\n{step}return {answer}"
            yield from inserted(spot.statement, guard, context, weight=weight, before=True)
        return


def _out_of_domain(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``math.log10(x)`` of zero: zero in its place."""
    del match
    for spot in project.spots(failure):
        context, value = spot.context, getattr(spot.statement, "value", None)
        for call in spot.of(ast.Call):
            names = [part for part in ast.walk(call) if isinstance(part, ast.Name) and part is not call.func]
            asked = [name.id for name in names if name.id in context.scopes.variables(name)]
            if callee_name(call) in _BOUNDED and asked and isinstance(value, ast.expr):
                code = f"{context.operand(value, 2)} if {asked[0]} else 0"
                yield context.put(value, code, level=1, weight=0.93)
        return


TEMPLATES: tuple[Template, ...] = (
    template("not handled", "", r"", _handled),
    template("assertion for exception", "AssertionError", r"", _asserted),
    template("other type compared", "AttributeError|TypeError", r"", _other_type),
    template("out of domain", "ValueError", r"math domain|positive input|nonnegative input", _out_of_domain),
)
