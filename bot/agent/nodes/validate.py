"""Prove the chosen patch in a fresh sandbox that has seen no other candidate.

The last run there is one of control tests: without it, a patch could write the verdict itself.
"""

from typing import Any

from langgraph.runtime import Runtime

from bot.agent.baseline.changed_tests import of_change
from bot.agent.baseline.flakiness import Flake, without
from bot.agent.baseline.untied import doubts_of
from bot.agent.nodes.rehearse import catch_up
from bot.agent.proof.controls import own_file_doubts
from bot.agent.proof.proving import kept_by, proved
from bot.agent.state import RepairContext, RepairState, begun_again
from bot.agent.timing.deadlines import Phase
from bot.choice.doubts import Neighbours, doubts
from bot.domain import Patch
from bot.result import Evidence, Outcome

LISTED = 3
"""Flaky tests that a reason names."""
MANY_FAILED = 1_000
"""After so many candidates of the search, one may pass by chance."""


def validate(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set the evidence and the outcome, or refute the choice."""
    context = runtime.context.within(Phase.VALIDATE, state.baseline)
    assert state.chosen is not None
    patch = state.chosen.candidate.patch
    context.progress.stage("validate", "in a fresh sandbox")
    baseline = state.baseline
    done = context.early.of((patch, baseline)) or proved(patch, baseline, context)
    proof, selection, now = done.proof, done.selection, context.stopwatch.elapsed
    if proof.unsteady:
        return _afresh(state, proof.unsteady, elapsed=now)
    if proof.objection:
        context.progress.stage("refuted", proof.objection)
        # It may have been the tests.
        return catch_up(state, context) or _refuted(state, patch, proof.objection, elapsed=now)
    kept = kept_by(baseline, selection) - proof.flaky
    tests = baseline.fail_to_pass | kept
    known = [one for one in (*baseline.failing, *baseline.passing) if one.test in tests]
    evidence = Evidence(
        fail_to_pass=tuple(sorted(baseline.fail_to_pass)),
        pass_to_pass=tuple(sorted(kept)),
        of_change=tuple(one.test for one in of_change(known, context.request, context.sources)),
        repeats=context.request.repeats,
        sandbox=context.testbeds.name,
        isolated=context.testbeds.isolated,
        seconds=done.seconds,
        covering=selection.covering if selection else (),
        left_out=selection.left_out if selection else (),
        unseen=baseline.unseen,
        controls=proof.controls.confirmed,
        uncontrolled=proof.controls.without,
        doubts=(
            *_doubts(state, context, unrun=baseline.unseen + len(selection.left_out if selection else ())),
            *(*_late(state), *own_file_doubts(proof.controls), *doubts_of(baseline)),
        ),
    )
    return {"evidence": evidence, "outcome": Outcome.PATCHED, "reason": "verified", "elapsed": now}


def _refuted(state: RepairState, patch: Patch, reason: str, *, elapsed: float) -> dict[str, Any]:
    """Turn ``patch`` down, and the whole that it was shrunk from: it was no better than what is refuted."""
    whole = (state.unshrunk,) if state.unshrunk else ()
    refuted = tuple(dict.fromkeys((*state.refuted, patch, *whole)))
    return {"refuted": refuted, "reason": reason, "elapsed": elapsed, "rehearsed": True}


def _afresh(state: RepairState, flakes: tuple[Flake, ...], *, elapsed: float) -> dict[str, Any]:
    """Go on without the tests that pass without a patch too, or end where there are no others."""
    baseline = without(state.baseline, flakes)
    update = begun_again(state, baseline, elapsed=elapsed, rehearsed=state.rehearsed)
    if baseline.failing:
        return update
    said = ", ".join(flake.sentence for flake in flakes[:LISTED])
    return {**update, "outcome": Outcome.FLAKY, "reason": f"the failure is flaky: {said}"}


def _doubts(state: RepairState, context: RepairContext, *, unrun: int) -> tuple[str, ...]:
    assert state.chosen is not None
    candidate = state.chosen.candidate
    # Those that pass as well were compared with it.
    tried = state.ruled_out.near + (state.choice.alternatives if state.choice else 0)
    found, looked = state.around, context.request.search.alternatives
    near = Neighbours(tried, state.looked_around)
    if found:
        near = Neighbours(found.tried, found.is_all, found.passing)
    return doubts(
        candidate.patch,
        context.sources,
        choice=state.choice,
        neighbours=near if looked and (found or not candidate.turn) else None,
        unrun=unrun,
        literals=context.test_literals(),
        guesses=candidate.guesses,
        mixed=len(set(candidate.origin.split(" + "))) > 1 and len(candidate.patch.paths) > 1,
        older=context.request.base.values(),
    )


def _late(state: RepairState) -> tuple[str, ...]:
    """That the first patch came late: the more are tried, the likelier one passes that is wrong."""
    failed = (state.first_plausible_attempt or 1) - 1
    if failed <= MANY_FAILED or state.first_plausible_turn:
        return ()
    return (f"{failed} candidates failed before one passed the tests",)
