"""Truth: emptiness taken for absence, an index or a type that is asked about too little.

"Missing null check" and conditions too wide lead BugsInPy's fix patterns (Widyasari et al. 2020) and TBar's
(Liu et al., ISSTA 2019). Operators and clauses themselves are in ``logic`` and ``comparisons``.
"""

import ast
from collections.abc import Iterator

from bot.search.kinds import SEQUENCES, Kind
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.logic import conditions
from bot.search.precedence import AND, COMPARE
from bot.search.source import function_called

_READ = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


@operator(
    "identity for truth", prior=0.5, kinds=(ast.If, ast.While, ast.IfExp, ast.comprehension, ast.BoolOp)
)
def identity_for_truth(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """``if not x`` where 0 and "" are values like any other: ``if x is None``."""
    if isinstance(node, ast.BoolOp):
        yield from _of_clauses(node, context)
        return
    for test in conditions(node):
        yield from _of_test(test, context)


def _of_clauses(node: ast.BoolOp, context: Context) -> Iterator[Mutation]:
    for value in node.values:
        yield from _of_test(value, context)
    if isinstance(node.op, ast.Or) and len(node.values) == 2 and isinstance(node.values[0], _READ):
        code, other = context.code(node.values[0]), context.operand(node.values[1], 2)
        chosen = f"{code} if {code} is not None else {other}"
        parent = context.source.parents[node]
        decides = node in conditions(parent) or isinstance(parent, (ast.BoolOp, ast.UnaryOp))
        if not decides:
            yield context.put(node, chosen, level=1, weight=0.9)


def _of_test(test: ast.expr, context: Context) -> Iterator[Mutation]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, _READ):
        yield context.put(test, f"{context.code(test.operand)} is None", level=COMPARE)
    elif isinstance(test, (ast.Name, ast.Attribute, ast.Subscript)):
        yield context.put(test, f"{context.code(test)} is not None", level=COMPARE)


@operator("bounds clause", prior=0.35, kinds=(ast.If, ast.While, ast.IfExp))
def bounds_clause(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """An index asked about without knowing that it is there."""
    for test in conditions(node):
        own = context.code(test)
        for part in ast.walk(test):
            if not isinstance(part, ast.Subscript) or isinstance(
                part.slice, (ast.Slice, ast.Tuple, ast.Constant)
            ):
                continue
            owner, index = context.code(part.value), context.code(part.slice)
            kind = context.scopes.kind(part.value)
            rest = context.operand(test, AND)
            options = [(f"{index} in {owner}", 0.6)] if kind in {Kind.DICT, Kind.UNKNOWN} else []
            if kind in SEQUENCES:
                options += [
                    (f"{index} < len({owner})", 1.0),
                    (f"{index} >= 0", 0.8),
                    (f"{index} > 0", 0.5),
                ]
            for clause, weight in options:
                if clause not in own:
                    yield context.put(test, f"{clause} and {rest}", level=AND, weight=weight)
            break


# Types that code often forgets beside the one that it asks for.
_BESIDE = {"int": "(int, float)", "float": "(int, float)", "list": "(list, tuple)", "tuple": "(list, tuple)",
           "str": "(str, bytes)", "dict": "(dict, list)", "set": "(set, frozenset)"}  # fmt: skip


@operator("type clause", prior=0.4, kinds=(ast.Call,))
def type_clause(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``isinstance`` that takes too few types, or takes a bool for a number."""
    if function_called(node) != "isinstance" or len(node.args) != 2:
        return
    kinds = context.code(node.args[1])
    if kinds in _BESIDE:
        yield context.put(node.args[1], _BESIDE[kinds], weight=0.8)
    if kinds in {"int", "(int, float)"}:
        extra = f"{context.code(node)} and not isinstance({context.code(node.args[0])}, bool)"
        yield context.put(node, extra, level=AND)
