"""Book attempts into the state; the one place that counts them."""

import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Candidate, RuledOut, Verdict
from bot.errors import PatchError
from bot.patch.diff import unified_diff
from bot.search.progress import behaviour

HISTORY_LIMIT = 20
TWO_CHANGES = "two changes"


def record(state: RepairState, attempts: Sequence[Attempt], context: RepairContext) -> dict[str, Any]:
    """The changes that ``attempts`` make to the counters, the plausible ones and the best partial one.

    Only a model needs its history: a search tries thousands and never repeats itself.
    """
    keep = [attempt for attempt in attempts if attempt.candidate.turn]
    plausible = [attempt for attempt in attempts if attempt.verdict is Verdict.PLAUSIBLE]
    partial = [attempt for attempt in attempts if attempt.verdict is Verdict.PARTIAL]
    known = [state.best_partial] if state.best_partial else []
    best = max([*known, *partial], key=lambda attempt: len(attempt.fixed), default=None)
    first: dict[str, Any] = {}
    if plausible and state.first_plausible_at is None:
        first = {
            "first_plausible_at": context.stopwatch.elapsed,
            "first_plausible_attempt": state.attempts + attempts.index(plausible[0]) + 1,
            "first_plausible_turn": plausible[0].candidate.turn,
            "first_plausible_drawn": state.drawn,
        }
    _tell(keep or plausible, context)
    return {
        "attempts": state.attempts + len(attempts),
        "history": (*state.history, *keep)[-HISTORY_LIMIT:],
        "plausible": (*state.plausible, *plausible),
        "best_partial": best,
        "ruled_out": _ruled_out(state, attempts),
        **first,
        "last_plausible_at": context.stopwatch.elapsed if plausible else state.last_plausible_at,
        "elapsed": context.stopwatch.elapsed,
    }


def _tell(attempts: Sequence[Attempt], context: RepairContext) -> None:
    """Note what came of patches: of a model each, of a search those alone that pass the tests."""
    for attempt in attempts:
        context.trajectory.note(
            "verdict",
            turn=attempt.candidate.turn,
            model=attempt.candidate.origin,
            verdict=attempt.verdict.value,
            flaw=attempt.flaw.value if attempt.flaw else None,
            detail=attempt.detail,
            gain=attempt.gain,
            progress=attempt.progress,
            fixed=list(attempt.fixed),
            broken=list(attempt.broken),
            seconds=attempt.seconds,
            patch=_diff(attempt.candidate, context),
        )


def _diff(candidate: Candidate, context: RepairContext) -> str:
    try:
        return unified_diff(candidate.patch, context.sources)
    except (PatchError, UnicodeEncodeError):
        return ""


def _ruled_out(state: RepairState, attempts: Sequence[Attempt]) -> RuledOut:
    """The summary of what was tried, with ``attempts`` that were in vain."""
    before = state.ruled_out
    vain = [attempt for attempt in attempts if attempt.verdict is not Verdict.PLAUSIBLE]
    if not vain:
        return before
    same = behaviour(state.reference) if state.reference else ""
    counts = Counter(dict(before.operators))
    # Of pairs there would be as many kinds as pairs of operators.
    counts.update(one.candidate.origin if one.candidate.order == 1 else TWO_CHANGES for one in vain)
    return dataclasses.replace(
        before,
        operators=tuple(counts.most_common()),
        near=before.near + sum(attempt.candidate.near for attempt in vain),
        unchanged=before.unchanged + sum(bool(same) and behaviour(a.endings) == same for a in vain),
    )
