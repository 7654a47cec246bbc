"""The strategy without a model: draw the next batch from the embedded engine's stream."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.subgraph import Graph, one_of
from bot.agent.trial.drawn import Drawn
from bot.domain import Candidate
from bot.search.difference.followed import followed
from bot.search.difference.layout import as_laid_out
from bot.search.difference.mixtures import mixtures
from bot.search.difference.replaced_tokens import replaced_tokens
from bot.search.stream import Stream

# Large enough that a checkpoint's cost vanishes, small enough that a killed run loses little and that what a
# batch taught is soon put to use.
BATCH = 32
# Of those that seemed to hang, how many are given more time in each batch, once so many were tried.
PATIENT, PATIENT_AFTER = 1, 128
# Pairs that rest on no progress; some ten seconds of a small function's time.
MAX_GUESSES = 3_000


def build() -> Graph:
    """The subgraph: one node."""
    return one_of({"draw": draw})


def draw(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The next candidates, in the order of their promise.

    Their stream is generated anew and drawn ahead where the state is further than it.
    """
    context = runtime.context
    tried = f", {state.attempts} candidates tried" if state.attempts else ""
    context.progress.stage("search", f"{len(state.suspicions)} suspicious lines{tried}")
    drawn = context.drawn
    if drawn.stream is None or drawn.count != state.drawn:
        drawn.stream = Stream(
            context.sources,
            state.suspicions,
            state.baseline.failing,
            most_guesses=MAX_GUESSES if context.request.search.order > 1 else 0,
            first=_of_difference(state, context),
            accepted=context.request.search.accepted,
        )
        drawn.count = 0
        _take(drawn, drawn.stream, state.drawn, state)
    batch = _take(drawn, drawn.stream, BATCH, state)
    # Late, or when all else is done: a hang is seldom slowness.
    count = len(state.hanging) if len(batch) < BATCH else PATIENT * (state.attempts >= PATIENT_AFTER)
    # What an early stop left untried goes first, but for neighbours.
    near = tuple(candidate for candidate in batch if candidate.near)
    others = tuple(candidate for candidate in batch if not candidate.near)
    waiting = (*near, *state.candidates, *others, *state.hanging[:count])
    return {
        "candidates": waiting,
        "hanging": state.hanging[count:],
        "drawn": drawn.count,
        "exhausted": len(batch) < BATCH,
        "looked_around": state.first_plausible_drawn is not None and len(near) < BATCH,
    }


def _take(drawn: Drawn, stream: Stream, count: int, state: RepairState) -> tuple[Candidate, ...]:
    """The next ``count`` candidates, each drawn with what was known at its place in the stream."""
    taken: list[Candidate] = []
    for _ in range(count):
        stream.learn([base for base in state.bases if base.known_at <= drawn.count])
        if state.first_plausible_drawn is not None and state.first_plausible_drawn <= drawn.count:
            stream.look_around(state.plausible[0].candidate)
        candidate = stream.draw()
        if candidate is None:
            break
        drawn.count += 1
        taken.append(candidate)
    return tuple(taken)


def _of_difference(state: RepairState, context: RepairContext) -> tuple[Candidate, ...]:
    """What the difference to the base suggests: to follow it where it missed a place, or to take it back."""
    if not context.request.base:
        return ()
    may_change, head = context.policy.may_change, context.sources
    base = {path: text for path, text in context.request.base.items() if may_change(path)}
    exchanges = replaced_tokens(base, head)
    missed = followed(exchanges, head, state.suspicions)
    if state.culprit is None:
        return missed
    edits, needed = state.culprit.edits, bool(state.culprit.needed)
    back = as_laid_out(edits, base, head)
    mixed = mixtures(edits, head, exchanges=exchanges, whole_is_needed=needed, back=back)
    return (*missed, *mixed)
