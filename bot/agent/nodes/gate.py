"""Turn down what may not or need not run: forbidden edits, broken syntax, repeated patches.

The search's candidates pass here unread: they come by the thousand, compile, touch source files only and
never repeat themselves, while reading one takes as long as running it. ``evaluate`` shows the policy those
few that turn the tests green.
"""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Flaw, Proposal, Verdict
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.policy import check, judge


def gate(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Keep the proposals that may run; the others become attempts with the reason."""
    context = runtime.context
    if not any(proposal.turn for proposal in state.proposals):
        return {}
    # What the critic sent back never ran: proposed again, it does.
    ran = [attempt for attempt in state.history if attempt.flaw is not Flaw.VETOED]
    tried = {attempt.proposal.patch for attempt in ran} | set(state.refuted)
    allowed: list[Proposal] = []
    rejected: list[Attempt] = []
    for proposal in state.proposals:
        reason, flaw = (objection(proposal, context) if proposal.turn else ""), Flaw.REFUSED
        if not reason and proposal.patch in tried:
            reason, flaw = "the same patch was tried before", Flaw.REPEATED
        if reason:
            rejected.append(Attempt(proposal=proposal, verdict=Verdict.REJECTED, detail=reason, flaw=flaw))
        else:
            allowed.append(proposal)
    return {"proposals": tuple(allowed), **record(state, rejected, context)}


def objection(proposal: Proposal, context: RepairContext) -> str:
    """Why ``proposal`` may not be delivered; empty when it may."""
    try:
        apply(proposal.patch, context.sources)
    except PatchError as error:
        return str(error)
    literals = context.test_literals()
    return "; ".join(check(proposal.patch, context.sources, context.policy, test_literals=literals))


def warnings(proposal: Proposal, context: RepairContext) -> tuple[str, ...]:
    """Why a person has to read ``proposal`` before anything is done with it; empty when nobody has to."""
    return judge(proposal.patch, context.sources, context.policy).shown
