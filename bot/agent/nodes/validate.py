"""Prove the chosen patch in a fresh sandbox that has seen no other candidate."""

from __future__ import annotations

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
        objection = _objection(testbed, changes, state.baseline, context.request.repeats)
    now = context.stopwatch.elapsed
    if objection:
        # The whole that it was shrunk from goes too: it was no better than what is refuted here.
        whole = (state.unshrunk,) if state.unshrunk else ()
        refuted = tuple(dict.fromkeys((*state.refuted, patch, *whole)))
        return {"refuted": refuted, "reason": objection, "elapsed": now}
    evidence = Evidence(
        fail_to_pass=tuple(sorted(state.baseline.fail_to_pass)),
        pass_to_pass=tuple(sorted(state.baseline.pass_to_pass)),
        repeats=context.request.repeats,
        sandbox=context.testbeds.name,
        isolated=context.testbeds.isolated,
        seconds=now - started,
    )
    return {"evidence": evidence, "outcome": Outcome.PATCHED, "reason": "verified", "elapsed": now}


def _objection(testbed: Testbed, changes: dict[str, bytes], baseline: Baseline, repeats: int) -> str:
    failing = sorted(baseline.fail_to_pass)
    for repeat in range(1, repeats + 1):
        report = testbed.run(tests=failing, changes=changes)
        if not report.proves(baseline.fail_to_pass):
            return f"in a fresh sandbox the failing tests did not pass (run {repeat} of {repeats})"
    if baseline.passing:
        report = testbed.run(tests=[result.test for result in baseline.passing], changes=changes)
        if not report.proves(baseline.pass_to_pass):
            red = ", ".join(result.test for result in report.failing[:3]) or report.problem
            return f"in a fresh sandbox the patch broke passing tests: {red}"
    return ""
