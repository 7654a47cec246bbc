"""Choose among the plausible patches: by what they do, and by what they look like."""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.policy_check import warnings
from bot.agent.state import RepairContext, RepairState
from bot.agent.timing.deadlines import Phase
from bot.agent.trial.around import look_around
from bot.choice.choose import NO_REPORT, choose
from bot.choice.probing import probe_request
from bot.domain import Attempt
from bot.internal_errors import guarded
from sandbox.errors import SandboxError
from sandbox.probes import ProbeReport


def select(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set ``chosen`` to the best plausible patch, whole, and ``choice`` to why it is the best."""
    context = runtime.context.within(Phase.MINIMISE, state.baseline)
    standing = [attempt for attempt in state.plausible if attempt.candidate.patch not in state.refuted]
    # One that only a person may apply is the last resort, however likely it is.
    alternatives = [one for one in standing if not warnings(one.candidate, context)] or standing
    chosen = choose(alternatives, context.sources, _probe(alternatives, state, context))
    return {
        "chosen": chosen.attempt,
        "unshrunk": chosen.attempt.candidate.patch,
        "choice": chosen.choice,
        "around": look_around(
            chosen.attempt, state, context, lambda attempts: _probe(attempts, state, context)
        ),
        "elapsed": context.stopwatch.elapsed,
    }


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
            return context.testbed.probe(request)
        except SandboxError as error:
            # Validation has a sandbox of its own: what was found is not lost with this one.
            return ProbeReport(problem=str(error))
    return NO_REPORT
