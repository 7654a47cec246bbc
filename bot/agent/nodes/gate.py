"""Turn down what may not or need not run: forbidden edits, broken syntax, repeated patches."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Proposal, Verdict
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.policy import check


def gate(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Keep the proposals that may run; the others become attempts with the reason."""
    context = runtime.context
    tried = {attempt.proposal.patch for attempt in state.history} | set(state.refuted)
    allowed: list[Proposal] = []
    rejected: list[Attempt] = []
    for proposal in state.proposals:
        reason = _objection(proposal, context)
        if not reason and proposal.patch in tried:
            reason = "the same patch was tried before"
        if reason:
            rejected.append(Attempt(proposal=proposal, verdict=Verdict.REJECTED, detail=reason))
        else:
            allowed.append(proposal)
    return {"proposals": tuple(allowed), **record(state, rejected, context)}


def _objection(proposal: Proposal, context: RepairContext) -> str:
    try:
        apply(proposal.patch, context.sources)
    except PatchError as error:
        return str(error)
    return "; ".join(check(proposal.patch, context.sources, context.policy))
