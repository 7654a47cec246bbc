"""Prove the chosen patch in a fresh sandbox that has seen no other candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.evaluation import changed_files
from bot.agent.state import RepairContext, RepairState
from bot.domain import Baseline, Evidence, Outcome
from bot.ports import Testbed


def validate(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Set the evidence and the outcome, or refute the choice."""
    context = runtime.context
    assert state.chosen is not None
    patch = state.chosen.proposal.patch
    context.progress.stage("validate", "in a fresh sandbox")
    started = context.stopwatch.elapsed
    changes = changed_files(patch, context)
    with context.testbeds.open() as testbed:
        proof = _prove(testbed, changes, state.baseline, context.request.repeats)
    now = context.stopwatch.elapsed
    if proof.objection:
        # The whole that it was shrunk from goes too: it was no better than what is refuted here.
        whole = (state.unshrunk,) if state.unshrunk else ()
        refuted = tuple(dict.fromkeys((*state.refuted, patch, *whole)))
        return {"refuted": refuted, "reason": proof.objection, "elapsed": now}
    evidence = Evidence(
        fail_to_pass=tuple(sorted(state.baseline.fail_to_pass)),
        pass_to_pass=tuple(sorted(state.baseline.pass_to_pass - proof.flaky)),
        repeats=context.request.repeats,
        sandbox=context.testbeds.name,
        isolated=context.testbeds.isolated,
        seconds=now - started,
    )
    return {"evidence": evidence, "outcome": Outcome.PATCHED, "reason": "verified", "elapsed": now}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proof:
    """What the fresh sandbox said: an objection, or the tests that fail without the patch as well."""

    objection: str = ""
    flaky: frozenset[str] = frozenset()


def _prove(testbed: Testbed, changes: dict[str, bytes], baseline: Baseline, repeats: int) -> _Proof:
    """The failing tests by themselves, repeated; then the whole suite as a user runs it."""
    failing = sorted(baseline.fail_to_pass)
    for repeat in range(1, repeats + 1):
        report = testbed.run(tests=failing, changes=changes)
        if not report.proves(baseline.fail_to_pass):
            return _Proof(
                objection=f"in a fresh sandbox the failing tests did not pass (run {repeat} of {repeats})"
            )
    suite = testbed.run(changes=changes)
    passed = {result.test for result in suite.passing}
    # A name that stands for a whole file is gone once the file can be imported; one for a command stays.
    there = {result.test for result in suite.results}
    repaired = {test for test in baseline.fail_to_pass if "::" in test or test in there}
    missing = (repaired | baseline.pass_to_pass) - passed
    if not suite.complete:
        return _Proof(objection=f"in a fresh sandbox the suite did not end: {suite.problem}")
    if not missing:
        return _Proof()
    # What fails without the patch as well is not the patch's doing.
    suspects = sorted(missing & baseline.pass_to_pass)
    flaky = {result.test for result in testbed.run(tests=suspects).failing} if suspects else set()
    broken = sorted(missing - flaky)
    if broken:
        return _Proof(objection=f"in a fresh sandbox the patch broke passing tests: {', '.join(broken[:3])}")
    return _Proof(flaky=frozenset(flaky))
