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
from bot.search.operators.statements import inserted
from bot.search.precedence import NOT
from bot.search.source import FUNCTIONS

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
