"""Which attempts are built upon: those that made progress, one of each behaviour, traced anew.

Candidates that no test tells apart are one candidate to the search (observational equivalence), so that only
the best-ranked of them is worth a second change.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from bot.agent.evaluation import changed_files
from bot.agent.nodes.localise import TRACE_SLOWDOWN, suspected
from bot.agent.state import SEARCH, RepairContext, RepairState
from bot.domain import Attempt, Base, RepairRequest
from bot.patch.apply import apply
from bot.search.progress import STRONG, behaviour
from sandbox.reports import TestResult

# A traced run takes as long as dozens of quick verdicts: few of a batch get one.
PER_BATCH = 3
MOST_BASES = 16
# A value that is merely nearer says little: such bases leave room for those that get further.
MOST_WEAK = 6
SUSPICION_LIMIT = 60


def grow(state: RepairState, attempts: Sequence[Attempt], context: RepairContext) -> dict[str, Any]:
    """The changes to the state that come of building upon some of ``attempts``."""
    if not grows(context.request) or state.plausible:
        return {}
    options = context.request.search
    hopeful = [a for a in attempts if a.progress > 0 and a.proposal.order < options.order]
    hopeful.sort(key=lambda attempt: (-attempt.progress, -attempt.proposal.score))
    chosen = _distinct(hopeful, state.bases) if options.pruning else hopeful
    alike = len(hopeful) - len(chosen)
    bases = list(state.bases)
    for attempt in chosen[:PER_BATCH]:
        weak = sum(base.attempt.progress < STRONG for base in bases)
        if len(bases) < MOST_BASES and (attempt.progress >= STRONG or weak < MOST_WEAK):
            base = _traced(attempt, state, context)
            bases += [base] if base.suspicions else []
    ruled_out = dataclasses.replace(state.ruled_out, alike=state.ruled_out.alike + alike)
    return {"bases": tuple(bases), "ruled_out": ruled_out}


def grows(request: RepairRequest) -> bool:
    """Whether candidates are built upon at all."""
    return request.strategy == SEARCH and request.search.progress and request.search.order > 1


def _distinct(attempts: Sequence[Attempt], bases: Sequence[Base]) -> list[Attempt]:
    """The first of each behaviour that none of ``bases`` has."""
    known = {behaviour(base.attempt.endings) for base in bases}
    chosen: list[Attempt] = []
    for attempt in attempts:
        behaves = behaviour(attempt.endings)
        if behaves not in known:
            known.add(behaves)
            chosen.append(attempt)
    return chosen


def _traced(attempt: Attempt, state: RepairState, context: RepairContext) -> Base:
    """``attempt`` with the lines that are suspicious now: where its tests fail with it."""
    patch = attempt.proposal.patch
    tests = [result.test for result in attempt.endings]
    limits = context.pace.limits(
        [result for result in state.baseline.failing if result.test in tests], patient=True
    )
    report = context.testbed.run(
        tests=tests,
        changes=changed_files(patch, context),
        trace=True,
        timeout_s={test: TRACE_SLOWDOWN * limit for test, limit in limits.items()},
    )
    sources = {**context.sources, **apply(patch, context.sources)}
    red = report.failing
    return Base(
        attempt=attempt,
        known_at=state.drawn,
        suspicions=suspected(red, report.passing, sources, context)[:SUSPICION_LIMIT] if red else (),
        failing=tuple(_untraced(result) for result in red),
    )


def _untraced(result: TestResult) -> TestResult:
    return dataclasses.replace(result, lines={}, steps=None)
