"""Reduce the chosen patch to the edits that it needs."""

import dataclasses
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.policy_check import objection
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.given import GIVEN
from bot.agent.timing.deadlines import Phase
from bot.agent.trial.evaluation import still_plausible
from bot.domain import Candidate, Patch
from bot.internal_errors import guarded
from bot.patch.apply import apply
from bot.patch.minimise import minimised
from bot.search.difference.mixtures import ORIGIN, TAKES_BACK


def minimise(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set ``chosen`` to the smallest part of it that is as good; ``unshrunk`` stays the whole."""
    context = runtime.context.within(Phase.MINIMISE, state.baseline)
    assert state.chosen is not None
    whole = state.chosen.candidate
    context.progress.stage("minimise", whole.explanation)
    chosen = dataclasses.replace(state.chosen, candidate=_smallest(whole, state, context))
    return {"chosen": chosen, "elapsed": context.stopwatch.elapsed}


def _smallest(whole: Candidate, state: RepairState, context: RepairContext) -> Candidate:
    patch = whole.patch
    # The search's edits are one thought each: a statement that is moved must also leave its old place. Two
    # thoughts are shrunk, though: what the second was built upon may have got further by chance.
    if whole.turn or whole.gap or (whole.order > 1 and not _is_culprit(whole, state)):
        with guarded("the minimiser"):
            patch = minimised(patch, context.sources, lambda part: _as_good(part, whole.turn, state, context))
    if whole.turn and whole.origin != GIVEN:
        return dataclasses.replace(whole, patch=patch)
    if apply(patch, context.sources) == apply(whole.patch, context.sources):
        return whole
    return dataclasses.replace(whole, patch=patch, explanation=f"part of: {whole.explanation}")


def _is_culprit(whole: Candidate, state: RepairState) -> bool:
    """Whether it takes back the least that makes the difference: of that, only layout and comments can go."""
    is_back = whole.origin == ORIGIN and whole.explanation.startswith(TAKES_BACK)
    return is_back and state.culprit is not None and state.culprit.minimal


def _as_good(smaller: Patch, turn: int, state: RepairState, context: RepairContext) -> bool:
    """Whether a part of the patch does and may be delivered; never, once the budget is spent."""
    if context.trial_reason(state) or objection(Candidate(patch=smaller, origin=""), context):
        return False
    return still_plausible(smaller, state.baseline, context, turn=turn)
