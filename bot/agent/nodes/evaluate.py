"""Run the proposals that passed the gate, in their order, until one will do or the budget ends."""

from __future__ import annotations

import dataclasses
from contextlib import closing
from typing import Any

from langgraph.runtime import Runtime

from bot.agent import routing
from bot.agent.evaluation import cost, run
from bot.agent.evaluation import evaluate as try_patch
from bot.agent.nodes.gate import objection
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Proposal, Verdict
from bot.ports import Testbed

# A short search is over before another sandbox is open.
ALONE = 32


def evaluate(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Try each waiting proposal; stop early when enough is known. What was not tried keeps waiting."""
    context = runtime.context
    update: dict[str, Any] = record(state, (), context)
    so_far = dataclasses.replace(state, **update)
    tried = 0

    def work(proposal: Proposal, testbed: Testbed) -> Attempt:
        return try_patch(proposal, state.baseline, context, testbed)

    if state.attempts >= ALONE and not state.plausible:
        first = sorted(state.baseline.failing, key=cost)[:1]
        context.workers.open_more(lambda testbed: run(testbed, {}, first, quick=True))
    attempts = context.workers.attempts(work, state.proposals)
    with closing(attempts):
        while tried < len(state.proposals) and not _enough(so_far, context):
            attempt = _unless_forbidden(next(attempts), context)
            # One by one: the time for rivals starts with the first plausible patch, not with the batch's end.
            update = record(so_far, [attempt], context)
            so_far = dataclasses.replace(so_far, **update)
            tried += 1
            context.progress.tick(attempts=so_far.attempts, detail=attempt.proposal.explanation)
    waiting = state.proposals[tried:]
    return {**update, "proposals": waiting, "exhausted": state.exhausted and not waiting}


def _enough(state: RepairState, context: RepairContext) -> bool:
    return bool(context.budget_reason(state)) or routing.has_enough(state, context.request)


def _unless_forbidden(attempt: Attempt, context: RepairContext) -> Attempt:
    if attempt.verdict is not Verdict.PLAUSIBLE:
        return attempt
    reason = objection(attempt.proposal, context)
    return dataclasses.replace(attempt, verdict=Verdict.REJECTED, detail=reason) if reason else attempt
