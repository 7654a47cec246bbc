"""Run the candidates that passed the gate, in their order, until one will do or the budget ends."""

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from langgraph.runtime import Runtime

from bot.agent import routing
from bot.agent.nodes.record import record
from bot.agent.nodes.rehearse import begin_if_long, catch_up
from bot.agent.policy_check import objection
from bot.agent.proof.proving import begin_early
from bot.agent.state import RepairContext, RepairState
from bot.agent.timing.deadlines import Phase
from bot.agent.trial.bases import grow, grows
from bot.agent.trial.evaluation import decisive, try_candidate, unchanged
from bot.domain import Attempt, Candidate, Verdict
from bot.ports import Testbed
from bot.search.progress import brief
from sandbox.reports import TestResult, TestStatus

# A short search is over before another sandbox is open.
ALONE = 32
MAX_HANGING = 200
# The fields of the state that this step changes.
CHANGED = (
    *("reference", "attempts", "history", "plausible", "best_partial", "ruled_out", "bases", "hanging"),
    *("first_plausible_at", "first_plausible_attempt", "first_plausible_turn", "first_plausible_drawn"),
    "last_plausible_at",
    *("candidates", "exhausted", "elapsed", "rehearsed"),
)


def evaluate(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Try each waiting candidate; stop early when enough is known. What was not tried keeps waiting."""
    context = runtime.context.within(Phase.SEARCH, state.baseline)
    context.pace.know(state.baseline.passing)
    if not state.reference:
        state = dataclasses.replace(state, reference=_reference(state, context))
    so_far = dataclasses.replace(state, **record(state, (), context))
    tried: list[Attempt] = []
    further = routing.standing(state) > 0

    def work(candidate: Candidate, testbed: Testbed) -> Attempt:
        bed, reference = bounded(testbed), state.reference
        return try_candidate(candidate, state.baseline, context, bed, reference=reference, further=further)

    def bounded(testbed: Testbed) -> Testbed:
        return context.bounded(testbed, Phase.SEARCH, state.baseline)

    rehearsing = context.rehearsal.begun and not state.rehearsed
    several = state.attempts >= ALONE or context.workers.is_ahead
    if several and not (state.plausible or rehearsing):
        context.workers.open_more(lambda testbed: unchanged(state.baseline, context, bounded(testbed)))
    attempts = context.workers.attempts(work, state.candidates, further=further)
    with closing(attempts):
        while len(tried) < len(state.candidates) and not _enough(so_far, context):
            if _is_first(so_far, state):
                break  # its neighbours come next
            begin_if_long(so_far, runtime.context)
            if context.rehearsal.done and (update := catch_up(so_far, context)):
                return update
            attempt = next(attempts)
            begin_early(attempt, state.baseline, runtime.context)
            attempt = _unless_forbidden(attempt, so_far, context)
            # One by one: the time for alternatives starts with the first plausible patch, not with the
            # batch's end.
            so_far = dataclasses.replace(so_far, **record(so_far, [attempt], context))
            tried.append(attempt)
            context.progress.tick(attempts=so_far.attempts, detail=attempt.candidate.explanation)
    waiting = state.candidates[len(tried) :]
    hanging = (*state.hanging, *_hanging(tried, state, context))[:MAX_HANGING]
    so_far = dataclasses.replace(so_far, candidates=waiting, hanging=hanging)
    if not _enough(so_far, context):
        so_far = dataclasses.replace(so_far, **grow(so_far, tried, context))
    learned = len(so_far.bases) > len(state.bases)
    exhausted = state.exhausted and not (waiting or learned or hanging or _is_first(so_far, state))
    so_far = dataclasses.replace(so_far, exhausted=exhausted, elapsed=context.stopwatch.elapsed)
    joins = _waits_for_rehearsal(so_far, context)
    if joins and (update := catch_up(so_far, context)):
        return update
    so_far = dataclasses.replace(so_far, rehearsed=so_far.rehearsed or joins)
    return {name: getattr(so_far, name) for name in CHANGED}


def _waits_for_rehearsal(state: RepairState, context: RepairContext) -> bool:
    """A plausible patch goes to its proof at once, unless the rehearsal has begun."""
    following = routing.after_evaluate(state, context)
    if context.rehearsal.done or following == "conclude":
        return True
    return following == "select" and context.rehearsal.begun


def _is_first(now: RepairState, before: RepairState) -> bool:
    """Whether the first patch that passes the tests was just found."""
    return before.first_plausible_at is None and now.first_plausible_at is not None


def _reference(state: RepairState, context: RepairContext) -> tuple[TestResult, ...]:
    """How the deciding tests end without a change, judged as candidates are; nothing where nobody asks."""
    if grows(context.request):
        return unchanged(state.baseline, context)
    by_model = any(candidate.turn for candidate in state.candidates)
    return tuple(map(brief, decisive(state.baseline, several=True))) if by_model else ()


def _hanging(attempts: Sequence[Attempt], state: RepairState, context: RepairContext) -> Iterator[Candidate]:
    """Those that were slow, or judged by an assumption: to be tried again, with more time, or exactly."""
    by_name = {result.test: result for result in state.baseline.failing}
    for attempt in attempts:
        # A file that hangs while it is imported is reported by its own name.
        ends = [end.test for end in attempt.endings if end.status is TestStatus.TIMEOUT]
        hung = [by_name[test] for test in ends if test in by_name]
        if attempt.candidate.turn:
            continue  # a model's was waited for with patience
        doubtful = attempt.assumed or any(context.pace.would_wait(test) for test in hung)
        if not attempt.candidate.patient and doubtful:
            yield dataclasses.replace(attempt.candidate, patient=True)


def _enough(state: RepairState, context: RepairContext) -> bool:
    return bool(context.trial_reason(state)) or routing.has_enough(state, context)


def _unless_forbidden(attempt: Attempt, state: RepairState, context: RepairContext) -> Attempt:
    """``attempt``, rejected where the policy refuses it: of alternatives, whoever chooses among them asks."""
    if attempt.verdict is not Verdict.PLAUSIBLE or routing.standing(state):
        return attempt
    reason = objection(attempt.candidate, context)
    if not reason:
        return attempt
    context.early.drop(attempt.candidate.patch)
    return dataclasses.replace(attempt, verdict=Verdict.REJECTED, detail=reason)
