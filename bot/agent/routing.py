"""The edges: where to go next."""

from bot.agent.state import HYBRID, RepairContext, RepairState
from bot.agent.timing.deadlines import end_of_waiting
from bot.choice.doubts import FEW_NEIGHBOURS
from bot.domain import Flaw
from bot.request import Critic
from bot.search.difference.mixtures import ORIGIN as BASE

Route = str | list[str]

# One veto after the other, or many, would let the critic decide alone; the tests decide.
MAX_VETOES = 3

# Further plausible patches are worth a share of the time that the first one took, and some seconds more as
# long as others come: behind most wrong patches that come quickly there is one that behaves otherwise.
PLAUSIBLE_LIMIT = 400
FUTILE_ATTEMPTS = 300
ALTERNATIVE_TIME_SHARE = 0.33
ALTERNATIVE_TIME_MIN_S, ALTERNATIVE_TIME_MAX_S = 2.0, 20.0
QUIET_S, COMING_S = 4.0, 12.0


def unless_over(state: RepairState, context: RepairContext, following: Route) -> Route:
    """Go on to ``following`` unless there is an answer already, or no budget is left to find one."""
    if state.outcome:
        return "__end__"
    return "conclude" if context.budget_reason(state) else following


def after_outdated(state: RepairState, _context: RepairContext) -> Route:
    """Look for patches, unless the failing tests are what is out of date."""
    return "__end__" if state.outcome else "propose"


def after_gate(state: RepairState, context: RepairContext) -> Route:
    """Ask the critic first about a model's patch: not right after a veto, nor about the last one."""
    by_model = bool(state.candidates) and bool(state.candidates[0].turn)
    just_vetoed = bool(state.history) and state.history[-1].flaw is Flaw.VETOED
    if context.request.model.critic is not Critic.VETO or not by_model or just_vetoed:
        return "evaluate"
    return "critic" if state.vetoes < MAX_VETOES and not context.model_reason(state) else "evaluate"


def after_evaluate(state: RepairState, context: RepairContext) -> Route:
    """Deliver what is plausible, or go on while there is budget and something left to propose."""
    if state.outcome:
        return "__end__"
    over = bool(context.budget_reason(state)) or state.exhausted or is_futile(state)
    if standing(state) and (over or has_enough(state, context)):
        return "select" if over or not may_fill(state, context) else "propose"
    return "conclude" if over else "propose"


def after_select(state: RepairState, context: RepairContext) -> Route:
    """Make the chosen patch small, unless none may be delivered."""
    return "minimise" if standing(state) else after_validate(state, context)


def after_validate(state: RepairState, context: RepairContext) -> Route:
    """A refuted choice gives way to its alternatives, then to new candidates."""
    if state.outcome:
        return "__end__"
    if standing(state):
        return "select"
    return "conclude" if state.exhausted or context.budget_reason(state) else "propose"


def is_futile(state: RepairState) -> bool:
    """Whether all of many candidates behaved as the unchanged program: the tests depend on other things."""
    return state.attempts >= FUTILE_ATTEMPTS and state.ruled_out.unchanged == state.attempts


def standing(state: RepairState) -> int:
    """How many plausible patches are not refuted."""
    return sum(attempt.candidate.patch not in state.refuted for attempt in state.plausible)


def has_enough(state: RepairState, context: RepairContext) -> bool:
    """Whether to stop looking for alternatives: there are several, their time is over, or none is wanted.

    A few neighbours of the first one are tried even where they are slow: without them its confidence is low.
    A model's next reply costs too much to be spent on an alternative; what it wrote into gaps is tried.
    """
    found = standing(state)
    if not found or state.first_plausible_at is None or any(one.gap for one in state.candidates):
        return False
    by_model = any(attempt.candidate.turn for attempt in state.plausible)
    if by_model or not context.request.search.alternatives or found >= PLAUSIBLE_LIMIT:
        return True
    if _is_due(state, context):
        return True
    since = state.elapsed - state.first_plausible_at
    if not state.looked_around and state.ruled_out.near < FEW_NEIGHBOURS:
        return since >= ALTERNATIVE_TIME_MAX_S
    share = min(
        max(ALTERNATIVE_TIME_MIN_S, ALTERNATIVE_TIME_SHARE * state.first_plausible_at), ALTERNATIVE_TIME_MAX_S
    )
    quiet = state.elapsed - (state.last_plausible_at or state.first_plausible_at)
    return since >= share and (quiet >= QUIET_S or since >= COMING_S)


def may_fill(state: RepairState, context: RepairContext) -> bool:
    """Whether a model is still to be asked to fill gaps, beside the search: once in a repair.

    Where the search found a patch, it is asked what it would write there, and in lines as suspicious; not
    where a text of the version before passes, since a model's guess is worth less.
    """
    request = context.request
    if request.strategy != HYBRID or state.filled or state.lost or not context.backends:
        return False
    is_known = any(one.candidate.turn or one.candidate.origin == BASE for one in state.plausible)
    if state.plausible and (is_known or not request.search.alternatives):
        return False
    return not (context.model_reason(state) or _is_due(state, context))


def _is_due(state: RepairState, context: RepairContext) -> bool:
    """Whether the proof, which no worker has begun beside the search, needs what is left of the time."""
    budget = context.request.budget.seconds
    if not budget or context.early.begun:
        return False
    return state.elapsed >= end_of_waiting(budget, state.baseline, repeats=context.request.repeats)
