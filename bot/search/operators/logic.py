"""Boolean logic: `and` for `or`, a condition negated, a clause too many or missing.

"More specific if", "less specific if" and "change unary operator" of SStuBs (Karampatsis & Sutton, MSR 2020);
conditions are also the commonest place of repairs in BugsInPy (Widyasari et al. 2020).
"""

import ast
from collections.abc import Iterator
from itertools import pairwise

from bot.search.operators.base import Context, Mutation, negation, operator, together
from bot.search.precedence import AND, NOT, OR

_CONDITIONS = (ast.If, ast.While, ast.IfExp, ast.Assert)
_SEEN = 12  # conditions of the function that a clause is copied from


def conditions(node: ast.AST) -> list[ast.expr]:
    """The conditions that the node itself decides by."""
    if isinstance(node, _CONDITIONS):
        return [node.test]
    if isinstance(node, ast.comprehension):
        return node.ifs
    return []


def seen_conditions(node: ast.AST, context: Context) -> list[ast.expr]:
    """Conditions and their clauses in the function around the node, nearest first, each text once."""
    found: dict[str, ast.expr] = {}
    line = getattr(node, "lineno", 1)
    for part in context.scopes.region(node):
        clauses = part.values if isinstance(part, ast.BoolOp) else []
        for clause in (*conditions(part), *clauses, *([part] if isinstance(part, ast.Compare) else [])):
            if not isinstance(clause, (ast.BoolOp, ast.Constant)):
                found.setdefault(context.code(clause), clause)
    return sorted(found.values(), key=lambda clause: abs(clause.lineno - line))[:_SEEN]


@operator("and or", prior=0.8, kinds=(ast.BoolOp,))
def and_or(node: ast.BoolOp, context: Context) -> Iterator[Mutation]:
    """``and`` for ``or``, and the other way round."""
    other = "or" if isinstance(node.op, ast.And) else "and"
    changes = [
        context.replace(token.start, token.end, other, why=f"use `{other}` instead of `{token.code}`")
        for left, right in pairwise(node.values)
        if (token := context.source.operator_between(left, right))
    ]
    if len(changes) > 1:
        yield together(*changes, why=f"use `{other}` throughout")
    yield from changes


@operator(
    "negate condition", prior=0.7, kinds=(*_CONDITIONS, ast.comprehension, ast.Return, ast.Lambda, ast.BoolOp)
)
def negate(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """A condition that means its opposite."""
    parts, weight = conditions(node), 1.0
    match node:
        case ast.BoolOp(values=values):
            parts, weight = values, 0.8
        case ast.Return(value=ast.Call() | ast.BoolOp() | ast.Name() | ast.Attribute() as value):
            parts, weight = [value], 0.5
        case ast.Lambda(body=body):
            parts, weight = [body], 0.4
    for part in parts:
        # One relation has a better opposite than `not`, and the comparison operator proposes it.
        if not (isinstance(part, ast.Compare) and len(part.ops) == 1):
            code, binds = negation(part, context)
            why = f"negate the condition `{context.code(part)}`"
            yield context.put(part, code, level=binds, weight=weight, why=why)


@operator("drop not", prior=0.8, kinds=(ast.UnaryOp,))
def drop_not(node: ast.UnaryOp, context: Context) -> Iterator[Mutation]:
    """A ``not`` too many."""
    if isinstance(node.op, ast.Not):
        yield context.put_like(node, node.operand, why="drop `not`")


@operator("drop clause", prior=0.6, kinds=(ast.BoolOp,))
def drop_clause(node: ast.BoolOp, context: Context) -> Iterator[Mutation]:
    """A clause of ``and`` or ``or`` too many."""
    bounds = [context.source.outer(value) for value in node.values]
    for index, value in enumerate(node.values):
        last = index == len(bounds) - 1
        start = bounds[index - 1][1] if last else bounds[index][0]
        end = bounds[index][1] if last else bounds[index + 1][0]
        yield context.replace(start, end, "", why=f"drop the clause `{context.code(value)}`")


@operator("add clause", prior=0.35, kinds=(*_CONDITIONS, ast.comprehension))
def add_clause(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """A condition that forgets a case which the function knows elsewhere."""
    for test in conditions(node):
        own = context.code(test)
        for clause in seen_conditions(test, context):
            code = context.code(clause)
            if code in own:
                continue
            for word, level in (("or", OR), ("and", AND)):
                joined = f"{context.operand(test, level)} {word} {context.operand(clause, level + 1)}"
                yield context.put(test, joined, level=level, weight=0.8, why=f"add `{word} {code}`")
            opposite, binds = negation(clause, context)
            if binds >= NOT:
                joined = f"{context.operand(test, AND)} and {opposite}"
                yield context.put(test, joined, level=AND, weight=0.4, why=f"add `and {opposite}`")


@operator("swap branches", prior=0.45, kinds=(ast.IfExp,))
def swap_branches(node: ast.IfExp, context: Context) -> Iterator[Mutation]:
    """``a if c else b`` as ``b if c else a``."""
    yield context.exchange(node.body, node.orelse)
    for kept in (node.body, node.orelse):
        yield context.put_like(node, kept, weight=0.4)
