"""Values that nothing reads: updates of numbers at the end, and what is bound anew before it is read."""

import ast
from collections.abc import Iterator, Sequence

from bot.choice.targets import definitions
from bot.patch.syntax import walk

Loop = ast.For | ast.AsyncFor | ast.While
_WITH_BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.If, ast.For, ast.While, ast.With)
_NEAR = 20
"""Statements after one in which its name is looked for."""
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


def overwritten(node: ast.AST) -> int:
    """How many values are bound to a name that gets another one before anything reads it.

    Those are counted that stand right below ``node``, or in a branch right below that goes on there.
    """
    if not isinstance(node, _WITH_BLOCKS):
        return 0
    count = 0
    for block in (getattr(node, name, []) for name in ("body", "orelse")):
        for index, statement in enumerate(block):
            count += _is_overwritten(block, index)
            branches = (statement.body, statement.orelse) if isinstance(statement, ast.If) else ()
            for branch in branches:
                onward = [*branch, *block[index + 1 :]]
                inside = (_is_overwritten(branch, place) for place in range(len(branch)))
                count += sum(
                    _is_overwritten(onward, place) and not before for place, before in enumerate(inside)
                )
    return count


def _is_overwritten(block: Sequence[ast.stmt], index: int) -> bool:
    name = _bound(block[index])
    for following in block[index + 1 : index + 1 + _NEAR] if name else ():
        if not isinstance(following, (ast.Assign, ast.Expr)):
            return False
        new = _bound(following)
        names = (child for child in walk(following) if isinstance(child, ast.Name) and child.id == name)
        if any(isinstance(child.ctx, ast.Load) or new != name for child in names):
            return False
        if new == name:
            return True
    return False


def _bound(statement: ast.stmt) -> str:
    """The one name that an assignment binds; empty for other statements."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""
