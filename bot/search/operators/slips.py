"""Slips that Python takes without a word: ``==`` for ``=``, a comma too many, a result or error thrown away.

Linters' classics (pyflakes, Pylint's "pointless-statement", "expression-not-assigned") and the confusions
that studies of novices report; each shows in its own shape, so that there is little doubt.
"""

import ast
import re
from collections.abc import Iterator

from bot.patch.syntax import last_name
from bot.search.operators.base import Context, Mutation, operator
from bot.search.source import function_called

_PURE = frozenset(
    [
        *("strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "replace", "swapcase"),
        *("casefold", "removeprefix", "removesuffix", "zfill", "ljust", "rjust", "center", "format"),
        *("union", "intersection", "difference", "symmetric_difference", "encode", "decode", "translate"),
    ]
)
_PURE_CALLS = frozenset(
    {"sorted", "reversed", "abs", "round", "list", "set", "int", "str", "float", "max", "min"}
)
_TWO_TEXTS = re.compile(r"(?<=['\"])\s*[\r\n]*\s+(?=[rbfuRBFU]?['\"])")
_ERRORS = ("Error", "Exception", "error", "Warning")


@operator("discarded result", prior=0.85, kinds=(ast.Expr,))
def discarded_result(node: ast.Expr, context: Context) -> Iterator[Mutation]:
    """``text.strip()`` as a statement: the method changes nothing and returns what was meant."""
    call = node.value
    if not isinstance(call, ast.Call):
        return
    if isinstance(call.func, ast.Attribute) and call.func.attr in _PURE:
        owner = call.func.value
        if isinstance(owner, (ast.Name, ast.Attribute, ast.Subscript)):
            yield context.put(call, f"{context.code(owner)} = {context.code(call)}", level=0)
    elif isinstance(call.func, ast.Name) and call.func.id in _PURE_CALLS and call.args:
        first = call.args[0]
        if isinstance(first, (ast.Name, ast.Attribute, ast.Subscript)):
            value = f"list({context.code(call)})" if call.func.id == "reversed" else context.code(call)
            yield context.put(call, f"{context.code(first)} = {value}", level=0)
    if context.source.block_of(node)[-1] is node and context.source.function_of(node) is not None:
        yield context.put(call, f"return {context.code(call)}", level=0, weight=0.4)


@operator("call forgotten", prior=0.9, kinds=(ast.Expr,))
def call_forgotten(node: ast.Expr, context: Context) -> Iterator[Mutation]:
    """``file.close`` or ``main`` as a statement: without parentheses nothing is called."""
    if isinstance(node.value, (ast.Name, ast.Attribute)):
        yield context.put(node.value, f"{context.code(node.value)}()", why="call it")


@operator("trailing comma", prior=0.6, kinds=(ast.Tuple,))
def trailing_comma(node: ast.Tuple, context: Context) -> Iterator[Mutation]:
    """``x = 5,`` is a tuple; ``x in ("a")`` is none."""
    if len(node.elts) == 1 and isinstance(node.ctx, ast.Load) and not isinstance(node.elts[0], ast.Starred):
        yield context.put_like(node, node.elts[0], why="drop the comma")


@operator("lone item", prior=0.7, kinds=(ast.Compare,))
def lone_item(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """``x in ("yes")`` looks for a piece of text where an item was meant."""
    right = node.comparators[-1]
    code = isinstance(right, ast.Constant) and isinstance(right.value, str)
    if code and isinstance(node.ops[-1], (ast.In, ast.NotIn)) and context.source.is_parenthesised(right):
        end = context.source.segment(right)[1]
        yield context.replace(end, end, ",", why="make it a tuple")


@operator("joined texts", prior=0.7, kinds=(ast.Constant,))
def joined_texts(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """``["a" "b"]``: a comma is missing, and Python joins the texts."""
    parent = context.source.parents[node]
    if isinstance(node.value, str) and isinstance(parent, (ast.List, ast.Tuple, ast.Set, ast.Call)):
        start, code = context.source.segment(node)[0], context.code(node)
        for match in _TWO_TEXTS.finditer(code):
            at = start + match.start()
            yield context.replace(at, at, ",", why="put a comma between the texts")


@operator("comparison for assignment", prior=0.9, kinds=(ast.Expr,))
def comparison_for_assignment(node: ast.Expr, context: Context) -> Iterator[Mutation]:
    """``x == 3`` as a statement."""
    compare = node.value
    if isinstance(compare, ast.Compare) and len(compare.ops) == 1 and isinstance(compare.ops[0], ast.Eq):
        token = context.source.operator_between(compare.left, compare.comparators[0])
        if token and isinstance(compare.left, (ast.Name, ast.Attribute, ast.Subscript)):
            yield context.replace(token.start, token.end, "=", why="assign instead of comparing")


@operator("shared subject", prior=0.8, kinds=(ast.BoolOp,))
def shared_subject(node: ast.BoolOp, context: Context) -> Iterator[Mutation]:
    """``x == 1 or 2``: the second value is never compared."""
    first = node.values[0]
    if not isinstance(first, ast.Compare) or len(first.ops) != 1:
        return
    rest = node.values[1:]
    if not all(isinstance(part, (ast.Constant, ast.Name, ast.Attribute)) for part in rest):
        return
    bare = any(isinstance(part, ast.Constant) for part in rest)
    weight = 1.0 if bare else 0.3
    left, right = context.operand(first.left, 6), first.comparators[0]
    between = context.source.operator_between(first.left, right)
    word = "or" if isinstance(node.op, ast.Or) else "and"
    if isinstance(first.ops[0], (ast.Eq, ast.NotEq)):
        items = ", ".join(context.code(part) for part in (right, *rest))
        membership = "in" if isinstance(first.ops[0], ast.Eq) else "not in"
        yield context.put(node, f"{left} {membership} ({items})", level=5, weight=weight)
    if between is not None:
        links = [context.code(first), *(f"{left} {between.code} {context.code(part)}" for part in rest)]
        yield context.put(node, f" {word} ".join(links), level=2 if word == "or" else 3, weight=0.8 * weight)


@operator("print for return", prior=0.6, kinds=(ast.Expr,))
def print_for_return(node: ast.Expr, context: Context) -> Iterator[Mutation]:
    """``print(answer)`` where the answer should be returned."""
    call = node.value
    function = context.source.function_of(node)
    if function is None or function_called(call) != "print" or not isinstance(call, ast.Call):
        return
    if len(call.args) == 1 and not call.keywords:
        answers = any(isinstance(part, ast.Return) and part.value for part in ast.walk(function))
        last = context.source.block_of(node)[-1] is node
        weight = (0.5 if answers else 1.0) * (1.0 if last else 0.4)
        yield context.put(call, f"return {context.code(call.args[0])}", level=0, weight=weight)


@operator("simultaneous", prior=0.6, kinds=(ast.Assign,))
def simultaneous(node: ast.Assign, context: Context) -> Iterator[Mutation]:
    """``a = b`` then ``b = a + b``: the second reads what the first has just changed."""
    _, after = context.source.beside(node)
    if not isinstance(after, ast.Assign) or len(node.targets) + len(after.targets) != 2:
        return
    name = context.code(node.targets[0])
    read = (part for part in ast.walk(after.value) if isinstance(part, (ast.Name, ast.Attribute)))
    plain = not isinstance(node.targets[0], ast.Tuple) and not isinstance(after.targets[0], ast.Tuple)
    if plain and name in map(context.code, read) and context.source.indent_of(after) is not None:
        start, end = context.source.segment(node)[0], context.source.segment(after)[1]
        values = f"{context.operand(node.value, 1)}, {context.operand(after.value, 1)}"
        code = f"{name}, {context.code(after.targets[0])} = {values}"
        swapped = context.code(after.value) == name
        yield context.replace(start, end, code, weight=1.0 if swapped else 0.7)


@operator("raise forgotten", prior=0.7, kinds=(ast.Expr,))
def raise_forgotten(node: ast.Expr, context: Context) -> Iterator[Mutation]:
    """``ValueError("...")`` as a statement, or a function that makes an error: ``raise ...``."""
    if not isinstance(node.value, ast.Call):
        return
    called = context.code(node.value.func)
    raised = {
        context.code(one.exc.func)
        for one in ast.walk(context.source.tree)
        if isinstance(one, ast.Raise) and isinstance(one.exc, ast.Call)
    }
    if called in raised or last_name(node.value.func).endswith(_ERRORS):
        start = context.source.segment(node)[0]
        weight = 1.0 if called in raised else 0.6
        yield context.replace(start, start, "raise ", weight=weight, why="raise the error that is made")


@operator("comparison ignored", prior=0.8, kinds=(ast.Expr,))
def comparison_ignored(node: ast.Expr, context: Context) -> Iterator[Mutation]:
    """``a == b`` as a statement in a function that answers True and False: ``if a != b: return False``."""
    compare = node.value
    if not (isinstance(compare, ast.Compare) and isinstance(compare.ops[0], ast.Eq | ast.NotEq)):
        return
    indent = context.source.indent_of(node)
    if indent is None or context.source.function_of(node) is None:
        return
    left, right = context.code(compare.left), context.code(compare.comparators[0])
    word = "!=" if isinstance(compare.ops[0], ast.Eq) else "=="
    code = f"if {left} {word} {right}:{context.source.newline}{indent}{context.source.step}return False"
    yield context.replace(*context.source.segment(node), code, why="return False where they differ")
    yield context.replace(*context.source.segment(node), f"assert {context.code(compare)}", weight=0.4)


@operator("overwritten", prior=0.35, kinds=(ast.Assign,))
def overwritten(node: ast.Assign, context: Context) -> Iterator[Mutation]:
    """``options["k"] = v`` that takes away what the caller gave: ``options.setdefault("k", v)``."""
    target = node.targets[0]
    if len(node.targets) != 1 or not isinstance(target, ast.Subscript):
        return
    key = target.slice
    if isinstance(key, ast.Slice) or not isinstance(key, ast.Constant | ast.Name):
        return
    owner, value = context.operand(target.value), context.code(node.value)
    text = isinstance(key, ast.Constant) and isinstance(key.value, str)
    code = f"{owner}.setdefault({context.code(key)}, {value})"
    yield context.replace(*context.source.segment(node), code, weight=1.0 if text else 0.5)
