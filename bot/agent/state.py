"""What the loop knows, and what it works with.

``RepairState`` is data: it is written to the checkpoint after each node. ``RepairContext`` holds the
ports and is made anew by each process; nothing in it is saved.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from bot.agent.model.briefing.tokens import TokenMeter
from bot.agent.proof.ahead import ProofAhead
from bot.agent.proof.beside import Beside, EarlyProofs, Rehearsal
from bot.agent.timing.bounded import Bounded, BoundedTestbeds
from bot.agent.timing.deadlines import Phase, end_of
from bot.agent.timing.profile import Profile
from bot.agent.timing.stopwatch import Stopwatch
from bot.agent.trial.callers import Callers
from bot.agent.trial.drawn import Drawn
from bot.agent.trial.pace import Pace
from bot.agent.trial.workers import Workers
from bot.domain import (
    Attempt,
    Base,
    Baseline,
    Candidate,
    Culprit,
    OutdatedTest,
    Patch,
    RuledOut,
    Suspicion,
    TriedNeighbours,
    Usage,
)
from bot.patch.policy.gate import Judgement, Policy
from bot.ports import ChatBackend, CodingAgent, Progress, Testbed, TestbedFactory, Trajectory
from bot.request import RepairRequest
from bot.result import Choice, Evidence, Outcome
from sandbox.reports import TestReport, TestResult

SEARCH = "search"  # the strategy that tries thousands and asks no model
HYBRID = "hybrid"  # that one first, then a model
CULPRIT = "culprit"  # the one that only explains
PROVE = "prove"  # the one that judges a given patch
AGENT = "agent"  # the one that lets a coding agent work


def searches(request: RepairRequest) -> bool:
    """Whether thousands of candidates will be tried, so that what makes each quick pays."""
    return request.strategy in {SEARCH, HYBRID}


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairState:
    """The state of one repair.

    ``untied`` are failing tests that no source line can be tied to (``bot.agent.baseline.untied``).
    ``drawn`` counts the candidates taken from the search's stream, which is regenerated and skipped
    that far on resumption. ``refuted`` are plausible patches that validation turned down. ``chosen`` is
    the smallest part of ``unshrunk``, which is one of the plausible patches. ``first_plausible_at`` and
    ``last_…`` are in seconds, ``first_plausible_attempt`` a number from 1. ``elapsed`` are the seconds spent
    up to the last finished node, earlier processes included. ``reference`` is how the deciding tests end
    without a change; ``bases`` are the attempts that are built upon, in the order in which they became known.
    ``hanging`` are candidates to be tried again with more time. ``turn`` is the model's turn, from 1;
    ``drafted`` counts the drafts that were asked for in it. ``reply`` is what the model said last. ``tier``
    is the place of the model that is asked among the backends, ``gone`` are those of models that are not to
    be had any more; ``lost`` says why none answers.
    ``searched`` is the number of bases with which the search before a model's turns had nothing left to
    propose; -1 until then. ``filled``: a model was asked to fill gaps. ``calls`` says that the model answers
    by calling a tool. ``ready_at`` is when the search could begin, in seconds. ``rehearsed`` says that the
    baseline has no tests any more that do not come back. ``culprit`` is the part of the suspected change that
    makes tests fail; ``outdated`` are tests that it means to fail, ``adapted`` the change of what they expect
    by which they pass. ``cause`` is the subkind of ``NOT_CODE`` where that has one. ``looked_around`` says
    that all neighbours of the first plausible patch were drawn; ``around`` is what came of those of a patch
    that the search did not make.
    """

    baseline: Baseline = field(default_factory=Baseline)
    suspicions: tuple[Suspicion, ...] = ()
    untied: tuple[str, ...] = ()
    drawn: int = 0
    exhausted: bool = False
    turn: int = 0
    drafted: int = 0
    plan: str = ""
    reply: str = ""
    tier: int = 0
    gone: tuple[int, ...] = ()
    lost: str = ""
    vetoes: int = 0
    searched: int = -1
    filled: bool = False
    calls: bool = False
    candidates: tuple[Candidate, ...] = ()
    attempts: int = 0
    history: tuple[Attempt, ...] = ()
    plausible: tuple[Attempt, ...] = ()
    refuted: tuple[Patch, ...] = ()
    first_plausible_at: float | None = None
    last_plausible_at: float | None = None
    first_plausible_attempt: int | None = None
    first_plausible_turn: int | None = None
    first_plausible_drawn: int | None = None
    looked_around: bool = False
    around: TriedNeighbours | None = None
    best_partial: Attempt | None = None
    reference: tuple[TestResult, ...] = ()
    bases: tuple[Base, ...] = ()
    hanging: tuple[Candidate, ...] = ()
    ruled_out: RuledOut = field(default_factory=RuledOut)
    chosen: Attempt | None = None
    unshrunk: Patch | None = None
    evidence: Evidence | None = None
    choice: Choice | None = None
    outcome: Outcome | None = None
    reason: str = ""
    cause: str = ""
    usage: Usage = field(default_factory=Usage)
    usage_by_model: tuple[tuple[str, Usage], ...] = ()
    elapsed: float = 0.0
    ready_at: float = 0.0
    rehearsed: bool = False
    culprit: Culprit | None = None
    outdated: tuple[OutdatedTest, ...] = ()
    adapted: Patch | None = None


def begun_again(state: RepairState, baseline: Baseline, *, elapsed: float, rehearsed: bool) -> dict[str, Any]:
    """The update by which a search begins again with ``baseline``: candidates were judged by another."""
    afresh = RepairState(
        baseline=baseline,
        suspicions=state.suspicions,
        untied=state.untied,
        culprit=state.culprit,
        outdated=state.outdated,
        attempts=state.attempts,
        ruled_out=state.ruled_out,
        ready_at=state.ready_at,
        rehearsed=rehearsed,
        elapsed=elapsed,
    )
    return {one.name: getattr(afresh, one.name) for one in fields(afresh)}


class NoTrajectory:
    """``ports.Trajectory`` of a run that nobody wants to read later."""

    def note(self, kind: str, **fields: object) -> None:
        """Forget it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairContext:
    """The ports and the inputs of one repair.

    ``sources`` are the project's Python files (see ``bot.domain`` for how they are decoded);
    ``testbed`` is warm, ``workers`` evaluate with it and its like, ``testbeds`` opens fresh ones for
    validation; ``varied`` gives such as set some variables otherwise, where that can be had;
    ``base_testbeds`` hold the version that the project is compared with.
    ``test_literals`` gives the particular values that stand in the tests. ``backends`` are the models, from
    cheap to strong; none where the strategy asks none. ``coding_agent`` works where the strategy is its.
    ``callers`` knows which tests a patch may break, ``drawn`` is where the search's candidates come from,
    ``judgements`` what the policy says of the patches that it was asked about.
    ``first_run`` is a whole run in ``testbed`` that took place before, where there was one. ``rehearsal`` and
    ``early`` are at work beside the search, each in a fresh testbed; ``ahead`` has one for the latter.
    """

    request: RepairRequest
    sources: Mapping[str, str]
    testbed: Testbed
    testbeds: TestbedFactory
    workers: Workers
    progress: Progress
    stopwatch: Stopwatch
    policy: Policy
    backends: tuple[ChatBackend, ...] = ()
    coding_agent: CodingAgent | None = None
    trajectory: Trajectory = field(default_factory=NoTrajectory)
    pace: Pace = field(default_factory=Pace)
    callers: Callers = field(default_factory=Callers)
    drawn: Drawn = field(default_factory=Drawn)
    profile: Profile = field(default_factory=Profile)
    rehearsal: Rehearsal = field(default_factory=Rehearsal)
    early: EarlyProofs = field(default_factory=EarlyProofs)
    ahead: ProofAhead = field(default_factory=ProofAhead)
    tokens: TokenMeter = field(default_factory=TokenMeter)
    judgements: dict[Patch, Beside[Judgement]] = field(default_factory=dict)
    test_literals: Callable[[], frozenset[object]] = frozenset
    varied: Callable[[Mapping[str, str]], TestbedFactory] | None = None
    base_testbeds: TestbedFactory | None = None
    first_run: TestReport | None = None

    def within(self, phase: Phase, baseline: Baseline | None = None) -> RepairContext:
        """This context with testbeds whose runs end by the deadline of ``phase``."""

        def all_bounded(testbeds: TestbedFactory) -> TestbedFactory:
            inner = testbeds.testbeds if isinstance(testbeds, BoundedTestbeds) else testbeds
            return BoundedTestbeds(inner, lambda: self.left(phase, baseline), phase, self.profile)

        varied = self.varied
        return dataclasses.replace(
            self,
            testbed=self.bounded(self.testbed, phase, baseline),
            testbeds=all_bounded(self.testbeds),
            varied=varied and (lambda variables: all_bounded(varied(variables))),
            base_testbeds=self.base_testbeds and all_bounded(self.base_testbeds),
        )

    def bounded(self, testbed: Testbed, phase: Phase, baseline: Baseline | None) -> Testbed:
        """``testbed``, its runs ending by the deadline of ``phase``."""
        inner = testbed.testbed if isinstance(testbed, Bounded) else testbed
        return Bounded(inner, lambda: self.left(phase, baseline), phase, self.profile)

    def left(self, phase: Phase, baseline: Baseline | None = None) -> float:
        """Seconds until ``phase`` has to be over."""
        budget = self.request.budget.seconds
        if not budget:
            return math.inf
        end = end_of(phase, budget, baseline or Baseline(), repeats=self.request.repeats)
        return end - self.stopwatch.elapsed

    def budget_spent(self) -> bool:
        """Whether the time is over, whatever else is left."""
        return bool(self.trial_reason(RepairState()))

    def budget_reason(self, state: RepairState) -> str:
        """Which limit is reached, in words; empty while there is budget left. The only place that asks."""
        # What ends a model's turns does not end the search that comes after them.
        asks = self.request.strategy not in {SEARCH, HYBRID}
        return self.trial_reason(state) or (self.model_reason(state) if asks else "")

    def trial_reason(self, state: RepairState) -> str:
        """Why nothing more is tried, in words: what a model was paid for still is, in its last turn too."""
        budget = self.request.budget
        if self.left(Phase.SEARCH, state.baseline) <= 0:
            kept = budget.seconds - self.stopwatch.elapsed
            for_proof = f" ({kept:.0f} s of it are kept for the proof)" if kept >= 1 else ""
            return f"the time budget of {budget.seconds:g} s ended while {phase_of(state)}{for_proof}"
        if self.request.strategy == SEARCH and budget.attempts and state.attempts >= budget.attempts:
            return f"the limit of {budget.attempts} attempts is reached"
        return ""

    def model_reason(self, state: RepairState) -> str:
        """Why a model gets no further turn, in words; empty while it does."""
        budget = self.request.budget
        if turns_used(state, self.request):
            return f"the limit of {budget.attempts} attempts is reached"
        return self.usage_reason(state.usage)

    def usage_reason(self, usage: Usage) -> str:
        """Why no model is asked anything more, in words; empty while one may be."""
        budget = self.request.budget
        if budget.tokens and usage.tokens >= budget.tokens:
            return f"the budget of {budget.tokens} tokens is used up"
        if budget.cost and usage.cost >= budget.cost:
            return f"the budget of {budget.cost:g} US dollars is used up"
        return ""


def phase_of(state: RepairState) -> Phase:
    """The phase in which a repair is that has come to ``state``."""
    if not state.baseline.runs:
        return Phase.REPRODUCE
    if state.chosen is not None:
        return Phase.VALIDATE
    if state.attempts or state.candidates or state.exhausted or state.turn:
        return Phase.SEARCH
    return Phase.SEARCH if state.suspicions else Phase.LOCALISE


def drafts_left(state: RepairState, request: RepairRequest) -> bool:
    """Whether this turn has another draft: the first one has several, by one question."""
    return state.turn >= 1 and state.drafted < (request.model.drafts if state.turn == 1 else 1)


def turns_used(state: RepairState, request: RepairRequest) -> bool:
    """Whether a model has had all its turns."""
    limit = request.budget.attempts
    return bool(limit) and (state.turn > limit or (state.turn == limit and not drafts_left(state, request)))
