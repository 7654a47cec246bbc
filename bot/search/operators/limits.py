"""A number that should stay within a limit: ``min(self.capacity, x)``, ``max(0, x)``, ``max(best, x)``."""

import ast
import re
from collections.abc import Iterator

from bot.search.kinds import NUMBERS
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.wrap import is_value
from bot.search.precedence import ARITH, TERM

_UPPER = frozenset(
    {"max", "maximum", "limit", "capacity", "cap", "most", "high", "highest", "upper", "ceiling"}
)
_LOWER = frozenset({"min", "minimum", "least", "low", "lowest", "lower", "floor"})
_WORD = re.compile(r"[a-z]+")
_MAX_OTHERS = 2
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


@operator("limit", prior=0.35, kinds=(ast.AugAssign, ast.Assign, ast.Return))
def limit(node: ast.AugAssign | ast.Assign | ast.Return, context: Context) -> Iterator[Mutation]:
    """A result that grows beyond what the object or the function has as its limit, or below zero."""
    value = _value(node, context)
    if not (value and context.failing):  # what is right already lies within many limits
        return
    upper, lower = _limits(node, context)
    bounds = [*(("min", name, 1.0) for name in upper), *(("max", name, 1.0) for name in lower)]
    for function, bound, weight in (*bounds, ("max", "0", 0.7)):
        code = f"{function}({bound}, {value})"
        if isinstance(node, ast.AugAssign):
            assignment = f"{context.code(node.target)} = {code}"
            yield context.replace(*context.source.segment(node), assignment, weight=weight)
        elif node.value is not None:
            yield context.put(node.value, code, weight=weight)


def _value(node: ast.AugAssign | ast.Assign | ast.Return, context: Context) -> str:
    """The number that a statement computes, as code; empty where it seems to compute none."""
    if isinstance(node, ast.AugAssign):
        symbol = _OPERATORS.get(type(node.op))
        if symbol is None or context.scopes.kind(node.value) not in NUMBERS:
            return ""
        level = TERM if symbol == "*" else ARITH
        right = context.operand(node.value, level if symbol == "+" else level + 1)
        return f"{context.code(node.target)} {symbol} {right}"
    if not isinstance(node.value, (ast.BinOp, ast.Call)) or context.scopes.kind(node.value) not in NUMBERS:
        return ""
    return context.code(node.value)


def _limits(node: ast.AST, context: Context) -> tuple[list[str], list[str]]:
    """Variables and attributes of the object whose names say that they are upper, or lower, limits."""
    first = [f"self.{name}" for name in context.scopes.self_attributes(node)]
    names = [*first, *context.scopes.variables(node)]
    words = {name: set(_WORD.findall(name.lower())) for name in names}
    return [name for name in names if words[name] & _UPPER], [name for name in names if words[name] & _LOWER]


@operator("larger of two", prior=0.4, kinds=(ast.Attribute, ast.Assign))
def larger_of_two(node: ast.Attribute | ast.Assign, context: Context) -> Iterator[Mutation]:
    """The larger or smaller of what was and what comes: of a name, or of an attribute of two objects."""
    new: ast.expr
    if not context.failing:
        return
    if isinstance(node, ast.Attribute):
        if not is_value(node, context):
            return
        region, new, weight = context.scopes.region(node), node, 1.0
        alike = (part for part in region if isinstance(part, ast.Attribute) and part.attr == node.attr)
        others = [code for code in dict.fromkeys(map(context.code, alike)) if code != context.code(node)]
    else:
        target, new, weight = node.targets[0], node.value, 0.6
        plain = not isinstance(target, ast.Name | ast.Attribute) or isinstance(new, ast.Constant)
        if plain or not context.source.loop_of(node) or context.scopes.kind(new) not in NUMBERS:
            return
        others = [context.code(target)]
    for other in others[:_MAX_OTHERS]:
        for function in ("max", "min"):
            yield context.put(new, f"{function}({other}, {context.code(new)})", weight=weight)


@operator("not below", prior=0.2, kinds=(ast.BinOp,))
def not_below(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """``max(0, a - b)`` within a larger expression: a difference that is not meant to be negative."""
    parent = context.source.parents[node]
    if not (context.failing and isinstance(node.op, ast.Sub)) or isinstance(parent, ast.Return | ast.Assign):
        return
    inside = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Sub | ast.Add)
    if context.scopes.kind(node) in NUMBERS and not inside:
        yield context.put(node, f"max(0, {context.code(node)})")
