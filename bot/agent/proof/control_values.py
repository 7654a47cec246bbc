"""Where a control test looks at values: both sides of what is compared, and what a stand-in was given.

It looks in the test, in the functions inside it, and in those of its file that it names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.patch.syntax import Function

NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""What has a body of its own."""

_WRITTEN_OUT = (*(ast.Constant, ast.UnaryOp, ast.USub, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Load),)
_EQUALITY = {
    *("assertEqual", "assertEquals", "failUnlessEqual", "assertSequenceEqual", "assertListEqual"),
    *("assertTupleEqual", "assertSetEqual", "assertDictEqual", "assertMultiLineEqual", "assertCountEqual"),
    *("assertAlmostEqual", "assertAlmostEquals"),
}
_OF_STAND_INS = {
    f"assert_{name}" for name in ("called_with", "called_once_with", "any_call", "has_calls")
} | {f"assert_{name}" for name in ("awaited_with", "awaited_once_with", "any_await", "has_awaits")}


def own_nodes(
    function: Function | ast.With | ast.AsyncWith, guards: tuple[type[ast.AST], ...] = ()
) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes of ``function`` but those of functions inside it, and whether one of ``guards`` is around."""
    waiting: list[tuple[ast.AST, bool]] = [(statement, False) for statement in function.body]
    while waiting:
        node, guarded = waiting.pop()
        yield node, guarded
        if not isinstance(node, NESTED):
            guarded = guarded or isinstance(node, guards)
            waiting += [(child, guarded) for child in ast.iter_child_nodes(node)]


def reached_functions(functions: Sequence[Function], tree: ast.Module) -> list[Function]:
    """``functions``, those inside them, and those of the file that these name, and so on."""
    by_name: dict[str, list[Function]] = {}
    for node in ast.walk(tree):
        if isinstance(node, Function):
            by_name.setdefault(node.name, []).append(node)
    found: list[Function] = []
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.append(function)
            for node in (one for statement in function.body for one in ast.walk(statement)):
                if isinstance(node, Function):
                    waiting.append(node)
                elif isinstance(node, ast.Name):
                    waiting += by_name.get(node.id, [])
                elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"self", "cls"}:
                    waiting += by_name.get(node.attr, [])
    return found


def looked_at(function: Function, starts: list[int], mark: str) -> Iterator[tuple[int, str]]:
    """What to insert into ``function`` to look at values, and where."""
    for node, _guarded in own_nodes(function):
        for compared in _compared(node):
            yield from _paired(compared, starts, mark)
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=name))) if (
                name in _OF_STAND_INS and is_named(owner)
            ):
                place = starts[node.lineno - 1] + node.col_offset
                yield place, f"{mark}_given({ast.unparse(owner)}); "


def is_named(value: ast.expr) -> bool:
    """Whether ``value`` can be asked for once more: it is a name, or hangs on one."""
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, ast.Name)


def end_of(node: ast.expr | ast.stmt, starts: list[int]) -> int:
    """The position behind ``node``."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.end_lineno - 1] + node.end_col_offset


@dataclass(frozen=True, slots=True)
class _Compared:
    """The two sides of a comparison by equality, in the order in which they are evaluated."""

    left: ast.expr
    right: ast.expr
    among: bool = False  # it is one by ``in``


def _compared(node: ast.AST) -> Iterator[_Compared]:
    found: list[_Compared] = []
    match node:
        case ast.Assert(test=test):
            found = [pair for one in _expressions(test) for pair in _sides(one)]
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[left, right, *_])) if (
            name in _EQUALITY or name == "assertIn"
        ):
            found = [_Compared(left, right, among=name == "assertIn")]
    for one in found:
        sides = (one.left, one.right)
        if not any(isinstance(side, ast.Starred) or _matches_anything(side) for side in sides):
            yield one


def _expressions(test: ast.expr) -> Iterator[ast.expr]:
    """``test`` and what is evaluated with it, in the same function."""
    waiting: list[ast.AST] = [test]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr):
            yield node
        if not isinstance(node, (*NESTED, ast.JoinedStr)):
            waiting += ast.iter_child_nodes(node)


def _sides(test: ast.expr) -> list[_Compared]:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.In() as operator], comparators=[right]):
            return [_Compared(left, right, among=isinstance(operator, ast.In))]
    return []


def _paired(compared: _Compared, starts: list[int], mark: str) -> Iterator[tuple[int, str]]:
    """Hand both sides to what looks at them."""
    left, right = compared.left, compared.right
    place = starts[left.lineno - 1] + left.col_offset
    swapped = all(isinstance(node, _WRITTEN_OUT) for node in ast.walk(left))
    yield place, f" {mark}_left({place}, "
    yield end_of(left, starts), ")"
    name = "among" if compared.among else "right"
    yield starts[right.lineno - 1] + right.col_offset, f" {mark}_{name}({place}, {swapped}, "
    yield end_of(right, starts), ")"


def _matches_anything(value: ast.expr) -> bool:
    """Whether a name says so, as ``mock.ANY`` does."""
    return isinstance(value, (ast.Name, ast.Attribute)) and ast.unparse(value).rpartition(".")[2] == "ANY"
