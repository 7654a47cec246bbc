"""One change as the same change in other places of a file that read alike.

Who forgets a conversion where a key is read forgets it where the key is written. After one of the two edits
the tests fail as before, so that no search finds the second one on top of the first.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeGuard

from bot.patch.syntax import walk
from bot.search.operators.base import Context, Mutation, grouped

_MAX_PLACES = 5  # in more of them it is not this expression that is wrong
_MAX_CALLS = 8  # of a function of which two are changed together
_SHORTEST_TEXT = 3  # characters of a text that is a unit by itself
_UNITS = (ast.Call, ast.Subscript, ast.Compare, ast.BinOp, ast.BoolOp, ast.Tuple)


def repeated(mutation: Mutation, node: ast.AST, context: Context) -> Iterator[Mutation]:
    """``mutation`` wherever the file has the smallest repeated expression that it changes.

    Another name for a called function is also tried in two of its calls, this one and another.

    Args:
        mutation: a change within one expression; others have no repetition.
        node: what the operator was asked for.
        context: the file.
    """
    start = min(edit.start for edit in mutation.edits)
    end = max(edit.end for edit in mutation.edits)
    for unit in _around(node, context):
        first, last = context.source.segment(unit)
        if not first <= start <= end <= last:
            continue
        if isinstance(unit, ast.Call) and (start, end) == context.source.segment(unit.func):
            yield from _in_calls(mutation, unit.func, start, context)
            return
        begins = context.once(_places, context.source.tree).get(context.code(unit), ())
        if len(begins) > 1:
            if len(begins) <= _MAX_PLACES:
                yield _everywhere(mutation, first, begins)
            return


def _around(node: ast.AST, context: Context) -> Iterator[ast.expr]:
    """The expressions from the node outwards that can be a unit."""
    for part in (node, *context.source.ancestors(node)):
        if isinstance(part, ast.stmt):
            return
        if _is_unit(part):
            yield part


def _is_unit(node: ast.AST) -> TypeGuard[ast.expr]:
    match node:
        case ast.Constant(value=str(text)):
            return len(text) >= _SHORTEST_TEXT
    return isinstance(node, _UNITS)


def _places(tree: ast.AST, context: Context) -> dict[str, list[int]]:
    """Where each unit begins in the file, by its text."""
    return grouped(
        (context.code(part), context.source.segment(part)[0]) for part in walk(tree) if _is_unit(part)
    )


def _in_calls(mutation: Mutation, callee: ast.expr, start: int, context: Context) -> Iterator[Mutation]:
    """Another name for a function, in all of its calls, and in two of them."""
    begins = context.once(_calls, context.source.tree).get(context.code(callee), [])
    if 1 < len(begins) <= _MAX_PLACES:
        yield _everywhere(mutation, start, begins)
    if 2 < len(begins) <= _MAX_CALLS:
        near = sorted(begins, key=lambda begin: abs(begin - start))
        for other in near[1:]:
            yield _everywhere(mutation, start, sorted((start, other)))


def _calls(tree: ast.AST, context: Context) -> dict[str, list[int]]:
    """Where each function is called by its name."""
    callees = (part.func for part in walk(tree) if isinstance(part, ast.Call))
    names = (callee for callee in callees if isinstance(callee, ast.Name))
    return grouped((name.id, context.source.segment(name)[0]) for name in names)


def _everywhere(mutation: Mutation, first: int, begins: Sequence[int]) -> Mutation:
    """``mutation``, whose unit begins at ``first``, in each unit that begins at one of ``begins``."""
    edits = tuple(
        replace(edit, start=edit.start - first + begin, end=edit.end - first + begin)
        for begin in begins
        for edit in mutation.edits
    )
    return replace(mutation, edits=edits, explanation=f"{mutation.explanation}, in {len(begins)} places")
