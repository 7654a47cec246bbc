"""Updates of numbers that nothing reads afterwards, such as ``count += 1`` before ``return total``."""

import ast
from collections.abc import Iterator

from bot.choice.targets import definitions
from bot.patch.syntax import walk

Loop = ast.For | ast.AsyncFor | ast.While
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_OF_NUMBERS = (ast.Mult, ast.Div, ast.FloorDiv, ast.Pow, ast.Mod)
"""``+=`` and ``-=`` may change a list or a set that others see; with a number beside it they do not."""


def dead_updates(tree: ast.Module) -> int:
    """How many augmented assignments to local names of functions have a value that is never read.

    Names that nothing reads at all are counted elsewhere (``unused_names``).
    """
    return sum(
        _is_dead(update, loops, node) for _, node in definitions(tree) for update, loops in _updates(node)
    )


def _updates(node: ast.AST, loops: tuple[Loop, ...] = ()) -> Iterator[tuple[ast.AugAssign, tuple[Loop, ...]]]:
    """The updates of numbers below ``node``, with the loops around each; not those of functions within."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.AugAssign(target=ast.Name(), op=op, value=value):
                number = isinstance(value, ast.Constant) and isinstance(value.value, int | float)
                if isinstance(op, _OF_NUMBERS) or number:
                    yield child, loops
        if not isinstance(child, _SCOPES):
            yield from _updates(child, (*loops, child) if isinstance(child, Loop) else loops)


def _is_dead(update: ast.AugAssign, loops: tuple[Loop, ...], function: ast.AST) -> bool:
    assert isinstance(update.target, ast.Name)
    name, own = update.target.id, set(map(id, walk(update)))
    around = {id(one) for loop in loops for part in _repeated(loop) for one in walk(part)}
    end = (update.end_lineno or update.lineno, update.end_col_offset or 0)
    is_read = False
    for one in walk(function):
        if isinstance(one, ast.Global | ast.Nonlocal) and name in one.names:
            return False
        if isinstance(one, _SCOPES) and one is not function and any(_reads(part, name) for part in walk(one)):
            return False
        if not _reads(one, name):
            continue
        is_read = True
        assert isinstance(one, ast.Name)
        if id(one) not in own and (id(one) in around or (one.lineno, one.col_offset) >= end):
            return False
    return is_read


def _repeated(loop: Loop) -> list[ast.AST]:
    """What runs in each round."""
    return [*loop.body, *([loop.test] if isinstance(loop, ast.While) else [])]


def _reads(node: ast.AST, name: str) -> bool:
    """Whether ``node`` reads ``name``. The target of another update of it is a name that is stored."""
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
