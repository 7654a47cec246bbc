"""Choose among the plausible patches: by what they do, and by what they look like.

The policy takes a good part of a second for each, so it is asked for the chosen one, and for the others only
where that must not be delivered or has to be read by a person first.
"""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.policy_check import judged, objection
from bot.agent.state import RepairContext, RepairState
from bot.agent.timing.deadlines import Phase
from bot.agent.trial.around import look_around
from bot.choice.choose import NO_REPORT, ChosenPatch, choose
from bot.choice.probing import by_outer_functions, probe_request
from bot.domain import Attempt
from bot.internal_errors import guarded
from sandbox.errors import SandboxError
from sandbox.probes import ProbeReport


def select(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set ``chosen`` to the best plausible patch, whole, and ``choice`` to why it is the best.

    Where the policy refuses all of them, they are ``refuted``.
    """
    context = runtime.context.within(Phase.MINIMISE, state.baseline)
    standing = [attempt for attempt in state.plausible if attempt.candidate.patch not in state.refuted]
    chosen = _best(standing, state, context)
    if objection(chosen.attempt.candidate, context) or judged(chosen.attempt.candidate, context).shown:
        allowed = [one for one in standing if not objection(one.candidate, context)]
        if not allowed:
            refuted = (*state.refuted, *(one.candidate.patch for one in standing))
            return {"refuted": refuted, "elapsed": context.stopwatch.elapsed}
        # One that only a person may apply is the last resort, however likely it is.
        free = [one for one in allowed if not judged(one.candidate, context).shown] or allowed
        chosen = _best(free, state, context) if free != standing else chosen
    return {
        "chosen": chosen.attempt,
        "unshrunk": chosen.attempt.candidate.patch,
        "choice": chosen.choice,
        "around": look_around(
            chosen.attempt, state, context, lambda attempts: _probe(attempts, state, context)
        ),
        "elapsed": context.stopwatch.elapsed,
    }


def _best(alternatives: Sequence[Attempt], state: RepairState, context: RepairContext) -> ChosenPatch:
    return choose(alternatives, context.sources, _probe(alternatives, state, context))


def _probe(alternatives: Sequence[Attempt], state: RepairState, context: RepairContext) -> ProbeReport:
    """How alternatives behave on inputs like the tests'; nothing where there is only one candidate."""
    if len(alternatives) < 2:
        return NO_REPORT
    with guarded("the comparison of plausible patches"):
        request = probe_request(alternatives, context.sources, state.baseline)
        if request is None:
            return ProbeReport(problem="they do not change functions that could be called")
        context.progress.stage("select", f"choosing among {len(alternatives)} plausible patches")
        try:
            return by_outer_functions(context.testbed.probe(request), request)
        except SandboxError as error:
            # Validation has a sandbox of its own: what was found is not lost with this one.
            return ProbeReport(problem=str(error))
    return NO_REPORT
