"""What a function without documentation is meant to do, as its tests show it: assertions that stand alone."""

import ast
import builtins
import copy
from collections.abc import Iterator, Mapping

from bot.agent.model.briefing.target import Target
from bot.patch.syntax import parsed
from sandbox.reports import TestResult

# Fewer than this many say too little to write a function from.
FEWEST, MOST = 2, 10
CHARACTERS = 200
_BUILTINS = frozenset(dir(builtins))


def examples(target: Target, result: TestResult, sources: Mapping[str, str]) -> tuple[str, ...]:
    """Assertions about ``target`` that need nothing else, in the file of the failing test ``result``.

    A line each, in their order; none where there are fewer than ``FEWEST``.
    Where a test hands the function on (``check(median)``), what it is called there is its name again.
    """
    tree = parsed(sources.get(result.test.split("::")[0], ""))
    name = target.node.name
    if tree is None or name != target.name:  # a method is called on something that would have to be shown
        return ()
    found = dict.fromkeys(_alone(tree, name))
    return tuple(found)[:MOST] if len(found) >= FEWEST else ()


def _alone(tree: ast.Module, name: str) -> Iterator[str]:
    passed = dict(_passed(tree, name))
    for function in (tree, *_functions(tree)):
        known = name if isinstance(function, ast.Module) else passed.get(function.name, name)
        for node in function.body:  # an assertion in a block may hold for some cases only
            if not isinstance(node, ast.Assert):
                continue
            names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            if known in names and names - {known} <= _BUILTINS:
                text = _written(node, known, name)
                if len(text) <= CHARACTERS:
                    yield text


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _passed(tree: ast.Module, name: str) -> Iterator[tuple[str, str]]:
    """Functions of the tests that ``name`` is passed to, and what they call it."""
    parameters = {one.name: [argument.arg for argument in one.args.args] for one in _functions(tree)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        for argument, parameter in zip(node.args, parameters.get(node.func.id, []), strict=False):
            if isinstance(argument, ast.Name) and argument.id == name:
                yield node.func.id, parameter


def _written(node: ast.Assert, known: str, name: str) -> str:
    try:
        renamed = copy.deepcopy(node)
        for one in ast.walk(renamed):
            if isinstance(one, ast.Name) and one.id == known:
                one.id = name
        return ast.unparse(renamed)
    except RecursionError:
        return "#" * (CHARACTERS + 1)  # too long to be shown
