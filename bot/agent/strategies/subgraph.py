"""A strategy as a subgraph of the loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from bot.agent.state import RepairContext, RepairState

Graph = CompiledStateGraph[RepairState, RepairContext, RepairState, RepairState]
Node = Callable[..., dict[str, Any]]


def one_of(nodes: Mapping[str, Node], choose: Callable[..., str] | None = None) -> Graph:
    """The subgraph that runs one of ``nodes`` each time: the one that ``choose`` names, or the only one.

    It needs no checkpoints of its own, as one of several steps does: the loop's next one holds what is done.
    """
    graph = StateGraph(RepairState, context_schema=RepairContext)
    for name, node in nodes.items():
        graph.add_node(name, node)
        graph.add_edge(name, END)
    if choose:
        graph.add_conditional_edges(START, choose, list(nodes))
    else:
        graph.add_edge(START, *nodes)
    return graph.compile(checkpointer=False)
