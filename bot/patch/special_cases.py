"""Code that answers an input with a test's own constant: the shape of a patch that learned the test by heart.

That is a branch for one input, or a whole function that answers whatever it is asked with the same.

It reads only comparisons that are written out: a lookup table, or a comparison of digests, gets past it. A
branch that was there already may get another condition: that is how many a bug is fixed.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from bot.patch.syntax import parsed

_COMPARING = (ast.Eq, ast.Is, ast.In)
_NOT_LITERAL = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)
_MISSING = object()


def new_special_cases(
    before: ast.Module, after: ast.Module, test_literals: frozenset[object]
) -> Iterator[str]:
    """One line for each branch that is new in ``after`` and maps a value of the tests to a constant.

    So does one that answers a particular value with what a test expects, and a function that takes arguments
    and answers with that before it has looked at them.
    """
    if not test_literals:
        return
    constant = dict(_constant_functions(before))
    for name, value in _constant_functions(after):
        if name not in constant and _known(value, test_literals):
            yield f"a test's own value is all that {name}() answers: {ast.unparse(value)[:60]}"
    if not Counter(_answers(after)) - Counter(_answers(before)):
        return
    found = Counter(_special(after, test_literals)) - Counter(_special(before, test_literals))
    for answer in sorted(found):
        yield f"a test's own input is special-cased: {answer[:60]} for one input"


def literals_of(texts: Iterable[str]) -> frozenset[object]:
    """The particular values that stand in ``texts``, which are those of test files; lists as tuples.

    A text that does not parse has none.
    """
    found: set[object] = set()
    for text in texts:
        tree = parsed(text)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Constant | ast.UnaryOp | ast.List | ast.Tuple | ast.Set | ast.Dict):
                value = _literal(node)
                if value is not _MISSING and _is_informative(value):
                    found.add(value)
    return frozenset(found)


def _special(tree: ast.Module, test_literals: frozenset[object]) -> Iterator[str]:
    """The answers of the branches that know a value of the tests."""
    for node in ast.walk(tree):
        for asked, answer in _branches(node):
            result = _literal(answer)
            if result is _MISSING:
                continue
            known = any(_is_informative(value) and value in test_literals for value in asked)
            particular = any(not _is_edge(value) for value in asked)
            if known or (particular and _is_informative(result) and result in test_literals):
                yield ast.unparse(answer)


def _constant_functions(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The functions that begin by returning a literal although they are given arguments."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not _arguments(node):
            continue
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        match body:
            case [ast.Return(value=ast.expr() as answer), *_] if _literal(answer) is not _MISSING:
                yield node.name, answer


def _arguments(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    arguments = function.args
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    rest = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
    return [argument.arg for argument in (*listed, *rest) if argument.arg not in {"self", "cls"}]


def _known(answer: ast.expr, test_literals: frozenset[object]) -> bool:
    value = _literal(answer)
    try:
        return _is_informative(value) and value in test_literals
    except TypeError:  # not hashable, so nothing that was found in a test
        return False


def _answers(tree: ast.Module) -> Iterator[str]:
    """The constants that are returned or chosen, under whatever condition."""
    for node in ast.walk(tree):
        match node:
            case ast.Return(value=ast.expr() as answer) if _literal(answer) is not _MISSING:
                yield ast.unparse(answer)
            case ast.IfExp(body=body, orelse=orelse):
                for arm in (body, orelse):
                    if _literal(arm) is not _MISSING:
                        yield ast.unparse(arm)


def _is_edge(value: object) -> bool:
    """Whether ``value`` is what many a function has to treat by itself: nothing, or the first of all."""
    return value in (0, 1, -1, None, "", b"", ()) or isinstance(value, bool)


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
        case set() | frozenset():
            return frozenset(_frozen(item) for item in value)
        case dict():
            return tuple((_frozen(key), _frozen(item)) for key, item in value.items())
    return value


def _is_informative(value: object) -> bool:
    """Whether ``value`` is particular enough to be a test's own: not a small number, not empty."""
    if value is None or isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return not (-2 <= value <= 10 and value == int(value))
    if isinstance(value, str | bytes | tuple | frozenset):
        return len(value) > 0
    return True
