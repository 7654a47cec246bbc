"""The wiring of the loop; ``regreen graph`` prints it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from bot.agent import routing
from bot.agent.nodes.before import before
from bot.agent.nodes.conclude import conclude
from bot.agent.nodes.critic import critic
from bot.agent.nodes.culprit import culprit
from bot.agent.nodes.evaluate import evaluate
from bot.agent.nodes.gate import gate
from bot.agent.nodes.localise import localise
from bot.agent.nodes.minimise import minimise
from bot.agent.nodes.outdated import outdated
from bot.agent.nodes.rehearse import ready, rehearse
from bot.agent.nodes.reproduce import reproduce
from bot.agent.nodes.select import select
from bot.agent.nodes.validate import validate
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies import STRATEGIES

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

    Loop = CompiledStateGraph[RepairState, RepairContext, RepairState, RepairState]

Decide = Callable[[RepairState, RepairContext], routing.Route]


def build(
    strategy: str, *, checkpointer: BaseCheckpointSaver[Any] | None = None, drawn: bool = False
) -> Loop:
    """The loop with ``strategy`` as its propose step; it remembers nothing of a repair.

    Raises:
        KeyError: no such strategy.
    """
    graph = StateGraph(RepairState, context_schema=RepairContext)
    for node in (reproduce, before, localise, rehearse, ready, culprit, outdated, gate, critic, evaluate):
        graph.add_node(node.__name__, node)
    for node in (select, minimise, validate, conclude):
        graph.add_node(node.__name__, node)
    steps = STRATEGIES[strategy]()
    if drawn:
        # The library draws the inside of what may have checkpoints, and of no other.
        steps.checkpointer = None
    graph.add_node("propose", steps)

    def branch(node: str, decide: Decide, *following: str) -> None:
        graph.add_conditional_edges(node, _edge(decide), list(following))

    both = ["localise", "rehearse"]  # at the same time
    graph.add_edge(START, "reproduce")
    branch("reproduce", _on_to("before"), "before", "conclude", END)
    branch("before", _on_to(both), *both, "conclude", END)
    graph.add_edge(both, "ready")
    branch("ready", _on_to("culprit"), "culprit", "conclude", END)
    graph.add_edge("culprit", "outdated")
    branch("outdated", routing.after_outdated, "propose", END)
    graph.add_edge("propose", "gate")
    branch("gate", routing.after_gate, "critic", "evaluate")
    graph.add_edge("critic", "evaluate")
    branch("evaluate", routing.after_evaluate, "propose", "select", "conclude", END)
    branch("select", routing.after_select, "minimise", "propose", "conclude")
    graph.add_edge("minimise", "validate")
    branch("validate", routing.after_validate, "select", "propose", "conclude", END)
    graph.add_edge("conclude", END)
    return graph.compile(checkpointer=checkpointer, name=f"regreen-{strategy}")


def _on_to(following: routing.Route) -> Decide:
    return partial(routing.unless_over, following=following)


def _edge(decide: Decide) -> Callable[..., routing.Route]:
    def route(state: RepairState, runtime: Runtime[RepairContext]) -> routing.Route:
        return decide(state, runtime.context)

    return route
