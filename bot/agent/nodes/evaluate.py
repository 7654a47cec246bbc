"""Run the proposals that passed the gate, one after the other, until one will do or the budget ends."""

from __future__ import annotations

import dataclasses
from typing import Any

from langgraph.runtime import Runtime

from bot.agent import routing
from bot.agent.evaluation import evaluate as try_patch
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt


def evaluate(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Try each waiting proposal; stop early when enough is known."""
    context = runtime.context
    attempts: list[Attempt] = []
    exhausted = state.exhausted
    for proposal in state.proposals:
        so_far = dataclasses.replace(state, **record(state, attempts, context))
        if context.budget_reason(so_far) or routing.has_enough(so_far, context.request.strategy):
            exhausted = False  # what is left of this batch was not tried
            break
        attempts.append(try_patch(proposal, state.baseline, context))
        context.progress.tick(attempts=so_far.attempts + 1, detail=proposal.explanation)
    return {"proposals": (), "exhausted": exhausted, **record(state, attempts, context)}
