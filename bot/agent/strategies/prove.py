"""The strategy that proposes what it was given, once: the patch of a person or of another tool is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from bot.agent.state import RepairContext, RepairState
from bot.domain import Candidate

if TYPE_CHECKING:
    Graph = StateGraph[RepairState, RepairContext, RepairState, RepairState]


def build() -> Graph:
    """The subgraph: one node."""
    graph = StateGraph(RepairState, context_schema=RepairContext)
    graph.add_node("given", _given)
    graph.add_edge(START, "given")
    graph.add_edge("given", END)
    return graph


def _given(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    patch = runtime.context.request.given
    if patch is None or state.drawn:
        return {"exhausted": True, "candidates": ()}
    # As a model's turn: it has to pass the gate, and nothing else is looked for beside it.
    candidate = Candidate(patch=patch, origin="given", explanation="the given patch", turn=1)
    return {"candidates": (candidate,), "drawn": 1, "exhausted": True}
