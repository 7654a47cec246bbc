"""Comparisons and truths: the wrong relation or side, emptiness taken for absence, too little asked.

"Change binary operator" and "less specific if" are among the commonest one-statement bugs in both the Java
study (Karampatsis & Sutton, MSR 2020) and the Python one (Kamienski et al., MSR 2021, PySStuBs);
"missing null check" leads the fix patterns of TBar (Liu et al., ISSTA 2019). Clauses are in ``logic``.
"""

import ast
from collections.abc import Iterator
from itertools import pairwise

from bot.patch.syntax import is_word, last_name
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.filters import looking_alike
from bot.search.operators.logic import conditions
from bot.search.precedence import ARITH, COMPARE, NOT

_SWAPS: dict[str, tuple[tuple[str, float], ...]] = {
    "<": (("<=", 1.0), (">", 0.8), (">=", 0.6), ("!=", 0.4), ("==", 0.35)),
    "<=": (("<", 1.0), (">=", 0.8), (">", 0.6), ("==", 0.4), ("!=", 0.3)),
    ">": ((">=", 1.0), ("<", 0.8), ("<=", 0.6), ("!=", 0.4), ("==", 0.35)),
    ">=": ((">", 1.0), ("<=", 0.8), ("<", 0.6), ("==", 0.4), ("!=", 0.3)),
    "==": (("!=", 1.0), ("<=", 0.5), (">=", 0.5), ("<", 0.45), (">", 0.45), ("in", 0.3), ("is", 0.2)),
    "!=": (("==", 1.0), ("<", 0.5), (">", 0.5), ("<=", 0.4), (">=", 0.4), ("not in", 0.25), ("is not", 0.2)),
    "is": (("is not", 1.0), ("==", 0.8)),
    "is not": (("is", 1.0), ("!=", 0.8)),
    "in": (("not in", 1.0), ("==", 0.5)),
    "not in": (("in", 1.0), ("!=", 0.5)),
}
_OPPOSITE = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==",
    "is": "is not", "in": "not in", "is not": "is", "not in": "in",
}  # fmt: skip
_MOST = 6
_READ = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


@operator("comparison", prior=0.9, kinds=(ast.Compare,))
def comparison_swap(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """Another relation between the same operands. Under ``not``, to drop it says the opposite better."""
    parent = context.source.parents.get(node)
    denied = len(node.ops) == 1 and isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    operands = [node.left, *node.comparators]
    for left, right in pairwise(operands):
        token = context.source.operator_between(left, right)
        if token is None:
            continue
        relation = " ".join(token.code.split())
        word = relation in {"==", "!="} and (is_word(left) or is_word(right))
        for symbol, weight in _SWAPS.get(relation, ()):
            if word and symbol[0] in "<>":
                continue
            why = f"compare with `{symbol}` instead of `{token.code}`"
            if not (denied and symbol == _OPPOSITE[relation]):
                yield context.replace(token.start, token.end, symbol, weight=weight, why=why)


@operator("comparison sides", prior=0.35, kinds=(ast.Compare,))
def comparison_sides(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """The operands swapped, where that is no mere change of relation."""
    if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        yield context.exchange(node.left, node.comparators[0])


@operator("truth or identity", prior=0.4, kinds=(ast.Compare,))
def equality_for_truth(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """``x is None`` against ``not x``: emptiness and absence taken for one another."""
    right = node.comparators[0]
    if len(node.ops) > 1 or not (isinstance(right, ast.Constant) and right.value in {None, True, False}):
        return
    left = context.operand(node.left, COMPARE)
    yield context.put(node, f"not {left}", level=COMPARE - 1)
    yield context.put(node, context.operand(node.left, ARITH), level=ARITH)


@operator(
    "identity for truth", prior=0.5, kinds=(ast.If, ast.While, ast.IfExp, ast.comprehension, ast.BoolOp)
)
def identity_for_truth(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """``if not x`` where 0 and "" are values like any other: ``if x is None``."""
    for test in node.values if isinstance(node, ast.BoolOp) else conditions(node):
        yield from _of_test(test, context)
    match node:
        case ast.BoolOp(op=ast.Or(), values=[first, second]) if isinstance(first, _READ):
            code, other = context.code(first), context.operand(second, 2)
            parent = context.source.parents[node]
            if node not in conditions(parent) and not isinstance(parent, (ast.BoolOp, ast.UnaryOp)):
                yield context.put(node, f"{code} if {code} is not None else {other}", level=1, weight=0.9)


def _of_test(test: ast.expr, context: Context) -> Iterator[Mutation]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, _READ):
        yield context.put(test, f"{context.code(test.operand)} is None", level=COMPARE)
    elif isinstance(test, (ast.Name, ast.Attribute, ast.Subscript)):
        yield context.put(test, f"{context.code(test)} is not None", level=COMPARE)


@operator("one of several", prior=0.3, kinds=(ast.Compare,))
def one_of_several(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """``kind in ("a", "b")`` for ``kind == "a"``: other texts that the file, or a failing test, asks for."""
    for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
        known = context.once(_compared, context.source.tree).get(last_name(left), [])
        given = looking_alike([getattr(right, "value", None)], context)
        known = list(dict.fromkeys([*known, *map(ast.literal_eval, given)]))
        token = context.source.operator_between(left, right)
        if token is None or not known:
            continue
        match op, right:
            case ast.Eq() | ast.NotEq(), ast.Constant(value=str(own)):
                word = "in" if isinstance(op, ast.Eq) else "not in"
                for rank, text in enumerate([one for one in known if one != own][:_MOST]):
                    code = f"{word} ({context.code(right)}, {_quoted_as(right, text, context)})"
                    end, weight = context.source.segment(right)[1], 1 / (1 + 0.2 * rank)
                    yield context.replace(token.start, end, code, weight=weight)
            case ast.In() | ast.NotIn(), ast.Tuple(elts=[_, *_] as held) | ast.List(elts=[_, *_] as held):
                end = context.source.segment(held[-1])[1]
                values = [getattr(one, "value", None) for one in held]
                for rank, text in enumerate([one for one in known if one not in values][:_MOST]):
                    code = f", {_quoted_as(held[-1], text, context)}"
                    yield context.replace(end, end, code, weight=1 / (1 + 0.2 * rank))


def _quoted_as(like: ast.expr, text: str, context: Context) -> str:
    """The text in the quotes of another one."""
    code = repr(text)
    return f'"{code[1:-1]}"' if context.code(like).endswith('"') and '"' not in code else code


def _compared(module: ast.AST, _context: Context) -> dict[str, list[str]]:
    """By the last name of what is compared, the texts that the file compares it with, in text order."""
    found: dict[str, list[str]] = {}
    for part in ast.walk(module):
        if isinstance(part, ast.Compare) and (name := last_name(part.left)):
            values = [one for right in part.comparators for one in getattr(right, "elts", [right])]
            for one in values:
                match one:
                    case ast.Constant(value=str(text)) if text not in found.setdefault(name, []):
                        found[name].append(text)
    return found


@operator("type by instance", prior=0.4, kinds=(ast.Compare,))
def type_by_instance(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    """``type(x) is str`` that leaves out what is derived from it: ``isinstance(x, str)``."""
    match node:
        case ast.Compare(left=ast.Call(func=ast.Name(id="type"), args=[held]), ops=[op], comparators=[kind]):
            code = f"isinstance({context.code(held)}, {context.code(kind)})"
            if isinstance(op, (ast.Is, ast.Eq)):
                yield context.put(node, code)
            elif isinstance(op, (ast.IsNot, ast.NotEq)):
                yield context.put(node, f"not {code}", level=NOT)
