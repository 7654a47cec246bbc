"""Which attempts are built upon: those that made progress, few of each behaviour, traced anew.

Candidates that no test distinguishes are nearly one candidate to the search (observational equivalence), so
that only the best-ranked of them are worth a second change. Not one alone: the first that makes a test get
further may do so by chance, and it is the second change that distinguishes them.
"""

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bot.agent.nodes.localise import suspected
from bot.agent.state import RepairContext, RepairState, searches
from bot.agent.trial.evaluation import changed_files
from bot.agent.trial.pace import TRACE_SLOWDOWN
from bot.domain import Attempt, Base, Patch
from bot.patch.apply import apply
from bot.request import RepairRequest
from bot.search.progress import STRONG, behaviour

# A traced run takes as long as several quick verdicts, or as dozens: few of a batch get one.
PER_BATCH = 3
# Of those that behave alike: in one line, and in all.
PER_PLACE, PER_BEHAVIOUR = 2, 6
MAX_BASES = 16
# Of slow tests there may be few runs at all: traced ones take no more of the time than this.
TRACE_SHARE, TRACE_MIN_S = 0.2, 2.0
# A value that is merely nearer says little: such bases leave room for those that get further.
MAX_WEAK = 6
SUSPICION_LIMIT = 60


def grow(state: RepairState, attempts: Sequence[Attempt], context: RepairContext) -> dict[str, Any]:
    """The changes to the state that come of building upon some of ``attempts``."""
    if not grows(context.request) or state.plausible:
        return {}
    options = context.request.search
    hopeful = [a for a in attempts if a.progress > 0 and a.candidate.order < options.order]
    hopeful.sort(key=lambda attempt: (-attempt.progress, -attempt.candidate.score))
    chosen = _distinct(hopeful, state.bases, context.sources) if options.pruning else hopeful
    alike = len(hopeful) - len(chosen)
    bases = list(state.bases)
    for attempt in chosen[:PER_BATCH]:
        if context.pace.traced_s > TRACE_MIN_S + TRACE_SHARE * context.stopwatch.elapsed:
            break
        weak = sum(base.attempt.progress < STRONG for base in bases)
        if len(bases) < MAX_BASES and (attempt.progress >= STRONG or weak < MAX_WEAK):
            base = _traced(attempt, state, context)
            bases += [base] if base.suspicions else []
    ruled_out = dataclasses.replace(state.ruled_out, alike=state.ruled_out.alike + alike)
    return {"bases": tuple(bases), "ruled_out": ruled_out}


def grows(request: RepairRequest) -> bool:
    """Whether candidates are built upon at all."""
    return searches(request) and request.search.progress and request.search.order > 1


def _distinct(
    attempts: Sequence[Attempt], bases: Sequence[Base], sources: Mapping[str, str]
) -> list[Attempt]:
    """The first of each behaviour, in each place, that ``bases`` have room for."""
    known: Counter[object] = Counter()
    chosen: list[Attempt] = []
    for attempt in (*(base.attempt for base in bases), *attempts):
        behaves = behaviour(attempt.endings)
        place = (behaves, *_line(attempt.candidate.patch, sources))
        if known[behaves] < PER_BEHAVIOUR and known[place] < PER_PLACE:
            chosen.append(attempt)
            known.update((behaves, place))
    return [attempt for attempt in chosen if attempt not in [base.attempt for base in bases]]


def _line(patch: Patch, sources: Mapping[str, str]) -> tuple[str, int]:
    """The path and the line of a patch's first edit."""
    first = min(patch.edits, key=lambda edit: (edit.path, edit.start))
    return first.path, sources.get(first.path, "").count("\n", 0, first.start)


def _traced(attempt: Attempt, state: RepairState, context: RepairContext) -> Base:
    """``attempt`` with the lines that are suspicious now: where its tests fail with it."""
    patch = attempt.candidate.patch
    tests = [result.test for result in attempt.endings]
    limits = context.pace.limits([one for one in state.baseline.failing if one.test in tests], patient=True)
    report = context.testbed.run(
        tests=tests,
        changes=changed_files(patch, context),
        trace=True,
        quick=True,
        timeout_s={test: TRACE_SLOWDOWN * limit for test, limit in limits.items()},
    )
    context.pace.traced_s += report.seconds
    sources = {**context.sources, **apply(patch, context.sources)}
    red = report.failing
    return Base(
        attempt=attempt,
        known_at=state.drawn,
        suspicions=suspected(red, report.passing, sources, context)[:SUSPICION_LIMIT] if red else (),
        failing=tuple(dataclasses.replace(result, lines={}, steps=None) for result in red),
    )
