"""The stream of candidates: every operator on every suspicious statement, likeliest first.

The search is best-first over bounds, so that a file is parsed, a statement is read and an operator is asked
only when nothing likelier is left. Equal input gives the same stream: a resumed run skips what it has
tried. Nothing is run here.
"""

import ast
import heapq
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

from bot.domain import Candidate, Patch, SpanEdit, Suspicion
from bot.internal_errors import each, guarded
from bot.patch.apply import apply
from bot.search.examples import Examples
from bot.search.nearness import shared_ends
from bot.search.operators import OPERATORS, Context, Mutation, Operator
from bot.search.ranking import Place, places
from bot.search.repeats import repeated
from bot.search.source import parse
from bot.search.symptoms import ACCEPTED_BOOST, MAX_BOOST, boosts
from bot.search.templates import from_templates
from bot.search.validity import Validity
from sandbox.reports import TestResult

Sources: TypeAlias = Mapping[str, str]

# An operator's later candidates for one statement count less and less, so that a prolific operator leaves
# room for others.
_DECAY = 0.3
_REPEAT_SHARE = 0.5  # what a change in each place that reads alike counts, beside the change in one place
_MAX_SUSPICIOUS_LINES = 400
# Of one operator for one statement: only tables of thousands of items have more, and nobody waits for all.
_MAX_MUTATIONS = 4_000
# What has an effect in a statement that is an expression; an item can be missing, a sum can be a pipeline.
_ACTING = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Subscript, ast.BinOp)


class _File(NamedTuple):
    path: str
    lines: Mapping[int, float]


class _Site(NamedTuple):
    place: Place
    context: Context
    validity: Validity


class _OperatorSite(NamedTuple):
    operator: Operator
    nodes: tuple[ast.AST, ...]
    site: _Site


class _Change(NamedTuple):
    mutation: Mutation
    node: ast.AST
    origin: _OperatorSite
    hull: SpanEdit


_Task: TypeAlias = _File | _Site | _OperatorSite | _Change


def candidates(  # noqa: PLR0913, PLR0917 - what a stream is made from
    sources: Sources,
    suspicions: Sequence[Suspicion],
    failing: Sequence[TestResult] = (),
    max_lines: int = _MAX_SUSPICIOUS_LINES,
    accepted: Collection[str] = (),
    wanted: Callable[[Patch], bool] | None = None,
) -> Iterator[Candidate]:
    """Candidates in the order of suspiciousness times prior times weight, made as they are wanted.

    Before them come the few that the failures' own words call for (``from_templates``), wherever those lie.

    Args:
        sources: the files that may be changed; what is elsewhere, or does not parse, is ignored.
        suspicions: where to look, in any order.
        failing: the failing results; what they say raises the prior of some operators.
        max_lines: how many of the most suspicious lines are looked at.
        accepted: operators and fix templates that are likelier here, by ``ACCEPTED_BOOST``.
        wanted: which of the operators' patches are worth a look; asked before they are compiled.

    Returns:
        Candidates whose file compiles, no two with the same text or bytecode, none that changes nothing.
    """
    return _Search(sources, tuple(failing), accepted, wanted).run(suspicions, max_lines)


class _Search:
    """One run of the stream."""

    def __init__(
        self,
        sources: Sources,
        failing: tuple[TestResult, ...],
        accepted: Collection[str],
        wanted: Callable[[Patch], bool] | None,
    ) -> None:
        self._sources, self._wanted = sources, wanted
        self._accepted = accepted
        self._failing = failing
        self._examples = Examples(sources, failing)
        self._boosts: Mapping[str, float] = {}
        with guarded("the failures' hints"):
            self._boosts = boosts(failing)
        self._queue: list[tuple[float, int, int, _Task]] = []
        self._count = 0
        self._texts_seen: set[int] = set()
        self._meanings: set[tuple[str, int, int]] = set()
        self._best_prior = max(self._prior(operator) for operator in OPERATORS)

    def run(self, suspicions: Sequence[Suspicion], max_lines: int) -> Iterator[Candidate]:
        """What the failures call for in so many words, then what is likeliest until nothing is left."""
        yield from self._from_templates()
        ranked = sorted(suspicions, key=lambda found: (-found.score, found.path, found.line))[:max_lines]
        by_path: dict[str, dict[int, float]] = {}
        for found in ranked:
            by_path.setdefault(found.path, {}).setdefault(found.line, found.score)
        for path, lines in by_path.items():
            if path in self._sources:
                self._push(max(lines.values()) * self._best_prior, _File(path, lines))
        while self._queue:
            negative, _, _, task = heapq.heappop(self._queue)
            with guarded("the search's candidates"):
                match task:
                    case _File():
                        self._open_file(task)
                    case _Site():
                        self._open_site(task)
                    case _OperatorSite():
                        self._open_operator(task)
                    case _Change() if self._is_new(task):
                        yield _candidate(task, -negative)

    def _from_templates(self) -> Iterator[Candidate]:
        for candidate in each(
            "the fix templates", partial(from_templates, self._sources, self._failing, self._accepted)
        ):
            if len(changed := apply(candidate.patch, self._sources)) == 1:
                self._texts_seen.update(map(hash, changed.items()))
            yield candidate

    def _push(self, bound: float, task: _Task, size: int = 0) -> None:
        if bound > 0:
            self._count += 1
            heapq.heappush(self._queue, (-bound, size, self._count, task))

    def _prior(self, operator: Operator) -> float:
        """The operator's prior with what the failures hint at and what was accepted, in (0, 1]."""
        known = ACCEPTED_BOOST if operator.name in self._accepted else 1.0
        return min(1.0, operator.prior * known * self._boosts.get(operator.name, 1.0) / MAX_BOOST)

    def _open_file(self, task: _File) -> None:
        source = parse(task.path, self._sources[task.path])
        if source is None:
            return
        context, validity = Context(source, self._failing, self._examples), Validity(source)
        for place in places(source, task.lines):
            self._push(place.score * self._best_prior, _Site(place, context, validity))

    def _open_site(self, site: _Site) -> None:
        for operator in OPERATORS:
            nodes = tuple(node for node in site.place.nodes if isinstance(node, operator.kinds))
            if nodes:
                self._push(site.place.score * self._prior(operator), _OperatorSite(operator, nodes, site))

    def _open_operator(self, origin: _OperatorSite) -> None:
        context = origin.site.context
        part = f"the operator '{origin.operator.name}'"
        mutations = (
            (mutation, node)
            for node in origin.nodes
            for mutation in each(part, partial(origin.operator.mutations, node, context))
        )
        found = list(islice(mutations, _MAX_MUTATIONS))
        found.sort(key=lambda item: -item[0].weight)
        best = origin.site.place.score * self._prior(origin.operator)
        for rank, (mutation, node) in enumerate(found):
            hull = _hull(context.source.code, mutation.edits)
            bound = best * mutation.weight / (1 + rank) ** _DECAY
            self._push(bound, _Change(mutation, node, origin, hull), _size(context.source.code, hull))
            for again, everywhere in enumerate(repeated(mutation, node, context)):
                hull = _hull(context.source.code, everywhere.edits)
                change = _Change(everywhere, node, origin, hull)
                share = _REPEAT_SHARE / (1 + 0.2 * again)
                self._push(bound * share, change, _size(context.source.code, hull))

    def _is_new(self, change: _Change) -> bool:
        """Whether it is wanted, compiles, changes something that counts, and was not proposed before."""
        if self._wanted is not None and not self._wanted(Patch(edits=change.mutation.edits)):
            return False
        hull, original = change.hull, change.origin.site.context.source.code
        text = original[: hull.start] + hull.replacement + original[hull.end :]
        known = hash((hull.path, text))
        if known in self._texts_seen or text == original or _is_idle(change):
            return False
        self._texts_seen.add(known)
        validity = change.origin.site.validity
        found = validity.identity(change.node, hull.start, hull.end, hull.replacement)
        meaning = found and (hull.path, *found)
        if meaning is None or meaning in self._meanings:
            return False
        self._meanings.add(meaning)
        return True


def _is_idle(change: _Change) -> bool:
    """Whether a statement that is a call only reads afterwards: to delete it is another candidate."""
    source, hull = change.origin.site.context.source, change.hull
    around = (node for node in (change.node, *source.ancestors(change.node)) if isinstance(node, ast.Expr))
    statement = next((one for one in around if isinstance(one.value, (ast.Call, ast.Await))), None)
    if statement is None:
        return False
    start, end = source.segment(statement)
    if not start <= hull.start <= hull.end <= end:
        return False
    try:
        after = ast.parse(source.code[start : hull.start] + hull.replacement + source.code[hull.end : end])
    except (SyntaxError, ValueError, RecursionError):
        return False
    acts = (isinstance(node, _ACTING) for one in after.body for node in ast.walk(one))
    return bool(after.body) and all(isinstance(one, ast.Expr) for one in after.body) and not any(acts)


def _candidate(change: _Change, score: float) -> Candidate:
    return Candidate(
        patch=Patch(edits=change.mutation.edits),
        origin=change.origin.operator.name,
        explanation=change.mutation.explanation,
        score=min(1.0, score),
    )


def _hull(original: str, edits: tuple[SpanEdit, ...]) -> SpanEdit:
    """The edits as one edit, from the first to the last."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    start, end = ordered[0].start, max(edit.end for edit in ordered)
    pieces, position = [], start
    for edit in ordered:
        pieces += [original[position : edit.start], edit.replacement]
        position = edit.end
    return SpanEdit(path=edits[0].path, start=start, end=end, replacement="".join(pieces))


def _size(original: str, hull: SpanEdit) -> int:
    """How many characters go and come, those left out that both texts begin or end with."""
    old = original[hull.start : hull.end]
    return len(old) + len(hull.replacement) - 2 * sum(shared_ends(old, hull.replacement))
