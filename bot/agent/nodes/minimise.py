"""Choose among the plausible patches, and shrink the choice to the edits that it needs."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.critic import prefer
from bot.agent.deadlines import Phase
from bot.agent.evaluation import still_plausible
from bot.agent.nodes.gate import objection, warnings
from bot.agent.state import RepairContext, RepairState
from bot.choice.asking import probe_request
from bot.choice.choose import NO_REPORT, Chosen, choose
from bot.domain import Attempt, Candidate, Patch
from bot.internal_errors import guarded
from bot.patch.apply import apply
from bot.patch.minimise import minimise as shrink
from bot.request import Critic
from sandbox.errors import SandboxError
from sandbox.probes import ProbeReport


def minimise(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set ``chosen`` to the best plausible patch, as small as it can be, and ``unshrunk`` to the whole."""
    context = runtime.context.within(Phase.MINIMISE, state.baseline)
    standing = [attempt for attempt in state.plausible if attempt.candidate.patch not in state.refuted]
    # One that only a person may apply is the last resort, however likely it is.
    alternatives = [one for one in standing if not warnings(one.candidate, context)] or standing
    chosen = choose(alternatives, context.sources, _probe(alternatives, state, context))
    chosen, spent = _reconsidered(chosen, state, context)
    best = chosen.attempt
    context.progress.stage("minimise", best.candidate.explanation)
    patch = best.candidate.patch
    # The search's edits are one thought each: a statement that is moved must also leave its old place. Two
    # thoughts are shrunk, though: what the second was built upon may have got further by chance.
    if best.candidate.turn or best.candidate.order > 1:
        turn = best.candidate.turn
        with guarded("the minimiser"):
            patch = shrink(patch, context.sources, lambda smaller: _as_good(smaller, turn, state, context))
    explanation = best.candidate.explanation
    if not best.candidate.turn:
        if apply(patch, context.sources) == apply(best.candidate.patch, context.sources):
            patch = best.candidate.patch
        else:
            explanation = f"part of: {explanation}"
    smallest = dataclasses.replace(
        best, candidate=dataclasses.replace(best.candidate, patch=patch, explanation=explanation)
    )
    return {
        "chosen": smallest,
        "unshrunk": best.candidate.patch,
        "choice": chosen.choice,
        **spent,
        "elapsed": context.stopwatch.elapsed,
    }


def _reconsidered(
    chosen: Chosen, state: RepairState, context: RepairContext
) -> tuple[Chosen, dict[str, Any]]:
    """The choice after a critic was heard, where nothing but looks decided; and what that cost."""
    if context.request.model.critic is not Critic.RANK or not chosen.choice.ambiguous:
        return chosen, {}
    if context.budget_spent() or context.usage_reason(state):
        return chosen, {}
    opinion = prefer(chosen.order, state, context)
    context.trajectory.note(
        "critic", model=opinion.model, preferred=opinion.preferred, alternatives=len(chosen.order)
    )
    if opinion.preferred is None:
        return chosen, opinion.update
    reason = f"{chosen.choice.reason}; {opinion.model} holds this one for right"
    choice = dataclasses.replace(chosen.choice, reason=reason)
    if opinion.preferred:
        # What was found out about inputs compares the alternatives with the first.
        choice = dataclasses.replace(choice, differences=())
    attempt = chosen.order[opinion.preferred]
    return dataclasses.replace(chosen, attempt=attempt, choice=choice), opinion.update


def _probe(alternatives: Sequence[Attempt], state: RepairState, context: RepairContext) -> ProbeReport:
    """How alternatives behave on inputs like the tests'; nothing where there is only one candidate."""
    if len(alternatives) < 2:
        return NO_REPORT
    with guarded("the comparison of plausible patches"):
        request = probe_request(alternatives, context.sources, state.baseline)
        if request is None:
            return ProbeReport(problem="they do not change functions that could be called")
        context.progress.stage("minimise", f"choosing among {len(alternatives)} plausible patches")
        try:
            return context.testbed.probe(request)
        except SandboxError as error:
            # Validation has a sandbox of its own: what was found is not lost with this one.
            return ProbeReport(problem=str(error))
    return NO_REPORT


def _as_good(smaller: Patch, turn: int, state: RepairState, context: RepairContext) -> bool:
    """Whether a part of the patch does and may be delivered; never, once the budget is spent."""
    if context.trial_reason(state) or objection(Candidate(patch=smaller, origin=""), context):
        return False
    return still_plausible(smaller, state.baseline, context, turn=turn)
