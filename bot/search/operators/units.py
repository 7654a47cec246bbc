"""Quantities in the wrong unit: seconds where milliseconds are counted, a rate per hour times minutes.

Units stand in names and docstrings (``now_ms``, "elapsed minutes"), and the numbers that convert them often
stand in the same file. From names alone, units are checked by Ore, Detweiler and Elbaum ("Lightweight
Detection of Physical Unit Inconsistencies without Program Annotations", ISSTA 2017).
"""

import ast
from collections.abc import Iterator
from itertools import pairwise
from math import prod

from bot.patch.syntax import walk
from bot.search.kinds import NUMBERS
from bot.search.kinship import WORD
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.wrap import is_value
from bot.search.precedence import TERM

# Each row is a ladder of units: what one is of the one before it.
_LADDERS: tuple[tuple[tuple[str, int], ...], ...] = (
    (("ns nanos nanoseconds", 1), ("us micros microseconds", 1000), ("ms millis milliseconds", 1000),
     ("s sec secs second seconds", 1000), ("min mins minute minutes", 60), ("h hr hrs hour hours", 60),
     ("day days", 24), ("week weeks", 7)),
    (("cent cents pence", 1), ("dollar dollars euro euros price amount", 100)),
    (("percent percentage pct", 1), ("share ratio fraction rate", 100)),
    (("byte bytes", 1), ("kb kib kilobytes", 1024), ("mb mib megabytes", 1024)),
    (("mg", 1), ("gram grams", 1000), ("kg kilo kilos kilograms", 1000)),
    (("mm millimetres", 1), ("cm centimetres", 10), ("m metre metres meter meters", 100),
     ("km kilometres kilometers", 1000)),
)  # fmt: skip
_UNITS = {
    word: (row, step)
    for row, ladder in enumerate(_LADDERS)
    for step, (names, _) in enumerate(ladder)
    for word in names.split()
}
_MOST = 4  # factors tried at one place
_PLACES = (ast.Return, ast.Assign, ast.AugAssign, ast.BinOp, ast.Compare, ast.Call, ast.keyword)


@operator("unit of a quantity", prior=0.35, kinds=(ast.Name, ast.Attribute, ast.BinOp, ast.Call))
def unit_of_quantity(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``seconds`` as ``seconds * 1000``, where the file speaks of both units."""
    parent = context.source.parents[node]
    if not isinstance(parent, _PLACES) or not is_value(node, context):
        return
    if context.scopes.kind(node) not in NUMBERS:
        return
    factors = context.once(_factors, context.source.tree)
    here = 1.0 if _units(context.code(node)) else 0.6
    for rank, factor in enumerate(factors[:_MOST]):
        for symbol, weight in (("*", 1.0), ("/", 1.0), ("//", 0.5)):
            code = f"{context.operand(node, TERM)} {symbol} {factor}"
            yield context.put(node, code, level=TERM, weight=here * weight / (1 + 0.4 * rank))


def _factors(tree: ast.AST, context: Context) -> list[int]:
    """What converts the units that the file names into each other: those first that it writes out."""
    named = _units(context.source.code)
    found: dict[int, None] = {}
    for row, ladder in enumerate(_LADDERS):
        steps = sorted(step for one, step in named if one == row)
        for low, high in pairwise(steps):
            found[prod(times for _, times in ladder[low + 1 : high + 1])] = None
    numbers = {
        part.value for part in walk(tree) if isinstance(part, ast.Constant) and type(part.value) is int
    }
    return sorted(found, key=lambda factor: factor not in numbers)


def _units(text: str) -> set[tuple[int, int]]:
    """The units that are named in ``text``, each as its ladder and its step."""
    return {_UNITS[word] for word in map(str.lower, WORD.findall(text)) if word in _UNITS}
