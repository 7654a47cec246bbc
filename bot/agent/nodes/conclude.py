"""Say honestly why there is no patch."""

from typing import Any

from langgraph.runtime import Runtime

from bot.agent import routing
from bot.agent.state import CULPRIT, RepairContext, RepairState
from bot.domain import Before
from bot.result import Outcome


def conclude(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set the outcome of a repair that found nothing to deliver."""
    context = runtime.context
    if context.request.strategy == CULPRIT:
        return {"outcome": Outcome.NO_PATCH, "reason": _explained(state, context)}
    spent = context.budget_reason(state)
    if spent and (state.lost or not state.exhausted):
        return {"outcome": Outcome.BUDGET_EXHAUSTED, "reason": f"no verified patch: {spent}{_lost(state)}"}
    if state.refuted:
        reason = f"the patches found did not hold: {state.reason}"
    elif not state.suspicions:
        reason = "no source line could be tied to the failing tests"
    elif routing.is_futile(state):
        reason = (
            f"all {state.attempts} candidates behave as the unchanged program: the failing tests do not "
            "depend on the code that they run"
        )
    elif state.attempts:
        reason = f"none of {state.attempts} candidates makes the failing tests pass without breaking others"
    else:
        reason = "the strategy proposed nothing"
    return {"outcome": Outcome.NO_PATCH, "reason": reason + _lost(state)}


def _explained(state: RepairState, context: RepairContext) -> str:
    if state.culprit:
        return "the culprit is found; no patch was looked for"
    before = dict(state.baseline.before)
    kinds = [before.get(one.test) for one in state.baseline.failing]
    if state.baseline.failing and all(kind is Before.FAILING for kind in kinds):
        return (
            f"all failing tests failed before this change as well, compared with {context.request.base_name}"
        )
    if not context.request.base:
        return "no file of the project differs from the version to compare with, or there is none: see --base"
    return f"no part of the change since {context.request.base_name} makes the difference"


def _lost(state: RepairState) -> str:
    return f"; no model answered any more: {state.lost}" if state.lost else ""
