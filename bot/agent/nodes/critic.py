"""Let a model object to a patch before it runs: the reason goes back, and a bad critic soon falls silent."""

from typing import Any

from langgraph.runtime import Runtime

from bot.agent.model.critic import judge
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Flaw, Verdict
from bot.request import Critic

# One veto after the other, or many, would let the critic decide alone; the tests decide.
MAX_VETOES = 3


def critic(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Keep the candidates that the critic has nothing against; one that it objects to becomes an attempt."""
    context = runtime.context
    first, *others = state.candidates
    opinion = judge(first, state, context)
    context.trajectory.note(
        "critic", turn=state.turn, model=opinion.model, veto=bool(opinion.objection), reason=opinion.objection
    )
    if not opinion.objection:
        return opinion.update
    vetoed = Attempt(candidate=first, verdict=Verdict.REJECTED, detail=opinion.objection, flaw=Flaw.VETOED)
    booked = record(state, [vetoed], context)
    return {**opinion.update, **booked, "candidates": tuple(others), "vetoes": state.vetoes + 1}


def is_heard(state: RepairState, context: RepairContext) -> bool:
    """Whether the critic is asked about what waits: a model's patch, not right after a veto, nor the last."""
    if (
        context.request.model.critic is not Critic.VETO
        or not state.candidates
        or not state.candidates[0].turn
    ):
        return False
    just_vetoed = bool(state.history) and state.history[-1].flaw is Flaw.VETOED
    return state.vetoes < MAX_VETOES and not just_vetoed and not context.model_reason(state)
