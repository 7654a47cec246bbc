"""The strategy without a model: draw the next batch from the embedded engine's stream."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from bot.agent.state import RepairContext, RepairState
from bot.domain import Proposal
from bot.search.candidates import candidates

if TYPE_CHECKING:
    Graph = StateGraph[RepairState, RepairContext, RepairState, RepairState]

# Large enough that a checkpoint's cost vanishes, small enough that a killed run loses little.
BATCH = 32


def build() -> Graph:
    """The subgraph: one node."""
    graph = StateGraph(RepairState, context_schema=RepairContext)
    graph.add_node("draw", _Stream().draw)
    graph.add_edge(START, "draw")
    graph.add_edge("draw", END)
    return graph


class _Stream:
    """The stream of one loop; generated anew and skipped ahead when the state is further than it."""

    def __init__(self) -> None:
        self._proposals: Iterator[Proposal] | None = None
        self._drawn = 0

    def draw(self, state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
        """The next proposals, in the order of their promise."""
        context = runtime.context
        tried = f", {state.attempts} candidates tried" if state.attempts else ""
        context.progress.stage("search", f"{len(state.suspicions)} suspicious lines{tried}")
        if self._proposals is None or self._drawn != state.drawn:
            self._proposals = candidates(context.sources, state.suspicions, state.baseline.failing)
            self._drawn = sum(1 for _ in islice(self._proposals, state.drawn))
        batch = tuple(islice(self._proposals, BATCH))
        self._drawn += len(batch)
        # What an early stop left untried goes first.
        waiting = (*state.proposals, *batch)
        return {"proposals": waiting, "drawn": self._drawn, "exhausted": len(batch) < BATCH}
