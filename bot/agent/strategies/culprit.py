"""The strategy that proposes nothing: only the culprit in the suspected change is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph

from bot.agent.state import RepairContext, RepairState

if TYPE_CHECKING:
    Graph = StateGraph[RepairState, RepairContext, RepairState, RepairState]


def build() -> Graph:
    """The subgraph: one node, which ends the search before it begins."""
    graph = StateGraph(RepairState, context_schema=RepairContext)
    graph.add_node("nothing", _nothing)
    graph.add_edge(START, "nothing")
    graph.add_edge("nothing", END)
    return graph


def _nothing(state: RepairState) -> dict[str, Any]:
    del state
    return {"exhausted": True}
