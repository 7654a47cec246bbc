"""Which statements can have had a say in how a function ended: backward slices within functions.

Weiser, "Program Slicing" (ICSE 1981), over an approximation of data and control dependence that needs no
flow graph: names are defined and used by whole statements, and what stands later counts only round a loop.
What is outside of the slice is less suspicious, not innocent, since the approximation knows nothing of
aliases. Nothing is run here, and nothing followed from one function into another.
"""

import ast
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from bot.domain import Suspicion
from bot.search.source import FUNCTIONS, LOOPS, Function, Source, parse
from bot.search.spectra import normalised
from sandbox.reports import TestResult

# Half: any stronger, and one overlooked alias would hide the fault behind hundreds of candidates.
_OUTSIDE = 0.5
# Nearness to the end of the slice says little: ten steps away is worth a tenth less.
_PER_STEP, _FARTHEST = 0.01, 10
# What is longer is left as it is: slices take time in the square of a function's length.
_MAX_STATEMENTS, _MAX_FILES = 400, 40
_EXITS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


class _Flow(NamedTuple):
    """The names that a statement, without the statements in it, reads and changes; whether others see it."""

    reads: frozenset[str]
    changes: frozenset[str]
    escapes: bool


def weighed(
    suspicions: Sequence[Suspicion], sources: Mapping[str, str], failing: Sequence[TestResult]
) -> tuple[Suspicion, ...]:
    """``suspicions`` with those lines lowered that had no part in how their functions ended.

    Args:
        suspicions: scores in (0, 1].
        sources: the text of each file; a file that is missing or does not parse is left as it is.
        failing: failing results with steps; without any nothing changes.

    Returns:
        Most suspicious first, the highest score being 1 again.
    """
    factors: dict[tuple[str, int], float] = {}
    ranked = sorted(suspicions, key=lambda found: (-found.score, found.path, found.line))
    for path in list(dict.fromkeys(found.path for found in ranked))[:_MAX_FILES]:
        lasts = [steps.last[path] for result in failing if (steps := result.steps) and path in steps.last]
        source = parse(path, sources[path]) if lasts and path in sources else None
        if source is not None:
            for line, factor in relevance(source, lasts).items():
                factors[path, line] = factor
    scores = {(s.path, s.line): s.score * factors.get((s.path, s.line), 1.0) for s in suspicions}
    return normalised(scores)


def relevance(source: Source, lasts: Sequence[Sequence[int]]) -> dict[int, float]:
    """A factor in [1/2, 1] for each line of the functions that were at work when a test failed.

    Args:
        source: the file.
        lasts: for each failing test, the lines of its last step in the order of their last execution.
    """
    factors: dict[int, float] = {}
    slices: dict[ast.stmt, dict[ast.stmt, int]] = {}  # by where they end: most tests end in the same places
    for last in lasts:
        times = {line: time for time, line in enumerate(last)}
        for function in source.functions:
            own = source.statements_of(function)
            ran = [place for place in own if any(line in times for line in _head(place))]
            if not ran or len(own) > _MAX_STATEMENTS:
                continue
            end = max(ran, key=lambda place: max(times.get(line, -1) for line in _head(place)))
            if end not in slices:
                slices[end] = _slice(source, function, own, end)
            for place in own:
                steps = slices[end].get(place)
                factor = _OUTSIDE if steps is None else 1.0 - _PER_STEP * min(steps, _FARTHEST)
                for line in _head(place):
                    factors[line] = max(factors.get(line, 0.0), factor)
    return factors


def _slice(source: Source, function: Function, own: Sequence[ast.stmt], end: ast.stmt) -> dict[ast.stmt, int]:
    """The statements that ``end`` depends on, or whose effect is seen from outside, with their distances."""
    flows = {place: _flow(place) for place in own}
    loops = {place: _loops(source, place) for place in own}
    control = {place: _controlling(source, function, place, loops) for place in own}
    distances = {end: 0} | {place: 1 for place, flow in flows.items() if flow.escapes and place is not end}
    waiting = deque(distances)
    while waiting:
        place = waiting.popleft()
        found = control[place] | {
            other
            for other in own
            if flows[other].changes & flows[place].reads and _may_precede(other, place, loops)
        }
        for other in found - distances.keys():
            distances[other] = distances[place] + 1
            waiting.append(other)
    return distances


_Loops: TypeAlias = Mapping[ast.stmt, frozenset[ast.AST]]


def _controlling(source: Source, function: Function, place: ast.stmt, loops: _Loops) -> set[ast.stmt]:
    """What decides whether ``place`` is reached: what it stands in, and the exits before it."""
    around = {found for found in source.ancestors(place) if isinstance(found, ast.stmt)}
    exits = {other for other in loops if isinstance(other, _EXITS) and _may_precede(other, place, loops)}
    return (around | exits) & loops.keys() - {place, function}


def _loops(source: Source, place: ast.stmt) -> frozenset[ast.AST]:
    """The loops around a statement, itself included."""
    return frozenset(found for found in (place, *source.ancestors(place)) if isinstance(found, LOOPS))


def _may_precede(first: ast.stmt, second: ast.stmt, loops: _Loops) -> bool:
    """Whether ``first`` may run before ``second``: it stands before it, or in a loop with it."""
    before = (first.lineno, first.col_offset) < (second.lineno, second.col_offset)
    return before or bool(loops[first] & loops[second])


def _head(place: ast.stmt) -> Sequence[int]:
    """The lines of a statement, without the statements in it."""
    if isinstance(place, ast.Match):
        subject = range(place.lineno, (place.subject.end_lineno or place.lineno) + 1)
        return (*subject, *(line for case in place.cases for line in _above(case.pattern.lineno, case.body)))
    body = getattr(place, "body", None)
    if not isinstance(body, list) or not body:
        return range(place.lineno, (place.end_lineno or place.lineno) + 1)
    return _above(place.lineno, body)


def _above(line: int, body: Sequence[ast.stmt]) -> range:
    """The lines from ``line`` on that come before a block; itself in any case."""
    return range(line, max(line + 1, body[0].lineno))


def _flow(place: ast.stmt) -> _Flow:
    reads: set[str] = set()
    changes: set[str] = set()
    escapes = isinstance(place, (ast.Global, ast.Nonlocal, ast.Raise))
    for node in _expressions(place):
        bound = getattr(node, "asname", None) or getattr(node, "name", None) or getattr(node, "rest", None)
        if isinstance(bound, str):  # an import, a handler, a pattern, a function within
            changes.add(bound.partition(".")[0])
        if isinstance(node, ast.Name):
            (reads if isinstance(node.ctx, ast.Load) else changes).add(node.id)
            if isinstance(place, ast.AugAssign):
                reads.add(node.id)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            changes.update(_base(node))
            escapes = True
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changes.update(_base(node.func))  # most methods read, but ``append`` does not say so
        elif isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
            escapes = True
    if isinstance(place, ast.Expr) and isinstance(place.value, ast.Call):
        # What is called for its effect: on something of the function's own it matters if that is used.
        escapes = escapes or not isinstance(place.value.func, ast.Attribute)
    return _Flow(frozenset(reads), frozenset(changes), escapes)


def _base(node: ast.AST) -> Iterator[str]:
    """The name at the root of ``a.b[c].d``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        yield node.id


def _expressions(place: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement, without those of the statements in it; a function within is one whole."""
    if isinstance(place, FUNCTIONS):
        yield from ast.walk(place)
        return
    waiting: list[ast.AST] = [place]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]
