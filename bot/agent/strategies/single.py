"""The strategy that others are measured against: one question, a draft or several, no feedback."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from bot.agent.state import RepairContext, RepairState, drafts_left
from bot.agent.strategies.subgraph import Graph, one_of
from bot.agent.strategies.turn import begin, draft


def build() -> Graph:
    """The subgraph: one node."""
    return one_of({"answer": answer})


def answer(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The likeliest repair, then further drafts; whatever comes of them, there is no second turn."""
    request = runtime.context.request
    if state.turn and not drafts_left(state, request):  # the last patch did not hold in a fresh sandbox
        return {"candidates": (), "exhausted": True}
    last = not drafts_left(begin(state, runtime.context), request)
    update = draft(state, runtime, stage="answer")
    return {**update, "exhausted": last or bool(update.get("exhausted"))}
