"""Where a model may be asked what belongs between two places of a file."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from bot.domain import Attempt, SpanEdit, Suspicion
from bot.search.source import Source, parse

# What passes the tests says where the fault may be: there a model is asked several times.
CHANGED, SAMPLES = 3, 4
# A change of more lines than this is no gap.
LONGEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class GapPlace:
    """A gap in the file ``path``: its characters ``start`` to ``end`` (not included) are not shown.

    Where both are the same, nothing is hidden. ``samples`` is how often a model is asked. Gaps are whole
    lines, or an expression within one.
    """

    path: str
    start: int
    end: int
    samples: int = 1


def places(
    plausible: Sequence[Attempt], suspicions: Iterable[Suspicion], sources: Mapping[str, str]
) -> Iterator[GapPlace]:
    """Where ``plausible`` patches change something, then the suspicious statements and beside them."""
    parsed: dict[str, Source | None] = {}

    def source(path: str) -> Source | None:
        if path not in parsed:
            parsed[path] = parse(path, sources.get(path, ""))
        return parsed[path]

    edits = (one.candidate.patch.edits[0] for one in plausible if len(one.candidate.patch.edits) == 1)
    changed = (place for edit in edits if (read := source(edit.path)) for place in _changed(edit, read))
    suspicious = (place for one in suspicions if (read := source(one.path)) for place in _beside(one, read))
    yield from _distinct(chain(islice(_distinct(changed), 2 * CHANGED), suspicious))


def _distinct(found: Iterable[GapPlace]) -> Iterator[GapPlace]:
    seen: set[tuple[str, int, int]] = set()
    for place in found:
        if (place.path, place.start, place.end) not in seen:
            seen.add((place.path, place.start, place.end))
            yield place


def _changed(edit: SpanEdit, source: Source) -> Iterator[GapPlace]:
    """The expression around ``edit``, and its statement; of whole new lines the place where they stand."""
    if edit.start == edit.end and edit.start == source.code.rfind("\n", 0, edit.start) + 1:
        yield GapPlace(path=edit.path, start=edit.start, end=edit.end, samples=SAMPLES)
        return
    found = _statement(source.code.count("\n", 0, edit.start) + 1, source)
    if found is None or edit.end > found[2]:
        return
    statement, start, end = found
    around = _expression(edit, statement, end, source)
    if around:
        yield GapPlace(path=edit.path, start=around[0], end=around[1], samples=SAMPLES)
    yield GapPlace(path=edit.path, start=start, end=end, samples=SAMPLES)


def _expression(edit: SpanEdit, statement: ast.stmt, last: int, source: Source) -> tuple[int, int] | None:
    """The smallest expression in ``statement`` up to ``last`` that holds more than what ``edit`` changes."""
    spans = (source.segment(node) for node in ast.walk(statement) if isinstance(node, ast.expr))
    changed = edit.end - edit.start
    wider = [
        (start, end)
        for start, end in spans
        if start <= edit.start and edit.end <= end <= last and end - start > changed
    ]
    return min(wider, key=lambda span: span[1] - span[0], default=None)


def _beside(suspicion: Suspicion, source: Source) -> Iterator[GapPlace]:
    found = _statement(suspicion.line, source)
    if found:
        _, start, end = found
        for first, last in ((start, end), (start, start), (end, end)):
            yield GapPlace(path=source.path, start=first, end=last)


def _statement(line: int, source: Source) -> tuple[ast.stmt, int, int] | None:
    """The statement on ``line`` and its lines, of one with a block those of its head; None for long ones."""
    for node in source.statements:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        body = getattr(node, "body", None)
        last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        if node.lineno <= line <= last < node.lineno + LONGEST:
            return node, source.line_start(node.lineno), source.line_end(last)
    return None


def around(place: GapPlace, source: str, *, most_before: int, most_after: int) -> tuple[str, str]:
    """The text before and after the gap, of so many characters.

    What stands before begins at the same line for all gaps near each other: a server that keeps what it has
    read reads on from there.
    """
    step = most_before // 2
    begin = max(0, (place.start - step) // step * step)
    if begin:
        line = source.find("\n", begin, place.start)
        begin = begin if line < 0 else line + 1
    return source[begin : place.start], source[place.end : place.end + most_after]
