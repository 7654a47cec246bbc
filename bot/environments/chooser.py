"""Chooses the environment and the command that a project's tests are run with, by running them.

What the CI does is tried first. One is good when what fails there is the code's doing, or what the log names;
until one is, the next is tried, and of all the one is taken with which most tests pass. The choice is kept
for the next time. Nothing here looks for a patch.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.agent.baseline.sample import first_run, is_named
from bot.agent.timing.deadlines import FIRST_RUN_SHARE
from bot.environments.chosen import ChosenEnvironment
from bot.environments.judgement import counted, judge, may_be_of_a_release
from bot.environments.memory import Memory, Remembered
from bot.environments.missing import missing_packages
from bot.environments.older import older_plan, reason, suspects
from bot.environments.ways import Way
from bot.internal_errors import guarded
from bot.ports import Progress
from sandbox.environment.builder import PreparedEnvironment
from sandbox.environment.plans.plan import BuildPlan
from sandbox.environment.prepare import Environments
from sandbox.errors import EnvironmentBuildFailed, RunnerNotLoaded, SandboxError
from sandbox.snapshot import Snapshot
from sandbox.testing import SandboxTestbeds

LEAST_SHARE = 0.05
RUNS_SHARE = 0.5
"""Of the repair's time budget, what running the tests may take to choose: they count as spent."""

ROUNDS = 4
"""How often what a run misses is added: a module that is found may need the next."""

UNUSABLE = (EnvironmentBuildFailed, RunnerNotLoaded)
"""What one plan may end in while another works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """Tries environments and commands for the project in ``snapshot``.

    ``beds_of`` makes testbeds of an environment and a way; ``own`` are the project's top-level modules;
    ``seconds`` is what trying further plans may take after the first; ``now`` is the time. ``budget`` is the
    repair's time budget, 0 for none; ``near`` are test files to run first.
    """

    environments: Environments
    snapshot: Snapshot
    own: frozenset[str]
    beds_of: Callable[[PreparedEnvironment, Way], SandboxTestbeds]
    progress: Progress
    memory: Memory
    seconds: float
    now: datetime
    budget: float = 0.0
    near: tuple[str, ...] = ()
    _runs: list[float] = field(default_factory=list, init=False)  # what each took
    _opened: list[ExitStack] = field(default_factory=list, init=False)

    def choose(self, ways: Sequence[Way], *, resume: bool) -> ChosenEnvironment:
        """The environment and the command to use; with ``resume``, those of the run that was killed.

        Raises:
            SandboxError: there is no environment, or the sandbox failed.
        """
        with ExitStack() as failing:
            failing.callback(self._close)
            fixed = self.environments.fixed
            chosen = self._in_fixed(fixed, ways, resume=resume) if fixed else self._in_planned(ways)
            failing.pop_all()
        return replace(chosen, spent=sum(self._runs))

    def _left(self) -> float | None:
        """What the next run of the tests may take; None for no limit, 0 where there is no time for one."""
        if not self.budget:
            return None
        return max(0.0, min(FIRST_RUN_SHARE * self.budget, RUNS_SHARE * self.budget - sum(self._runs)))

    def _over(self) -> bool:
        """Whether no further run of the tests can be afforded."""
        left = self._left()
        return left is not None and left < LEAST_SHARE * self.budget

    def _close(self) -> None:
        """Close every sandbox that was opened: nobody gets one of them."""
        for held in self._opened:
            held.close()

    def _in_fixed(
        self, fixed: PreparedEnvironment, ways: Sequence[Way], *, resume: bool
    ) -> ChosenEnvironment:
        """The way to use in an environment that is used as it is."""
        key = self.memory.key((), ways, f"{self.environments.provider.name} {self.snapshot.digest}")
        if resume:
            known = self.memory.find(key)
            way = next((one for one in ways if known and one.text == known.text), ways[0])
            return self._unrun(fixed, way)
        chosen = self._best_way(fixed, ways)
        if len(ways) > 1:
            self.memory.keep(key, Remembered(plan="", added=(), text=chosen.way.text))
        return chosen

    def _in_planned(self, ways: Sequence[Way]) -> ChosenEnvironment:
        """The plan to follow, with the way to use in its environment."""
        needs = tuple(dict.fromkeys(name for way in ways for name in way.needs))
        plans = tuple(plan.with_needed(needs) for plan in self.environments.candidates.plans)
        key = self.memory.key(plans, ways, self.environments.provider.name)
        if (known := self.memory.find(key)) and (chosen := self._remembered(known, plans, ways)):
            return chosen
        plan, chosen, complete = self._best_plan(plans, ways)
        apart: tuple[tuple[str, str], ...] = ()
        with guarded("the search for older releases"):
            apart = self._outdated(plan, chosen)
        # What is set apart is known by this run only; what time cut short may end better the next time.
        whole = complete and not apart and (chosen.good or not self._over())
        if whole and chosen.judgement and chosen.judgement.ran:
            self.memory.keep(key, Remembered(plan=plan.name, added=plan.added, text=chosen.way.text))
        return replace(chosen, apart=apart)

    def _outdated(self, plan: BuildPlan, chosen: ChosenEnvironment) -> tuple[tuple[str, str], ...]:
        """The failing tests that pass with older releases of the dependencies, with the reason."""
        failing = chosen.report.failing if chosen.report else ()
        wanted = [one for one in failing if not chosen.way.tests or is_named(one.test, chosen.way.tests)]
        tests = suspects([one for one in wanted if may_be_of_a_release(one, self.own)])
        older = older_plan(plan, now=self.now) if tests and not self._over() else None
        if older is None:
            return ()
        self.progress.stage("environment", "failures in installed packages: once more, with older releases")
        try:
            environment = self.environments.build(older)
            with self.beds_of(environment, chosen.way).open() as testbed:
                again = testbed.run(tests=[one.test for one in tests], seconds=self._left())
                self._runs.append(again.seconds)
                passing = {one.test for one in again.passing}
        except UNUSABLE as error:
            self.progress.stage("environment", f"not with these: {error}")
            return ()
        before, after = environment.installed, chosen.environment.installed
        return tuple(
            (one.test, reason(one, before, after, limit=older.as_of)) for one in tests if one.test in passing
        )

    def _best_plan(
        self, plans: Sequence[BuildPlan], ways: Sequence[Way]
    ) -> tuple[BuildPlan, ChosenEnvironment, bool]:
        """The best of ``plans`` with the best of ``ways``, and whether each that was tried could be built.

        A plan whose run says what it misses is completed before the next one is tried.
        """
        best: tuple[BuildPlan, ChosenEnvironment] | None = None
        failure: SandboxError | None = None
        end, tried = time.monotonic() + self.seconds, 0
        for plan in plans:
            if best and (self._over() or time.monotonic() > end):
                self.progress.stage("environment", "no further plan: the time for that is over")
                break
            try:
                found = self._best_way(self.environments.build(plan), ways)
            except UNUSABLE as error:
                self.progress.stage("environment", f"not {plan.name}: {error}")
                failure = failure or error
                continue
            tried += 1
            if not found.good:
                self.progress.stage("environment", f"{plan.name}: {_counts(found)}")
            completed = self._completed(plan, found, ways, end)
            best = _better(best, completed)
            if completed[1].good:
                break
        if best is None:
            raise failure or EnvironmentBuildFailed("no Python was found to build with: install python3")
        if tried > 1 or best[0].added:
            self.progress.stage("environment", f"taken: {best[0].name}, {_counts(best[1])}")
        return *best, failure is None

    def _completed(
        self, plan: BuildPlan, chosen: ChosenEnvironment, ways: Sequence[Way], end: float
    ) -> tuple[BuildPlan, ChosenEnvironment]:
        """The same with the packages that its run misses, where more tests pass with them."""
        best, last = (plan, chosen), chosen
        for _ in range(ROUNDS):
            if last.report is None or last.whole or self._over() or time.monotonic() > end:
                break
            missing: tuple[str, ...] = ()
            with guarded("the search for missing packages"):
                missing = missing_packages(last.report, own=self.own, files=self.snapshot.files)
            missing = tuple(name for name in missing if name not in plan.requirements)
            if not missing:
                break
            self.progress.stage("environment", f"once more, with what is missing: {', '.join(missing)}")
            plan = plan.with_added(missing)
            try:
                last = self._best_way(self.environments.build(plan), ways)
            except UNUSABLE as error:
                self.progress.stage("environment", f"not with these: {error}")
                break
            best = _better(best, (plan, last))
        return best

    def _best_way(self, environment: PreparedEnvironment, ways: Sequence[Way]) -> ChosenEnvironment:
        """The first of ``ways`` by which tests run in ``environment``; the last one where none does."""
        best: ChosenEnvironment | None = None
        for way in ways:
            if best:
                again = f"{_counts(best)}: once more, with {way.text or way.source}"
                self.progress.stage("tests", again)
            found = self._tried(environment, way)
            if best is None or found.rank > best.rank:
                best, found = found, best or found
            if found is not best:
                found.held.close()
            assert best.judgement is not None
            if self._over() or (best.judgement.ran and (best.judgement.named or not way.tests)):
                break
        assert best is not None
        return best

    def _tried(self, environment: PreparedEnvironment, way: Way) -> ChosenEnvironment:
        if way.text:
            self.progress.stage("tests", f"{way.text} ({way.source})")
        beds = self.beds_of(environment, way)
        with ExitStack() as opening:
            testbed = opening.enter_context(beds.open())
            self.progress.stage("reproduce", "running the tests")
            started = time.monotonic()
            report = first_run(testbed, named=way.tests, near=self.near, seconds=self._left())
            self._runs.append(time.monotonic() - started)
            held = opening.pop_all()
            self._opened.append(held)
        judgement = counted(report)
        with guarded("the judgement of an environment"):
            judgement = judge(report, named=way.tests, own=self.own)
        return ChosenEnvironment(
            way=way,
            environment=environment,
            beds=beds,
            held=held,
            testbed=testbed,
            report=report,
            judgement=judgement,
        )

    def _remembered(
        self, known: Remembered, plans: Sequence[BuildPlan], ways: Sequence[Way]
    ) -> ChosenEnvironment | None:
        """What was chosen the last time; None where it is not to be had any more."""
        plan = next((one for one in plans if one.name == known.plan), None)
        way = next((one for one in ways if one.text == known.text), None)
        if plan is None or way is None:
            return None
        try:
            environment = self.environments.build(plan.with_needed(known.added))
            return self._unrun(environment, way)
        except EnvironmentBuildFailed:
            return None

    def _unrun(self, environment: PreparedEnvironment, way: Way) -> ChosenEnvironment:
        """``way``, with nothing run."""
        beds = self.beds_of(environment, way)
        return ChosenEnvironment(way=way, environment=environment, beds=beds, held=ExitStack())


def _better(
    best: tuple[BuildPlan, ChosenEnvironment] | None, other: tuple[BuildPlan, ChosenEnvironment]
) -> tuple[BuildPlan, ChosenEnvironment]:
    """The one with which more tests pass, the first of two alike; the sandbox of the other is closed."""
    if best is None:
        return other
    kept, dropped = (other, best) if other[1].rank > best[1].rank else (best, other)
    dropped[1].held.close()
    return kept


def _counts(chosen: ChosenEnvironment) -> str:
    found = chosen.judgement
    if found is None:
        return "as before"
    if not found.ran:
        problem = chosen.report.problem if chosen.report else ""
        return problem or "no test ran"
    missing = f", {found.environmental} of them for want of a package" if found.environmental else ""
    return f"{found.passing} tests pass, {found.failing} fail{missing}"
