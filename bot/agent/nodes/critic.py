"""Let a model object to a patch before it runs: the reason goes back, and a bad critic soon falls silent."""

from typing import Any

from langgraph.runtime import Runtime

from bot.agent.model.critic import judge
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Flaw, Verdict


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
