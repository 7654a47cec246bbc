"""Comprehensions: a filter too many or missing; orders that sets lose.

"Missing condition" and "excess condition" are among the fix patterns of BugsInPy (Widyasari et al. 2020).
"""

import ast
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.logic import seen_conditions
from bot.search.precedence import OR
from bot.search.source import function_called, names_in


@operator("drop filter", prior=0.5, kinds=(ast.comprehension,))
def drop_filter(node: ast.comprehension, context: Context) -> Iterator[Mutation]:
    """A filter too many."""
    previous: ast.expr = node.iter
    for test in node.ifs:
        after, (first, end) = context.source.segment(previous)[1], context.source.outer(test)
        head = context.source.code[after : context.source.code.rfind("if", after, first)]
        start = after + len(head.rstrip())
        yield context.replace(start, end, "", why=f"drop the filter `{context.code(test)}`")
        previous = test


@operator("add filter", prior=0.3, kinds=(ast.comprehension,))
def add_filter(node: ast.comprehension, context: Context) -> Iterator[Mutation]:
    """A filter that is missing: what is empty, None, or what the function asks elsewhere."""
    if node.ifs:
        return
    names = [name for name in names_in(node.target) if name != "_"]
    end = context.source.segment(node.iter)[1]
    tests = [test for name in names[:2] for test in ((name, 1.0), (f"{name} is not None", 0.7))]
    for name in names[:1]:
        tests += [(f"{name} > 0", 0.4), (f"{name}.strip()", 0.4), (f"{name} != ''", 0.2)]
    tests += [
        (context.operand(test, OR), 0.8)
        for test in seen_conditions(node.iter, context)
        if set(names) & set(names_in(test))
    ]
    for test, weight in tests:
        if not context.source.is_parenthesised(node.iter):
            yield context.replace(end, end, f" if {test}", weight=weight, why=f"keep only where `{test}`")


@operator("order lost", prior=0.7, kinds=(ast.Call,))
def order_lost(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``list(set(items))``: unique, but in no order."""
    name = function_called(node)
    inner = node.args[0] if len(node.args) == 1 else None
    unique = isinstance(inner, (ast.Set, ast.SetComp)) or function_called(inner) == "set"
    if name in {"list", "tuple"} and unique and inner is not None:
        yield context.put(node.func, "sorted")
        if isinstance(inner, ast.Call) and len(inner.args) == 1:
            yield context.put(inner, f"dict.fromkeys({context.code(inner.args[0])})")
            yield context.put(node, context.code(inner.args[0]), weight=0.5)
    elif name == "set" and len(node.args) == 1 and not isinstance(context.source.parents[node], ast.Compare):
        argument = context.code(node.args[0])
        yield context.put(node, f"list(dict.fromkeys({argument}))", weight=0.5)
        yield context.put(node, f"sorted(set({argument}))", weight=0.5)
