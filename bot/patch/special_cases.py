"""Branches that answer one input with one constant: the shape of a patch that learned the test by heart.

It knows the values of the tests only from its caller, and reads only comparisons that are written out:
a lookup table, or a comparison of digests, gets past it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_COMPARING = (ast.Eq, ast.Is, ast.In)
_NOT_LITERAL = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)
_MISSING = object()


def special_cases(tree: ast.Module, test_literals: frozenset[object]) -> Iterator[str]:
    """One line for each branch of ``tree`` that maps a value of the tests to a constant, or yields one."""
    if not test_literals:
        return
    for node in ast.walk(tree):
        for asked, answer in _branches(node):
            result = _literal(answer)
            if result is _MISSING:
                continue
            if any(_is_telling(value) and value in test_literals for value in [*asked, result]):
                yield f"a test's own input is special-cased: {ast.unparse(answer)[:60]} for one input"


def _branches(node: ast.AST) -> Iterator[tuple[list[object], ast.expr]]:
    """The literals that a branch asks for, and the expression that it answers with."""
    match node:
        case (
            ast.If(test=test, body=[*_, ast.Return(value=ast.expr() as answer)])
            | ast.IfExp(test=test, body=answer)
        ):
            if asked := list(_compared(test)):
                yield asked, answer
        case ast.match_case(pattern=pattern, body=[*_, ast.Return(value=ast.expr() as answer)]):
            values = [item.value for item in ast.walk(pattern) if isinstance(item, ast.MatchValue)]
            asked = [value for item in values if (value := _literal(item)) is not _MISSING]
            if asked:
                yield asked, answer


def _compared(test: ast.expr) -> Iterator[object]:
    for node in ast.walk(test):
        if not isinstance(node, ast.Compare) or not any(isinstance(op, _COMPARING) for op in node.ops):
            continue
        for side in (node.left, *node.comparators):
            value = _literal(side)
            if value is _MISSING:
                continue
            yield value
            if isinstance(value, tuple | frozenset) and any(isinstance(op, ast.In) for op in node.ops):
                yield from value


def _literal(node: ast.expr) -> object:
    """The value of a literal, frozen; ``_MISSING`` for anything else."""
    try:
        return _frozen(ast.literal_eval(node))
    except _NOT_LITERAL:
        return _MISSING


def _frozen(value: object) -> object:
    match value:
        case list() | tuple():
            return tuple(_frozen(item) for item in value)
        case set():
            return frozenset(value)
        case dict():
            return tuple((_frozen(key), _frozen(item)) for key, item in value.items())
    return value


def _is_telling(value: object) -> bool:
    """Whether ``value`` is particular enough to be a test's own: not a small number, not empty."""
    if value is None or isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return not (-2 <= value <= 10 and value == int(value))
    if isinstance(value, str | bytes | tuple | frozenset):
        return len(value) > 0
    return True
