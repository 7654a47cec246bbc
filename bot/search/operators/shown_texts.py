"""Texts that differ from what a test expects by one replacement: ``.replace("''", "'")``, a mark at an end.

What has to be replaced is read from the two sides of the failed comparison.
"""

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher

from bot.search.kinds import TEXTS
from bot.search.literals import sides
from bot.search.operators.base import Context, Mutation, operator
from bot.search.precedence import ATOM, OR

_VALUES = (ast.Name, ast.Call, ast.Subscript, ast.Attribute, ast.BinOp, ast.JoinedStr)
_PLACES = (ast.Return, ast.Assign, ast.AugAssign, ast.FormattedValue, ast.Call, ast.keyword)
_LONGEST = 8  # signs that are replaced
_AROUND = 2  # signs beside a difference that may belong to it
_MOST = 4


@operator("shown replacement", prior=0.5, kinds=_VALUES)
def shown_replacement(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """A text in which something has to be replaced by something else, or that has too much at an end."""
    placed = isinstance(context.source.parents[node], _PLACES) and context.scopes.kind(node) in TEXTS
    if not placed or context.source.is_called(node):
        return
    for rank, call in enumerate(context.once(_calls, context.source.tree)):
        yield context.put(node, f"{context.operand(node, ATOM)}.{call}", weight=1 / (1 + 0.2 * rank))


@operator("None in a text", prior=0.5, kinds=(ast.Name, ast.Attribute, ast.Subscript, ast.Call))
def none_in_text(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``f"{style}"`` that writes None where nothing is expected: ``f"{style or ''}"``."""
    formatted = isinstance(context.source.parents[node], ast.FormattedValue)
    if formatted and context.once(_shows_none, context.source.tree):
        before = context.source.code[: context.source.segment(node)[0]]
        quotes = "''" if before.rfind('"') > before.rfind("'") else '""'
        yield context.put(node, f"{context.code(node)} or {quotes}", level=OR)


def _shows_none(_module: ast.AST, context: Context) -> bool:
    """Whether one side of a failed comparison speaks of None and the other one does not."""
    compared = [result.comparison for result in context.failing if result.comparison is not None]
    return any(("None" in one.left) != ("None" in one.right) for one in compared)


def _calls(_module: ast.AST, context: Context) -> list[str]:
    """What turns the one side of every failed comparison into the other one."""
    compared = [pair for result in context.failing if (pair := sides(result.comparison)) is not None]
    found: list[str] = []
    for turned in (False, True):
        pairs = [text for left, right in compared for text in _texts(left, right)]
        pairs = [(right, left) if turned else (left, right) for left, right in pairs]
        found += [*_at_an_end(pairs), *_blank(pairs)] if pairs else []
        for old, new in _differences(*pairs[0]) if pairs else ():
            spelt = any(sign.isdigit() for sign in old + new)  # a value, which no text's form explains
            if not spelt and all(left.replace(old, new) == right for left, right in pairs):
                found.append(f"replace({old!r}, {new!r})")
                break
    return found[:_MOST]


def _texts(left: object, right: object) -> Iterator[tuple[str, str]]:
    """The texts that differ, each with the other side's in its place."""
    match left, right:
        case str(), str() if left != right:
            yield left, right
        case dict(), dict():
            for key in left.keys() & right.keys():
                yield from _texts(left[key], right[key])
        case list() | tuple(), list() | tuple() if len(left) == len(right):
            for one, other in zip(left, right, strict=True):
                yield from _texts(one, other)


def _at_an_end(pairs: list[tuple[str, str]]) -> Iterator[str]:
    """``removeprefix`` and ``removesuffix`` with what all texts begin or end with."""
    left, right = pairs[0]
    extra = len(left) - len(right)
    if 0 < extra <= _LONGEST:
        start, end = left[:extra], left[-extra:]
        if all(one == start + other for one, other in pairs):
            yield f"removeprefix({start!r})"
        if all(one == other + end for one, other in pairs):
            yield f"removesuffix({end!r})"


def _blank(pairs: list[tuple[str, str]]) -> tuple[str, ...]:
    """``rstrip`` where the texts differ by spaces and line breaks alone, at an end or before one."""
    if all(len(one) > len(other) and "".join(one.split()) == "".join(other.split()) for one, other in pairs):
        return ("rstrip()", "strip()")
    return ()


def _differences(left: str, right: str) -> Iterator[tuple[str, str]]:
    """What differs, then with signs beside it, the shortest first."""
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"][:_MOST]
    for width in range(2 * _AROUND + 1):
        for before in range(min(width, _AROUND) + 1):
            after = width - before
            for _, first, last, start, end in changed if after <= _AROUND else ():
                old = left[max(0, first - before) : last + after]
                new = right[max(0, start - before) : end + after]
                if old and len(old) <= _LONGEST and len(new) <= _LONGEST:
                    yield old, new
