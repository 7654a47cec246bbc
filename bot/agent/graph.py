"""The wiring of the loop; ``regreen graph`` prints it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from bot.agent import routing
from bot.agent.nodes.before import before
from bot.agent.nodes.conclude import conclude
from bot.agent.nodes.critic import critic, is_heard
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


def build(strategy: str, *, checkpointer: BaseCheckpointSaver[Any] | None = None) -> Loop:
    """The loop with ``strategy`` as its propose step.

    Raises:
        KeyError: no such strategy.
    """
    graph = StateGraph(RepairState, context_schema=RepairContext)
    for node in (reproduce, before, localise, rehearse, ready, culprit, outdated, gate, critic, evaluate):
        graph.add_node(node.__name__, node)
    for node in (select, minimise, validate, conclude):
        graph.add_node(node.__name__, node)
    graph.add_node("propose", STRATEGIES[strategy]().compile())

    graph.add_edge(START, "reproduce")
    graph.add_conditional_edges("reproduce", _on_to("before"), ["before", "conclude", END])
    both = ["localise", "rehearse"]  # at the same time
    graph.add_conditional_edges("before", _on_to(both), [*both, "conclude", END])
    graph.add_edge(both, "ready")
    graph.add_conditional_edges("ready", _on_to("culprit"), ["culprit", "conclude", END])
    graph.add_edge("culprit", "outdated")
    graph.add_conditional_edges("outdated", _after_outdated, ["propose", END])
    graph.add_edge("propose", "gate")
    graph.add_conditional_edges("gate", _after_gate, ["critic", "evaluate"])
    graph.add_edge("critic", "evaluate")
    graph.add_conditional_edges("evaluate", _after_evaluate, ["propose", "select", "conclude", END])
    graph.add_edge("select", "minimise")
    graph.add_edge("minimise", "validate")
    graph.add_conditional_edges("validate", _after_validate, ["select", "propose", "conclude", END])
    graph.add_edge("conclude", END)
    return graph.compile(checkpointer=checkpointer, name=f"regreen-{strategy}")


def _on_to(following: str | list[str]) -> Callable[..., str | list[str]]:
    def route(state: RepairState, runtime: Runtime[RepairContext]) -> str | list[str]:
        return routing.unless_over(state, following, spent=bool(runtime.context.budget_reason(state)))

    return route


def _after_outdated(state: RepairState) -> str:
    return END if state.outcome else "propose"


def _after_gate(state: RepairState, runtime: Runtime[RepairContext]) -> str:
    return "critic" if is_heard(state, runtime.context) else "evaluate"


def _after_evaluate(state: RepairState, runtime: Runtime[RepairContext]) -> str:
    context = runtime.context
    spent = bool(context.budget_reason(state))
    return routing.after_evaluate(state, request=context.request, spent=spent)


def _after_validate(state: RepairState, runtime: Runtime[RepairContext]) -> str:
    return routing.after_validate(state, spent=bool(runtime.context.budget_reason(state)))
