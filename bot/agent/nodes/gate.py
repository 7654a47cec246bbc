"""Turn down what may not or need not run: forbidden edits, broken syntax, repeated patches.

The search's candidates pass here unread: they come by the thousand, compile, touch source files only and
never repeat themselves, while reading one takes as long as running it. ``evaluate`` shows the policy those
few that turn the tests green.
"""

from typing import Any

from langgraph.runtime import Runtime

from bot.agent.nodes.record import record
from bot.agent.policy_check import objection
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Candidate, Flaw, Verdict


def gate(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Keep the candidates that may run; the others become attempts with the reason."""
    context = runtime.context
    if not any(candidate.turn for candidate in state.candidates):
        return {}
    # What the critic sent back never ran: proposed again, it does.
    ran = [attempt for attempt in state.history if attempt.flaw is not Flaw.VETOED]
    tried = {attempt.candidate.patch for attempt in ran} | set(state.refuted)
    allowed: list[Candidate] = []
    rejected: list[Attempt] = []
    for candidate in state.candidates:
        reason, flaw = (objection(candidate, context) if candidate.turn else ""), Flaw.REFUSED
        if not reason and candidate.patch in tried:
            reason, flaw = "the same patch was tried before", Flaw.REPEATED
        if reason:
            rejected.append(Attempt(candidate=candidate, verdict=Verdict.REJECTED, detail=reason, flaw=flaw))
        else:
            allowed.append(candidate)
    return {"candidates": tuple(allowed), **record(state, rejected, context)}
