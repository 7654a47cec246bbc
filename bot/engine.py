"""One repair from request to result: wire the loop, run or resume it, read the answer off its state."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from bot.agent import routing
from bot.agent.policy_check import judged
from bot.agent.proof.beside import Beside, once
from bot.agent.state import NoTrajectory, RepairContext, RepairState
from bot.agent.timing.deadlines import Phase
from bot.agent.timing.stopwatch import Stopwatch
from bot.agent.trial.workers import WorkerOptions, Workers
from bot.domain import Attempt
from bot.patch.diff import unified_diff
from bot.patch.globs import matches
from bot.patch.policy.cheating.special_cases import literals_of
from bot.patch.policy.gate import Judgement, Policy, is_test_path
from bot.ports import ChatBackend, Clock, CodingAgent, Progress, Testbed, TestbedFactory, Trajectory
from bot.request import Budget, RepairRequest
from bot.result import Outcome, RepairResult
from bot.search.difference.mixtures import labelled
from sandbox.reports import TestReport

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from bot.agent.graph import Loop

# A loop's length is limited by its budget; the library's own limit must never be what ends it.
STEP_LIMIT = 1_000_000
CONFIG: RunnableConfig = {"configurable": {"thread_id": "repair"}, "recursion_limit": STEP_LIMIT}
PARTIALS_SHOWN = 5
# What is read of the tests for their literals: as much as can be parsed in about a second.
TEST_CHARACTERS = 3_000_000
_loops: dict[str, Beside[Loop]] = {}  # by strategy; a repair has nothing in them


def load_ahead(strategy: str) -> Beside[Loop]:
    """The loop, which is loaded and wired once while a sandbox opens: that takes half a second."""

    def load() -> Loop:
        try:
            from bot.agent.graph import build

            return build(strategy)
        except BaseException:
            _loops.pop(strategy, None)  # whoever waits for it hears of it
            raise

    made = _loops.setdefault(strategy, Beside("loop"))
    made.begin(load)
    return made


def repair(  # noqa: PLR0913 - the ports of the loop, each by its name
    request: RepairRequest,
    *,
    sources: Mapping[str, str],
    testbeds: TestbedFactory,
    progress: Progress,
    clock: Clock,
    policy: Policy | None = None,
    backends: Callable[[Callable[[], float]], Sequence[ChatBackend]] | None = None,
    trajectory: Trajectory | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    resume: bool = False,
    workers: WorkerOptions = WorkerOptions(),  # noqa: B008 - it is frozen
    varied: Callable[[Mapping[str, str]], TestbedFactory] | None = None,
    base_testbeds: TestbedFactory | None = None,
    first_run: TestReport | None = None,
    spent: float = 0.0,
    coding_agent: CodingAgent | None = None,
) -> RepairResult:
    """Repair the project that ``testbeds`` open and whose Python files are ``sources``.

    ``backends`` gives the models, from cheap to strong, for a function of the seconds that are left. The
    ``workers`` try candidates, with the result of one after the other. ``varied`` sets other variables;
    ``base_testbeds`` hold the base. ``first_run`` is a whole run, ``spent`` the seconds of tests before.

    Raises:
        ModelError: the strategy needs a model, and it cannot be used.
        sandbox.errors.SandboxError: the sandbox failed.
    """
    loop, stopwatch = _wired(request.strategy, checkpointer, clock, first_run, None if resume else spent)
    policy = policy or Policy()
    with _opened(testbeds, workers, progress) as (testbed, pool):
        context = RepairContext(
            request=request,
            sources=sources,
            testbed=testbed,
            testbeds=testbeds,
            workers=pool,
            progress=progress,
            stopwatch=stopwatch,
            policy=policy,
            backends=tuple(backends(partial(_remaining, request.budget, stopwatch))) if backends else (),
            trajectory=trajectory or NoTrajectory(),
            varied=varied,
            base_testbeds=base_testbeds,
            first_run=first_run,
            coding_agent=coding_agent,
            test_literals=once(partial(literals_of_tests, sources, policy)),
        )
        return _result(_run(loop, context, resume=resume, saved=checkpointer is not None), context)


@contextmanager
def _opened(
    testbeds: TestbedFactory, workers: WorkerOptions, progress: Progress
) -> Iterator[tuple[Testbed, Workers]]:
    progress.stage("sandbox", f"opening {testbeds.name}")
    with testbeds.open() as testbed, Workers(testbed, testbeds, workers, progress) as pool:
        yield testbed, pool


def _wired(
    strategy: str,
    checkpointer: BaseCheckpointSaver[Any] | None,
    clock: Clock,
    first_run: TestReport | None,
    spent: float | None,
) -> tuple[Loop, Stopwatch]:
    """The loop, and a stopwatch that starts after ``first_run`` and what else was ``spent``.

    Where that is None, it starts at the checkpoint's time.
    """
    loop = load_ahead(strategy).get().copy({"checkpointer": checkpointer})
    before = max(spent or 0.0, first_run.seconds if first_run else 0.0)
    earlier = loop.get_state(CONFIG).values.get("elapsed", 0.0) if spent is None else before
    return loop, Stopwatch(clock=clock, earlier=float(earlier))


def _remaining(budget: Budget, stopwatch: Stopwatch) -> float:
    return budget.seconds - stopwatch.elapsed if budget.seconds else math.inf


def _run(loop: Loop, context: RepairContext, *, resume: bool, saved: bool) -> RepairState:
    """The last state of ``loop``; a ``saved`` one is written while the next step is at work."""
    start = None if resume else RepairState()
    if context.first_run:
        context.profile.ran(Phase.REPRODUCE, context.first_run, context.first_run.seconds)
    with context.rehearsal, context.ahead, context.early:
        values = loop.invoke(start, CONFIG, context=context, durability="async" if saved else None)
    rows = [asdict(row) for row in context.profile.rows()]
    context.trajectory.note("profile", runs=rows, tests=[list(one) for one in context.profile.slowest()])
    return values if isinstance(values, RepairState) else RepairState(**values)


def _partials(state: RepairState) -> tuple[Attempt, ...]:
    known = [base.attempt for base in state.bases]
    if state.best_partial and state.best_partial not in known:
        known.append(state.best_partial)
    known.sort(key=lambda attempt: (-attempt.progress, -len(attempt.fixed)))
    return tuple(known[:PARTIALS_SHOWN])


def literals_of_tests(sources: Mapping[str, str], policy: Policy) -> frozenset[object]:
    """The particular values in the project's tests; those of the smaller files where there is very much."""
    tests = [text for path, text in sources.items() if is_test_path(path) or matches(path, policy.protected)]
    tests.sort(key=len)
    sizes = accumulate(map(len, tests))
    return literals_of(text for text, size in zip(tests, sizes, strict=True) if size <= TEST_CHARACTERS)


def _result(state: RepairState, context: RepairContext) -> RepairResult:
    patched = state.outcome is Outcome.PATCHED and state.chosen is not None
    chosen = state.chosen.candidate if patched and state.chosen else None
    judgement, sources, explanation = Judgement(), context.sources, ""
    if chosen:
        judgement = judged(chosen, context)
        culprit = state.culprit
        explanation = labelled(chosen, culprit.edits, sources) if culprit else chosen.explanation
    return RepairResult(
        outcome=state.outcome or Outcome.NO_PATCH,
        reason=state.reason,
        baseline=state.baseline,
        patch=chosen.patch if chosen else None,
        diff=unified_diff(chosen.patch, sources) if chosen else "",
        explanation=explanation,
        operator=chosen.origin if chosen and not (chosen.turn or chosen.gap) else "",
        warnings=judgement.shown,
        witnesses=judgement.witnesses,
        evidence=state.evidence if patched else None,
        choice=state.choice if patched else None,
        attempts=state.attempts,
        first_plausible_at=state.first_plausible_at,
        first_plausible_attempt=state.first_plausible_attempt,
        first_plausible_turn=state.first_plausible_turn,
        turns=state.turn,
        alternatives=routing.standing(state) - 1 if patched else 0,
        best_partial=state.best_partial,
        partials=() if patched else _partials(state),
        ruled_out=state.ruled_out,
        suspicions=state.suspicions[:20],
        culprit=state.culprit if state.culprit and state.culprit.shown else None,
        outdated=state.outdated,
        adapted=state.adapted,
        adapted_diff=unified_diff(state.adapted, sources) if state.adapted else "",
        cause=state.cause,
        usage=state.usage,
        usage_by_model=state.usage_by_model,
        seconds=context.stopwatch.elapsed,
    )
