"""The strategy of both: the search first, for its share of the time; then a model that sees what it learned.

Before its turns the model fills gaps, where its server can ask that; it also does where the search found a
patch, so that what it finds natural is among the alternatives. When its turns are over and time is left, the
search goes on. A model that is not to be had costs the search nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from langgraph.runtime import Runtime

from bot.agent import routing
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.given import nothing
from bot.agent.strategies.infill import infill
from bot.agent.strategies.reflect import STEPS, Step, choose, turn
from bot.agent.strategies.search import draw
from bot.agent.strategies.subgraph import Graph, Node, one_of
from bot.agent.strategies.turn import begin

Phase = Literal["search", "fill", "model", "over"]


def build() -> Graph:
    """The subgraph: a batch of the search, the gaps, or one turn of a model."""
    turns: dict[str, Node] = {step: partial(_model, step) for step in STEPS}
    return one_of({"draw": _draw, "fill": infill, **turns, "over": nothing}, _enter)


def _draw(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    update = draw(state, runtime)
    nothing_left = bool(update.pop("exhausted"))
    return {**update, "searched": len(state.bases) if nothing_left else -1}


def phase(state: RepairState, context: RepairContext) -> Phase:
    """Whose turn it is."""
    search_left = state.searched != len(state.bases) or bool(state.hanging)
    searched = not search_left or _share_used(state, context)
    if (searched or routing.has_enough(state, context)) and routing.may_fill(state, context):
        return "fill"
    if not searched:
        return "search"
    if not (state.lost or routing.standing(state) or context.model_reason(state)):
        return "model"
    return "search" if search_left else "over"


def _share_used(state: RepairState, context: RepairContext) -> bool:
    """Whether the search had its share of the time; without a limit of time it goes on to its end."""
    seconds = context.request.budget.seconds * context.request.model.search_share
    return bool(state.turn) or (bool(seconds) and context.stopwatch.elapsed >= seconds)


def _enter(state: RepairState, runtime: Runtime[RepairContext]) -> str:
    found = phase(state, runtime.context)
    if found == "model":
        return choose(begin(state, runtime.context), runtime.context)
    return "draw" if found == "search" else found


def _model(step: Step, state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    update = turn(step, state, runtime)
    # Without a model, the search goes on; what it drew before and did not try keeps waiting.
    return {**update, "candidates": (*update["candidates"], *state.candidates), "exhausted": False}
