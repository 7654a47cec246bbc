"""Slips that Python takes without a word: ``==`` for ``=``, a comma too many, a result thrown away.

Linters' classics (pyflakes, Pylint's "pointless-statement", "expression-not-assigned") and the confusions
that studies of novices report; each shows in its own shape, so that there is little doubt.
"""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, Operator

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


class DiscardedResult(Operator[ast.Expr]):
    """``text.strip()`` as a statement: the method changes nothing and returns what was meant."""

    name = "discarded result"
    prior = 0.85
    kinds = (ast.Expr,)

    def _mutate(self, node: ast.Expr, context: Context) -> Iterator[Mutation]:
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


class TrailingComma(Operator[ast.Tuple]):
    """``x = 5,`` is a tuple; ``x in ("a")`` is none."""

    name = "trailing comma"
    prior = 0.6
    kinds = (ast.Tuple,)

    def _mutate(self, node: ast.Tuple, context: Context) -> Iterator[Mutation]:
        if (
            len(node.elts) == 1
            and isinstance(node.ctx, ast.Load)
            and not isinstance(node.elts[0], ast.Starred)
        ):
            item = node.elts[0]
            yield context.put(
                node, context.code(item), level=context.source.level_of(item), why="drop the comma"
            )


class LoneItem(Operator[ast.Compare]):
    """``x in ("yes")`` looks for a piece of text where an item was meant."""

    name = "lone item"
    prior = 0.7
    kinds = (ast.Compare,)

    def _mutate(self, node: ast.Compare, context: Context) -> Iterator[Mutation]:
        right = node.comparators[-1]
        code = isinstance(right, ast.Constant) and isinstance(right.value, str)
        if code and isinstance(node.ops[-1], (ast.In, ast.NotIn)) and context.source.is_parenthesised(right):
            end = context.source.segment(right)[1]
            yield context.replace(end, end, ",", why="make it a tuple")


class JoinedTexts(Operator[ast.Constant]):
    """``["a" "b"]``: a comma is missing, and Python joins the texts."""

    name = "joined texts"
    prior = 0.7
    kinds = (ast.Constant,)

    def _mutate(self, node: ast.Constant, context: Context) -> Iterator[Mutation]:
        parent = context.source.parents[node]
        if isinstance(node.value, str) and isinstance(parent, (ast.List, ast.Tuple, ast.Set, ast.Call)):
            start, code = context.source.segment(node)[0], context.code(node)
            for match in _TWO_TEXTS.finditer(code):
                at = start + match.start()
                yield context.replace(at, at, ",", why="put a comma between the texts")
