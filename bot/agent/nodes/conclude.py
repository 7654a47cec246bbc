"""Say honestly why there is no patch."""

from typing import Any

from langgraph.runtime import Runtime

from bot.agent import routing
from bot.agent.state import CULPRIT, PROVE, RepairContext, RepairState
from bot.domain import Before, Flaw, Verdict
from bot.result import Outcome

MAX_NAMES = 5
"""Tests that a reason names."""

MAX_SAID = 300
"""Characters of a failure that a reason holds."""


def conclude(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set the outcome of a repair that found nothing to deliver."""
    context = runtime.context
    if context.request.strategy == CULPRIT:
        return {"outcome": Outcome.NO_PATCH, "reason": _explained(state, context)}
    if context.request.strategy == PROVE and (reason := _judged(state)):
        return {"outcome": Outcome.NO_PATCH, "reason": reason}
    spent = context.budget_reason(state)
    if spent and (state.lost or not state.exhausted):
        held = ""
        if state.refuted:
            held = f"; {len(state.refuted)} of the patches that passed did not hold: {state.reason}"
        reason = f"no verified patch: {spent}{held}{_lost(state)}{_last(state)}"
        return {"outcome": Outcome.BUDGET_EXHAUSTED, "reason": reason}
    if state.refuted:
        reason = f"the patches found did not hold: {state.reason}"
    elif not state.suspicions:
        reason = f"no source line could be tied to the failing tests{_first_failure(state)}"
    elif routing.is_futile(state):
        reason = (
            f"all {state.attempts} candidates behave as the unchanged program: the failing tests do not "
            "depend on the code that they run"
        )
    elif state.attempts:
        reason = f"none of {state.attempts} candidates makes the failing tests pass without breaking others"
    else:
        reason = f"the strategy proposed nothing{_first_failure(state)}"
    return {"outcome": Outcome.NO_PATCH, "reason": reason + _lost(state)}


def _first_failure(state: RepairState) -> str:
    """What the first failing test says: mostly, why it could not be imported."""
    for one in state.baseline.failing:
        said = f"{one.exception}: {one.message}".strip(": ").partition("\n")[0]
        if said:
            return f": {one.test}: {said[:MAX_SAID]}"
    return ""


def _judged(state: RepairState) -> str:
    """Why the given patch is not verified; empty where it was not tried to the end."""
    if state.refuted:
        return f"the patch did not hold: {state.reason}"
    if not state.history:
        return ""
    attempt = state.history[-1]
    if attempt.verdict is Verdict.REJECTED:
        return f"the patch is refused: {attempt.detail}"
    if attempt.broken:
        names = ", ".join(attempt.broken[:MAX_NAMES])
        return f"the patch breaks tests that passed before ({len(attempt.broken)}): {names}"
    left = [one.test for one in state.baseline.failing if one.test not in attempt.fixed]
    names = ", ".join(left[:MAX_NAMES])
    return f"{len(left)} of {len(state.baseline.failing)} failing tests still fail with the patch: {names}"


def _explained(state: RepairState, context: RepairContext) -> str:
    if found := state.culprit:
        if found.shown:
            return "the culprit is found; no patch was looked for"
        return (
            f"the tests, which are new, pass without {found.size} lines of the change: too many to blame one"
        )
    before, base = dict(state.baseline.before), context.request.base_name
    kinds = [before.get(one.test) for one in state.baseline.failing]
    if state.baseline.failing and all(kind is Before.FAILING for kind in kinds):
        return f"all failing tests failed before this change as well, compared with {base}"
    if not context.request.base:
        return "no file of the project differs from the version to compare with, or there is none: see --base"
    return f"no part of the change since {base} makes the difference"


def _lost(state: RepairState) -> str:
    return f"; no model answered any more: {state.lost}" if state.lost else ""


def _last(state: RepairState) -> str:
    """What was wrong with a model's last change, where that is known."""
    details = [one.detail for one in state.history if one.detail and one.flaw is not Flaw.REPEATED]
    return f"; the last change: {details[-1][:MAX_SAID]}" if details and not state.lost else ""
