"""Return values: the wrong one, none at all, or only half of it.

"Missing return", "wrong value returned" and the like are HumanEvalPack's "missing logic" and "value misuse"
(Muennighoff et al. 2023), and frequent in BugsInPy (Widyasari et al. 2020). Where a return stands is in
``statements``.
"""

import ast
from collections.abc import Iterator
from itertools import pairwise

from bot.patch.syntax import is_constant
from bot.search.kinds import Kind
from bot.search.operators.base import Context, Mutation, negation, operator
from bot.search.operators.statements import at_head, inserted, parameters_of
from bot.search.precedence import NOT
from bot.search.source import FUNCTIONS, Function

_CONSTANTS = (("True", 0.9), ("False", 0.9), ("None", 0.7), ("0", 0.8), ("1", 0.5), ("-1", 0.5), ("[]", 0.6),
              ('""', 0.6), ("{}", 0.2), ("()", 0.2))  # fmt: skip


@operator("return variable", prior=0.45, kinds=(ast.Return,))
def return_variable(node: ast.Return, context: Context) -> Iterator[Mutation]:
    """Another variable returned."""
    start, end = context.source.segment(node)
    own = context.code(node.value) if node.value else ""
    for name in context.scopes.variables(node):
        if name != own:
            yield context.replace(start, end, f"return {name}", why=f"return `{name}`")


@operator("return constant", prior=0.35, kinds=(ast.Return,))
def return_constant(node: ast.Return, context: Context) -> Iterator[Mutation]:
    """A constant returned: the answer for the special case."""
    start, end = context.source.segment(node)
    own = context.code(node.value) if node.value else ""
    # A literal is more likely to be another literal than a computed value is to be one.
    plain = node.value is None or isinstance(node.value, (ast.Constant, ast.List, ast.UnaryOp))
    for code, weight in _CONSTANTS:
        if code != own:
            yield context.replace(start, end, f"return {code}", weight=weight * (1.0 if plain else 0.4))


@operator("errors swallowed", prior=0.6, kinds=(ast.Return,))
def errors_swallowed(node: ast.Return, context: Context) -> Iterator[Mutation]:
    """What ``__exit__`` returns, which swallows the error of the ``with`` block where it counts as true."""
    function = context.source.function_of(node)
    if function is None or function.name not in {"__exit__", "__aexit__"} or node.value is None:
        return
    if isinstance(node.value, (ast.Call, ast.Await)):
        yield context.put(node, context.code(node.value), why="return nothing, which lets the error through")
    else:
        yield context.put(node.value, "False", weight=0.7)


@operator("return opposite", prior=0.5, kinds=(ast.Return,))
def return_opposite(node: ast.Return, context: Context) -> Iterator[Mutation]:
    """The opposite returned."""
    value = node.value
    if value is None or isinstance(value, ast.Constant):
        return
    if context.scopes.kind(value) not in {Kind.BOOL, Kind.UNKNOWN}:
        return
    if not (isinstance(value, ast.Compare) and len(value.ops) == 1):
        code, binds = negation(value, context)
        yield context.put(value, code, level=binds)
    if not isinstance(value, ast.UnaryOp) and isinstance(value, (ast.Compare, ast.BoolOp)):
        yield context.put(value, f"not ({context.code(value)})", level=NOT, weight=0.4)


@operator("tuple order", prior=0.4, kinds=(ast.Tuple,))
def tuple_order(node: ast.Tuple, context: Context) -> Iterator[Mutation]:
    """Two items of a tuple in each other's place."""
    for left, right in pairwise(node.elts):
        if not isinstance(left, ast.Starred) and not isinstance(right, ast.Starred):
            yield context.exchange(left, right)


@operator("missing return", prior=0.5, kinds=(ast.Expr, *FUNCTIONS))
def missing_return(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """A value computed and not returned."""
    function = context.source.function_of(node)
    if isinstance(node, ast.Expr):
        if function is not None and not is_constant(node):
            start = context.source.segment(node)[0]
            last = 1.0 if context.source.block_of(node)[-1] is node else 0.3
            yield context.replace(start, start, "return ", weight=last, why="return the value")
        return
    assert isinstance(node, FUNCTIONS)
    last_statement = node.body[-1]
    if isinstance(last_statement, (ast.Return, ast.Raise)):
        return
    for name in context.scopes.variables(last_statement)[:12]:
        yield from inserted(last_statement, f"return {name}", context, weight=1.0)
    for code in ("True", "False", "0", "[]"):
        yield from inserted(last_statement, f"return {code}", context, weight=0.5)
    if isinstance(last_statement, ast.Assign) and isinstance(last_statement.targets[0], ast.Name):
        start, end = context.source.segment(last_statement)
        yield context.replace(start, end, f"return {context.code(last_statement.value)}", weight=0.6)


@operator("early answer", prior=0.15, kinds=FUNCTIONS)
def early_answer(node: Function, context: Context) -> Iterator[Mutation]:
    """A special case that nobody asks for: ``if not x: return ...`` at the function's head.

    "Insert missed null check" leads the fix patterns of TBar (Liu et al., ISSTA 2019).
    """
    names = parameters_of(node)[:4]
    answers = {"None": 0.6, "0": 0.8, "[]": 0.8, "False": 0.7, "True": 0.5, '""': 0.5}
    for index, name in enumerate(names):
        for answer, weight in {**answers, **dict.fromkeys(names, 0.5), name: 0.8}.items():
            guard = context.when(f"not {name}", f"return {answer}")
            yield from at_head(node, guard, context, weight=weight / (1 + index))


@operator("yield or return", prior=0.3, kinds=(ast.Return, ast.Expr))
def yield_or_return(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """A value returned that should be yielded, or the other way round; one item yielded for each of many."""
    start, end = context.source.segment(node)
    if isinstance(node, ast.Return) and node.value is not None:
        generator = any(isinstance(part, ast.Yield) for part in context.scopes.region(node))
        weight = 1.0 if generator else 0.2
        yield context.replace(start, start + len("return"), "yield", weight=weight)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield) and node.value.value:
        code = context.code(node.value.value)
        yield context.replace(start, end, f"yield from {code}")
        yield context.replace(start, end, f"return {code}", weight=0.6)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        if any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in context.scopes.region(node)):
            yield context.replace(start, start, "yield from ", weight=0.8, why="yield what the call gives")
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.YieldFrom):
        yield context.replace(start, end, f"yield {context.code(node.value.value)}")
