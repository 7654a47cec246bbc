"""From suspicious lines to suspicious statements, with the nodes that an operator may change in each.

Only places are weighed here; which change suits a place is the operators' and ``candidates``' business.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bot.search.source import FUNCTIONS, Source, names_in

# A missing branch hides among the lines that did not run, so none of a suspicious function's lines is free
# of blame.
_UNEXECUTED_SHARE = 0.15
# Its head did run, before any test did: guards, defaults and missing returns belong to it.
_HEAD_SHARE = 0.6
# Module and class level ran at import time; what a suspicious function reads there may be to blame.
_OUTER_SHARE = 0.25
_ANNOTATIONS = frozenset({"annotation", "returns", "type_comment", "type_params", "decorator_list"})


class Place(NamedTuple):
    """A statement, how suspicious it is, and its own nodes in text order, the statement first."""

    statement: ast.stmt
    score: float
    nodes: tuple[ast.AST, ...]


def places(source: Source, lines: Mapping[int, float]) -> list[Place]:
    """The statements of the file that are suspicious at all, in text order."""
    owned = {statement: tuple(_own_nodes(statement, source)) for statement in source.statements}
    scores = {statement: _executed_score(statement, nodes, lines) for statement, nodes in owned.items()}
    scores = {statement: score for statement, score in scores.items() if score}
    _blame_surroundings(source, scores)
    return [
        Place(statement, scores[statement], nodes)
        for statement, nodes in owned.items()
        if statement in scores
    ]


def _executed_score(statement: ast.stmt, nodes: tuple[ast.AST, ...], lines: Mapping[int, float]) -> float:
    numbers = {number for node in nodes if (number := getattr(node, "lineno", None)) is not None}
    if not isinstance(statement, ast.ClassDef):
        numbers.add(statement.lineno)
    return max((lines.get(number, 0.0) for number in numbers), default=0.0)


def _blame_surroundings(source: Source, scores: dict[ast.stmt, float]) -> None:
    """Adds the small scores of statements that no failing test is known to have executed."""
    best: dict[ast.AST, float] = {}
    read: dict[str, float] = {}
    for statement, score in scores.items():
        for parent in source.ancestors(statement):
            best[parent] = max(best.get(parent, 0.0), score)
        for name in names_in(statement):
            read[name] = max(read.get(name, 0.0), score)
    for statement in source.statements:
        added = _surrounding_score(statement, source, best, read)
        if added > scores.get(statement, 0.0):
            scores[statement] = added


def _surrounding_score(
    statement: ast.stmt, source: Source, best: Mapping[ast.AST, float], read: Mapping[str, float]
) -> float:
    """What a statement gets for what is suspicious around it, below it, or reads what it assigns."""
    head = _HEAD_SHARE * best.get(statement, 0.0) if isinstance(statement, FUNCTIONS) else 0.0
    around = source.function_of(statement)
    if around is not None:
        return max(head, _UNEXECUTED_SHARE * best.get(around, 0.0))
    if head or isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        return head
    owner = source.parents[statement]
    if isinstance(owner, ast.ClassDef):
        return _OUTER_SHARE * best.get(owner, 0.0)
    return _OUTER_SHARE * max((read.get(name, 0.0) for name in names_in(statement)), default=0.0)


def _own_nodes(statement: ast.stmt, source: Source) -> Iterator[ast.AST]:
    """The statement and what is below it, without inner statements and annotations."""
    # No recursion: an expression may be nested deeper than that goes.
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [*_parts(node, source)][::-1]


def _parts(node: ast.AST, source: Source) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in _ANNOTATIONS:
            continue
        for child in value if isinstance(value, list) else (value,):
            if isinstance(node, ast.JoinedStr):
                yield from source.formatted(child)
            elif isinstance(child, ast.AST) and not isinstance(child, ast.stmt) and child in source.parents:
                yield child
