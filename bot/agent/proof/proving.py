"""Run what a proof consists of in a fresh sandbox: the failing tests, the suite, control tests."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace

from bot.agent.baseline.flakiness import ANOTHER_SEED, Flake
from bot.agent.policy_check import judge_ahead
from bot.agent.proof.ahead import Prepared
from bot.agent.proof.controls import Controls, run_controls
from bot.agent.proof.selection import SuiteSelection, select_tests
from bot.agent.proof.still_failing import passing_unchanged
from bot.agent.state import RepairContext, searches
from bot.agent.timing.deadlines import Phase
from bot.agent.trial.evaluation import changed_files
from bot.choice.choose import looks
from bot.domain import Attempt, Baseline, Patch, Verdict
from bot.internal_errors import guarded
from bot.ports import Testbed
from sandbox.reports import TestReport

MAX_SAID = 300
"""Characters of a failure that an objection holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What the fresh sandbox said: an objection, or which tests are flaky.

    ``flaky`` are passing tests that fail without the patch as well, ``unsteady`` failing ones that pass so.
    """

    objection: str = ""
    unsteady: tuple[Flake, ...] = ()
    flaky: frozenset[str] = frozenset()
    controls: Controls = field(default_factory=Controls)

    @property
    def is_good(self) -> bool:
        """Whether nothing speaks against the patch, and no test that it may have broken passes for flaky."""
        return not (self.objection or self.unsteady or self.flaky)


def kept_by(baseline: Baseline, selection: SuiteSelection | None) -> frozenset[str]:
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
    before: TestReport | None = None,
) -> Proof:
    """Run the failing tests by themselves, without the ``changes`` too, then the suite and the control tests.

    ``sources`` are the project's files without the ``changes``; the failing tests are run ``repeats`` times
    with them, the last time as part of the suite. Of the suite, the ``selection`` is run if there is one.
    ``before`` is the run without them where that took place in this sandbox already.

    Raises:
        sandbox.errors.SandboxError: the sandbox itself failed.
    """
    # In the suite's order: a test may need what an earlier one leaves.
    failing = list(dict.fromkeys(one.test for one in baseline.failing))
    for repeat in range(1, max(2, repeats)):  # the suite runs them once more
        report = testbed.run(tests=failing, changes=changes)
        if not report.proves(baseline.fail_to_pass):
            where = f"in a fresh sandbox the failing tests did not pass (run {repeat} of {repeats})"
            return Proof(objection=where + _first_failure(report))
    if unsteady := passing_unchanged(testbed, baseline, report, before):
        return Proof(unsteady=unsteady)
    proof = _suite(testbed, changes, baseline, failing, selection)
    if proof.objection:
        return proof
    controls = run_controls(testbed, report, baseline, sources=sources, changes=changes)
    return replace(proof, objection=controls.objection, controls=controls)


def _first_failure(report: TestReport) -> str:
    """What the first failing test of a run says; why the run did not end where none failed."""
    for one in report.failing:
        said = f"{one.test}: {one.exception}: {one.message}".partition("\n")[0]
        return f": {said.rstrip(': ')}"[:MAX_SAID]
    return f": {report.problem}"[:MAX_SAID] if report.problem else ""


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
    kept = kept_by(baseline, selection)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """A proof, and how it was made: by which tests of the suite, None for all, and in how many seconds."""

    proof: Proof
    selection: SuiteSelection | None
    seconds: float


def proved(
    patch: Patch,
    baseline: Baseline,
    context: RepairContext,
    *,
    through: Callable[[Testbed], Testbed] = lambda testbed: testbed,
    prepared: Prepared | None = None,
) -> Proved:
    """Prove ``patch`` in a fresh sandbox, the ``prepared`` one if given, used ``through`` another testbed.

    Raises:
        sandbox.errors.SandboxError: the sandbox failed.
    """
    started = context.stopwatch.elapsed
    with nullcontext(prepared.testbed) if prepared else _fresh(context) as fresh:
        testbed = through(fresh)
        selection = select_tests(testbed, patch, baseline, context)
        proof = prove(
            testbed,
            baseline,
            sources=context.sources,
            changes=changed_files(patch, context),
            repeats=context.request.repeats,
            selection=selection,
            before=prepared.unchanged if prepared else None,
        )
    return Proved(proof=proof, selection=selection, seconds=context.stopwatch.elapsed - started)


def _fresh(context: RepairContext) -> AbstractContextManager[Testbed]:
    """With another hash seed, so that what holds for one order of a set only does not pass."""
    return (context.varied(ANOTHER_SEED.variables) if context.varied else context.testbeds).open()


def prepare(context: RepairContext) -> None:
    """Open the testbed of an early proof beside a first run that takes long, and read the tests' values."""
    if searches(context.request) and _may_be_early(context):
        within = context.within(Phase.EARLY)
        context.ahead.begin(lambda: _fresh(within), then=context.test_literals)


def _may_be_early(context: RepairContext) -> bool:
    """Whether a proof beside the search shares no ports or files with it, and has a processor."""
    alternatives = context.request.search.alternatives
    return alternatives and context.workers.is_room and context.testbeds.isolated


def begin_early(attempt: Attempt, baseline: Baseline, context: RepairContext) -> None:
    """Have ``attempt``, if it passes the tests, proved while others are looked for; the best by looks is.

    Not where a rehearsal is at work beside it.
    """
    alone = not context.rehearsal.begun or context.rehearsal.done
    if not (alone and attempt.verdict is Verdict.PLAUSIBLE and _may_be_early(context)):
        return
    patch = attempt.candidate.patch
    within = replace(context.within(Phase.EARLY, baseline), progress=_Silent())

    def work(needed: Callable[[Testbed], Testbed]) -> Proved:
        with context.workers.one_fewer():
            judge_ahead(attempt.candidate, context)
            return proved(patch, baseline, within, through=needed, prepared=context.ahead.take())

    with guarded("the early proof"):
        context.early.begin_for((patch, baseline), looks(attempt, context.sources), work)


class _Silent:
    """``ports.Progress`` of what is not the stage that the repair is in."""

    def stage(self, name: str, detail: str = "") -> None:
        """Forget it."""

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """Forget it."""
