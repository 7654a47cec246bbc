"""Book attempts into the state; the one place that counts them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.agent.state import SEARCH, RepairContext, RepairState
from bot.domain import Attempt, Verdict

HISTORY_LIMIT = 20


def record(state: RepairState, attempts: Sequence[Attempt], context: RepairContext) -> dict[str, Any]:
    """The changes that ``attempts`` make to the counters, the plausible ones and the best partial one.

    Only a model needs its history: a search tries thousands and never repeats itself.
    """
    keep = attempts if context.request.strategy != SEARCH else ()
    plausible = [attempt for attempt in attempts if attempt.verdict is Verdict.PLAUSIBLE]
    partial = [attempt for attempt in attempts if attempt.verdict is Verdict.PARTIAL]
    best = max(
        [*([state.best_partial] if state.best_partial else []), *partial],
        key=lambda attempt: len(attempt.fixed),
        default=None,
    )
    first_at, first_attempt = state.first_plausible_at, state.first_plausible_attempt
    if plausible and first_at is None:
        first_at = context.stopwatch.elapsed
        first_attempt = state.attempts + attempts.index(plausible[0]) + 1
    return {
        "attempts": state.attempts + len(attempts),
        "history": (*state.history, *keep)[-HISTORY_LIMIT:],
        "plausible": (*state.plausible, *plausible),
        "best_partial": best,
        "first_plausible_at": first_at,
        "first_plausible_attempt": first_attempt,
        "elapsed": context.stopwatch.elapsed,
    }
