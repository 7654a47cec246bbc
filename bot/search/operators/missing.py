"""Logic that was left out: an operand, a rounding, a clause, a case at the head.

"Missing logic" is one of HumanEvalPack's bug types (Muennighoff et al. 2023); missing operands, conditions
and returns lead BugsInPy's fix patterns (Widyasari et al. 2020) and TBar's (Liu et al., ISSTA 2019). What was
left out can be anything, so each of these says little: they come late, and cover the plain forms only.
"""

import ast
from collections.abc import Iterator

from bot.search.evidence import words_of
from bot.search.kinds import COLLECTIONS, NUMBERS, TEXTS, Kind
from bot.search.operators.base import Context, Mutation, operator, writable
from bot.search.operators.logic import conditions
from bot.search.operators.statements import at_head, parameters_of
from bot.search.operators.wrap import is_value
from bot.search.precedence import AND, ARITH, FACTOR, OR, POWER, TERM
from bot.search.source import FUNCTIONS, Function, function_called, names_in

_NAMES = 4  # variables that are tried in one place
_VALUES = (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute)
_PLACES = (ast.Return, ast.Assign, ast.AugAssign, ast.BinOp, ast.GeneratorExp, ast.ListComp, ast.Call)
_OPERATIONS = (("%", TERM, 0.8), ("*", TERM, 0.6), ("+", ARITH, 0.6), ("-", ARITH, 0.6), ("//", TERM, 0.4))
_OF_TEXTS = ("isalpha", "isdigit", "isupper", "islower", "isspace", "isalnum")


@operator("missing operation", prior=0.12, kinds=_VALUES)
def missing_operation(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``i + k`` for ``(i + k) % n``: an operand that is not there."""
    if not _is_number(node, context):
        return
    in_sum = isinstance(node, ast.Name) and isinstance(context.source.parents[node], ast.BinOp)
    share = 0.5 if in_sum else 1.0
    yield context.put(node, f"{context.operand(node)} ** 2", level=POWER, weight=0.5 * share)
    used = names_in(node)
    names = [name for name in context.scopes.variables(node) if name not in used and name != "self"]
    others = [name for name in names if context.scopes.kind_of_name(name, node) in NUMBERS]
    for rank, other in enumerate([*others[:_NAMES], *_numbers(node, context)]):
        for symbol, level, weight in _OPERATIONS:
            own = context.operand(node, level)
            code = f"{own} {symbol} {other}"
            yield context.put(node, code, level=level, weight=share * weight / (1 + 0.2 * rank))


def _is_number(node: ast.expr, context: Context) -> bool:
    placed = isinstance(context.source.parents[node], _PLACES) and is_value(node, context)
    return placed and context.scopes.kind(node) in NUMBERS


def _numbers(node: ast.AST, context: Context) -> list[str]:
    """Numbers that the function works with, and 2."""
    values = [part.value for part in context.scopes.region(node) if isinstance(part, ast.Constant)]
    found = [value for value in values if type(value) is int and value > 1 and writable(value)]
    return [str(number) for number in dict.fromkeys([*found[:2], 2])]


@operator("missing rounding", prior=0.2, kinds=_VALUES)
def missing_rounding(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """A quotient or another number that should be whole, or have so many digits."""
    if not _is_number(node, context):
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        up = f"-(-{context.operand(node.left, POWER)} // {context.operand(node.right, FACTOR)})"
        yield context.put(node, up, level=FACTOR)
    broken = any(isinstance(part, (ast.Div, ast.Mult)) for part in ast.walk(node))
    share = 1.0 if broken else 0.5
    code = context.code(node)
    for digits, weight in ((2, 1.0), (1, 0.5), (3, 0.3)):
        yield context.put(node, f"round({code}, {digits})", weight=weight * share)
    if "math" in context.scopes.known:
        for name in ("ceil", "floor", "sqrt"):
            yield context.put(node, f"math.{name}({code})", weight=0.8 * share)


@operator("missing clause", prior=0.12, kinds=(ast.If, ast.While, ast.IfExp, ast.comprehension, ast.Return))
def missing_clause(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """A condition that asks for too little, or a comprehension that asks for nothing."""
    if isinstance(node, ast.comprehension) and not node.ifs:
        end = context.source.segment(node.iter)[1]
        names = names_in(node.target)
        if not context.source.is_parenthesised(node.iter):
            for clause, weight in _clauses(names, node.iter, context):
                why = f"keep only where `{clause}`"
                yield context.replace(end, end, f" if {clause}", weight=weight, why=why)
    for test in _asked(node):
        own = context.code(test)
        known = context.scopes.variables(test)
        names = [*(name for name in names_in(test) if name in known), *known]
        for clause, weight in _clauses(names, test, context):
            if clause not in own:
                both = f"{context.operand(test, AND)} and {clause}"
                yield context.put(test, both, level=AND, weight=weight)
            # Some condition fits any number beside the right ones: what lets more pass is asked of texts.
            if clause.endswith("()") and clause not in own:
                either = f"{context.operand(test, OR)} or {clause}"
                yield context.put(test, either, level=OR, weight=weight * 0.7)


def _asked(node: ast.AST) -> list[ast.expr]:
    if not isinstance(node, ast.Return):
        return conditions(node)
    is_truth = function_called(node.value) in {"all", "any"}
    decides = isinstance(node.value, (ast.Compare, ast.BoolOp)) or is_truth
    return [node.value] if decides and node.value is not None else []


def _clauses(names: list[str], place: ast.AST, context: Context) -> Iterator[tuple[str, float]]:
    """What can be asked about variables, those that are named first weighing most."""
    chosen = [name for name in dict.fromkeys(names) if name not in {"self", "cls", "_"}][:_NAMES]
    kinds = {name: context.scopes.kind_of_name(name, place) for name in chosen}
    for rank, name in enumerate(chosen):
        share = 1 / (1 + 0.3 * rank)
        if kinds[name] in NUMBERS:
            for code in (*("> 0", "!= 0", "< 0", ">= 0", "> 1"), *_parities(place, context)):
                yield f"{name} {code}", share * 0.7
        if kinds[name] in TEXTS:
            yield from ((f"{name}.{method}()", share * 0.6) for method in _OF_TEXTS)
        if kinds[name] in COLLECTIONS:
            yield f"len({name}) > 1", share * 0.5
        if kinds[name] is Kind.UNKNOWN:
            yield from ((f"isinstance({name}, {kind})", share * 0.6) for kind in ("int", "str"))
        for other in chosen[rank + 1 :]:
            if kinds[name] in NUMBERS and kinds[other] in NUMBERS:
                yield from ((f"{name} {symbol} {other}", share) for symbol in ("!=", "<", ">", "<=", ">="))
            if kinds[name] in COLLECTIONS and kinds[other] in COLLECTIONS:
                yield f"len({name}) == len({other})", share
                yield f"{name} not in {other}", share * 0.6
                yield f"{name} in {other}", share * 0.4


def _parities(place: ast.AST, context: Context) -> tuple[str, ...]:
    """Clauses that half of all numbers fulfil: only where the function speaks of even or odd ones."""
    spoken = words_of(place, context) & {"even", "evens", "odd", "odds", "parity"}
    return ("% 2 == 0", "% 2 == 1") if spoken else ()


@operator("missing case", prior=0.12, kinds=FUNCTIONS)
def missing_case(node: Function, context: Context) -> Iterator[Mutation]:
    """A case at the function's head that needs another answer, or arguments in the wrong order."""
    names = parameters_of(node)[:_NAMES]
    answers, place = _answers(node), node.body[0]
    for rank, name in enumerate(names):
        kind = context.scopes.kind_of_name(name, place)
        tests = [("< 0", 0.7), ("< 2", 0.8), ("== 0", 0.8), ("<= 0", 0.8)] if kind in NUMBERS else []
        asked = [(f"{name} {test}", weight) for test, weight in tests]
        asked += [(f"len({name}) < 2", 0.5)] if kind in COLLECTIONS else []
        for test, weight in asked:
            for order, answer in enumerate(dict.fromkeys([*answers, name])):
                share = weight / (1 + 0.3 * (order + rank))
                yield from at_head(node, context.when(test, f"return {answer}"), context, weight=share)
        for other in names[rank + 1 :]:
            if {kind, context.scopes.kind_of_name(other, place)} <= NUMBERS:
                code = context.when(f"{name} > {other}", f"{name}, {other} = {other}, {name}")
                yield from at_head(node, code, context, weight=0.6)


def _answers(function: ast.AST) -> list[str]:
    """What a function may answer: the constants that it answers elsewhere, the opposite of a flag, others."""
    returns = [part for part in ast.walk(function) if isinstance(part, ast.Return)]
    constants = [part.value.value for part in returns if isinstance(part.value, ast.Constant)]
    found = [value for value in constants if not isinstance(value, int) or writable(value)]
    flags = [not value for value in found if isinstance(value, bool)]
    decides = [False] if any(map(_asked, returns)) else []
    return [repr(value) for value in [*flags, *decides, *found, None, 0, False]][:5]
