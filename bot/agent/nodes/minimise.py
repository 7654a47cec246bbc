"""Choose among the plausible patches, and shrink the choice to the edits that it needs."""

from __future__ import annotations

import dataclasses
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.evaluation import still_plausible
from bot.agent.nodes.gate import objection
from bot.agent.state import SEARCH, RepairContext, RepairState
from bot.domain import Patch, Proposal
from bot.patch.minimise import minimise as shrink
from bot.search.choice import choose


def minimise(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set ``chosen`` to the best plausible patch, as small as it can be, and ``unshrunk`` to the whole."""
    context = runtime.context
    candidates = [attempt for attempt in state.plausible if attempt.proposal.patch not in state.refuted]
    best = choose(candidates, context.sources)
    context.progress.stage("minimise", best.proposal.explanation)
    patch = best.proposal.patch
    # The search's edits are one thought each: a statement that is moved must also leave its old place.
    if context.request.strategy != SEARCH:
        patch = shrink(patch, context.sources, lambda smaller: _as_good(smaller, state, context))
    smallest = dataclasses.replace(best, proposal=dataclasses.replace(best.proposal, patch=patch))
    return {"chosen": smallest, "unshrunk": best.proposal.patch, "elapsed": context.stopwatch.elapsed}


def _as_good(smaller: Patch, state: RepairState, context: RepairContext) -> bool:
    """Whether a part of the patch does and may be delivered; never, once the budget is spent."""
    if context.budget_reason(state) or objection(Proposal(patch=smaller, origin=""), context):
        return False
    return still_plausible(smaller, state.baseline, context)
