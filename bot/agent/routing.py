"""The edges: where to go next, decided from the state alone."""

from typing import Literal

from bot.agent.state import RepairState
from bot.choice.doubts import FEW_NEIGHBOURS
from bot.request import RepairRequest

# Further plausible patches are worth a share of the time that the first one took.
ALTERNATIVE_LIMIT = 8
FUTILE_ATTEMPTS = 300
ALTERNATIVE_TIME_SHARE = 0.5
ALTERNATIVE_TIME_MIN_S, ALTERNATIVE_TIME_MAX_S = 2.0, 20.0


def unless_over(state: RepairState, following: str | list[str], *, spent: bool) -> str | list[str]:
    """Go on to ``following`` unless there is an answer already, or no budget is left to find one."""
    if state.outcome:
        return "__end__"
    return "conclude" if spent else following


def after_evaluate(
    state: RepairState, *, request: RepairRequest, spent: bool
) -> Literal["propose", "select", "conclude", "__end__"]:
    """Deliver what is plausible, or go on while there is budget and something left to propose."""
    if state.outcome:
        return "__end__"
    over = spent or state.exhausted or is_futile(state)
    if standing(state) and (over or has_enough(state, request)):
        return "select"
    return "conclude" if over else "propose"


def after_validate(state: RepairState, *, spent: bool) -> Literal["__end__", "select", "propose", "conclude"]:
    """A refuted choice gives way to its alternatives, then to new candidates."""
    if state.outcome:
        return "__end__"
    if standing(state):
        return "select"
    return "conclude" if spent or state.exhausted else "propose"


def is_futile(state: RepairState) -> bool:
    """Whether all of many candidates behaved as the unchanged program: the tests depend on other things."""
    return state.attempts >= FUTILE_ATTEMPTS and state.ruled_out.unchanged == state.attempts


def standing(state: RepairState) -> int:
    """How many plausible patches are not refuted."""
    return sum(attempt.candidate.patch not in state.refuted for attempt in state.plausible)


def has_enough(state: RepairState, request: RepairRequest) -> bool:
    """Whether to stop looking for alternatives: there are several, their time is over, or none is wanted.

    A few neighbours of the first one are tried even where they are slow: without them its confidence is low.
    A model's next reply costs too much to be spent on an alternative.
    """
    found = standing(state)
    if not found or state.first_plausible_at is None:
        return False
    by_model = any(attempt.candidate.turn for attempt in state.plausible)
    if by_model or not request.search.alternatives or found >= ALTERNATIVE_LIMIT:
        return True
    share = min(
        max(ALTERNATIVE_TIME_MIN_S, ALTERNATIVE_TIME_SHARE * state.first_plausible_at), ALTERNATIVE_TIME_MAX_S
    )
    looked = state.looked_around or state.ruled_out.near >= FEW_NEIGHBOURS
    return state.elapsed - state.first_plausible_at >= (share if looked else ALTERNATIVE_TIME_MAX_S)
