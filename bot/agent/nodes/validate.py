"""Prove the chosen patch in a fresh sandbox that has seen no other candidate.

The last run there is one of control tests: without it, a patch could write the verdict itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.baseline.changed_tests import of_change
from bot.agent.baseline.flakiness import ANOTHER_SEED, Flake, without
from bot.agent.baseline.untied import doubts_of
from bot.agent.nodes.rehearse import catch_up
from bot.agent.proof.controls import Controls, own_file_doubts, run_controls
from bot.agent.proof.selection import SuiteSelection, select_tests
from bot.agent.proof.still_failing import passing_unchanged
from bot.agent.state import RepairContext, RepairState, begun_again
from bot.agent.timing.deadlines import Phase
from bot.agent.trial.evaluation import changed_files
from bot.choice.doubts import Neighbours, doubts
from bot.domain import Baseline, Patch
from bot.ports import Testbed
from bot.result import Evidence, Outcome

LISTED = 3
"""Flaky tests that a reason names."""


def validate(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set the evidence and the outcome, or refute the choice."""
    context = runtime.context.within(Phase.VALIDATE, state.baseline)
    assert state.chosen is not None
    patch = state.chosen.candidate.patch
    context.progress.stage("validate", "in a fresh sandbox")
    started, baseline = context.stopwatch.elapsed, state.baseline
    changes = changed_files(patch, context)
    # With another hash seed, what holds for one order of a set only does not pass.
    testbeds = context.varied(ANOTHER_SEED.variables) if context.varied else context.testbeds
    with testbeds.open() as testbed:
        selection = select_tests(testbed, patch, baseline, context)
        proof = prove(
            testbed,
            baseline,
            sources=context.sources,
            changes=changes,
            repeats=context.request.repeats,
            selection=selection,
        )
    now = context.stopwatch.elapsed
    if proof.unsteady:
        return _afresh(state, proof.unsteady, elapsed=now)
    if proof.objection:
        # It may have been the tests.
        return catch_up(state, context) or _refuted(state, patch, proof.objection, elapsed=now)
    kept = _kept(baseline, selection) - proof.flaky
    proved = baseline.fail_to_pass | kept
    known = [one for one in (*baseline.failing, *baseline.passing) if one.test in proved]
    evidence = Evidence(
        fail_to_pass=tuple(sorted(baseline.fail_to_pass)),
        pass_to_pass=tuple(sorted(kept)),
        of_change=tuple(one.test for one in of_change(known, context.request, context.sources)),
        repeats=context.request.repeats,
        sandbox=context.testbeds.name,
        isolated=context.testbeds.isolated,
        seconds=now - started,
        covering=selection.covering if selection else (),
        left_out=selection.left_out if selection else (),
        unseen=baseline.unseen,
        controls=proof.controls.confirmed,
        uncontrolled=proof.controls.without,
        doubts=(
            *_doubts(state, context, unrun=baseline.unseen + len(selection.left_out if selection else ())),
            *(*own_file_doubts(proof.controls), *doubts_of(baseline)),
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
    near = (
        Neighbours(found.tried, found.is_all, found.passing)
        if found
        else Neighbours(tried, state.looked_around)
    )
    return doubts(
        candidate.patch,
        context.sources,
        choice=state.choice,
        neighbours=near if looked and (found or not candidate.turn) else None,
        unrun=unrun,
        literals=context.test_literals(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What the fresh sandbox said: an objection, or which tests are flaky.

    ``flaky`` are passing tests that fail without the patch as well, ``unsteady`` failing ones that pass so.
    """

    objection: str = ""
    unsteady: tuple[Flake, ...] = ()
    flaky: frozenset[str] = frozenset()
    controls: Controls = field(default_factory=Controls)


def _kept(baseline: Baseline, selection: SuiteSelection | None) -> frozenset[str]:
    """The passing tests that are run on the patch."""
    return frozenset(selection.tests) if selection else baseline.pass_to_pass


def prove(  # noqa: PLR0913 - what a proof is made from, each by its name
    testbed: Testbed,
    baseline: Baseline,
    *,
    sources: Mapping[str, str],
    changes: Mapping[str, bytes],
    repeats: int,
    selection: SuiteSelection | None = None,
) -> Proof:
    """Run the failing tests by themselves, without the ``changes`` too, then the suite and the control tests.

    ``sources`` are the project's files without the ``changes``; the failing tests are run ``repeats`` times
    with them, the last time as part of the suite. Of the suite, the ``selection`` is run if there is one.

    Raises:
        sandbox.errors.SandboxError: the sandbox itself failed.
    """
    failing = sorted(baseline.fail_to_pass)
    for repeat in range(1, max(2, repeats)):  # the suite runs them once more
        report = testbed.run(tests=failing, changes=changes)
        if not report.proves(baseline.fail_to_pass):
            return Proof(
                objection=f"in a fresh sandbox the failing tests did not pass (run {repeat} of {repeats})"
            )
    if unsteady := passing_unchanged(testbed, baseline, report):
        return Proof(unsteady=unsteady)
    proof = _suite(testbed, changes, baseline, failing, selection)
    if proof.objection:
        return proof
    controls = run_controls(testbed, report, baseline, sources=sources, changes=changes)
    return replace(proof, objection=controls.objection, controls=controls)


def _suite(
    testbed: Testbed,
    changes: Mapping[str, bytes],
    baseline: Baseline,
    failing: list[str],
    selection: SuiteSelection | None,
) -> Proof:
    """The suite as a user runs it, or the selection."""
    chosen = [*failing, *selection.tests] if selection else None
    suite = testbed.run(tests=chosen, changes=changes)
    kept = _kept(baseline, selection)
    passed = {result.test for result in suite.passing}
    # A name that stands for a whole file is gone once the file can be imported; one for a command stays.
    there = {result.test for result in suite.results}
    repaired = {test for test in baseline.fail_to_pass if "::" in test or test in there}
    missing = (repaired | kept) - passed
    if not suite.complete:
        return Proof(objection=f"in a fresh sandbox the suite did not end: {suite.problem}")
    if not missing:
        return Proof()
    # What fails without the patch as well is not the patch's doing.
    suspects = sorted(missing & kept)
    flaky = {result.test for result in testbed.run(tests=suspects).failing} if suspects else set()
    broken = sorted(missing - flaky)
    if broken:
        return Proof(objection=f"in a fresh sandbox the patch broke passing tests: {', '.join(broken[:3])}")
    return Proof(flaky=frozenset(flaky))
