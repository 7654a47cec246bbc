"""The composition root of ``regreen fix``: settings in, adapters built, one repair, its result out."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from bot.agent.baseline.apart import absent_from
from bot.agent.baseline.sample import near_change
from bot.agent.checkpoint import RunStore
from bot.agent.state import AGENT, CULPRIT, PROVE, SEARCH
from bot.backends.coding_agents.choose import check_agent, coding_agent
from bot.causes.exceptions import top_level_names
from bot.cilog.model import LogReading
from bot.config.run_name import run_name
from bot.config.settings import Settings
from bot.domain import Patch
from bot.engine import load_ahead, repair
from bot.environments.chooser import Chooser
from bot.environments.chosen import ChosenEnvironment
from bot.environments.last_failed import last_failed
from bot.environments.memory import Memory
from bot.environments.nodes import connect, worker_options
from bot.environments.testbeds import beds_of, overrides, varied, with_sandbox
from bot.environments.versions.checkout import as_of
from bot.environments.versions.compared import ComparedVersion, EarlierFiles, changed_paths, compared_version
from bot.environments.versions.repository_root import from_repository_root
from bot.environments.ways import ways
from bot.errors import ConfigurationError
from bot.internal_errors import InternalErrors, collected
from bot.patch.policy.files.own_rules import own_rules
from bot.patch.policy.gate import PROTECTED, Policy
from bot.patch.text import decode
from bot.ports import ChatBackend, Progress
from bot.request import Budget, RepairRequest
from bot.result import Outcome, RepairResult
from bot.trajectory.recorder import Recorder, recorded
from bot.triage import CauseKind
from bot.triage.log import LogAnswer, is_for_repair, judge, scan
from sandbox.base import SandboxProvider
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.plans.candidate_plans import CiRecord
from sandbox.environment.prepare import Environments
from sandbox.snapshot import Snapshot, take


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionOrigin:
    """What is known of a project's version beside its files.

    ``diff`` is the change that broke the tests, ``said`` what its author says of it, ``earlier`` the
    version before where that is known. A person ``asked`` for the repair, or nobody did. ``job`` is the
    failed job's name as GitHub shows it, ``log`` its log where that is read already. ``given`` is a patch
    to judge, where none is to be looked for. ``as_of`` (RFC 3339) is the time of an old version, empty for
    a recent one; None to find it in the project's directory. ``frozen`` are paths that no patch touches.
    ``tests`` are those to repair where a person names them. ``accepted``: see ``bot.request.SearchOptions``.
    """

    diff: str = ""
    said: tuple[str, ...] = ()
    given: Patch | None = None
    earlier: EarlierFiles | None = None
    asked: bool = True
    job: str = ""
    log: LogReading | None = None
    as_of: str | None = None
    frozen: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A result with the snapshot that it holds for."""

    result: RepairResult
    snapshot: Snapshot


NOTHING_KNOWN = VersionOrigin()


def fix(
    settings: Settings,
    progress: Progress,
    *,
    snapshot: Snapshot | None = None,
    origin: VersionOrigin = NOTHING_KNOWN,
) -> Repaired:
    """Repair the project that ``settings`` name; the working tree is not touched.

    ``snapshot`` is the project's files where they are read already, and ``origin`` what else is known.

    Raises:
        RegreenError: the settings cannot be used, or the model fails.
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    snapshot = snapshot or take(settings.project)
    if not _sources(snapshot):
        raise ConfigurationError(f"not a Python repository: there is no .py file in {settings.project}")
    with recorded(settings, run_name(settings, snapshot, ()), progress) as recorder:
        with collected() as defects:
            try:
                result = _fix(settings, snapshot, recorder, origin)
            finally:
                say(defects, recorder.progress)
        result = replace(result, internal_errors=defects.found)
        recorder.finish(result)
    return Repaired(result=result, snapshot=snapshot)


def say(defects: InternalErrors, progress: Progress) -> None:
    """A line for each defect that cost a part of the run."""
    for defect in defects.found:
        progress.stage("internal error", str(defect))


def _fix(settings: Settings, snapshot: Snapshot, recorder: Recorder, origin: VersionOrigin) -> RepairResult:
    """The repair in the environment, and by the command, with which the tests run best."""
    log = origin.log or (scan(settings.log) if settings.log else None)
    where = settings.tests_directory
    answer = judge(log, snapshot.files, job=origin.job, working_directory=where) if log else None
    if answer and not is_for_repair(answer):
        return _not_for_repair(answer)
    check_agent(settings)
    store = RunStore(settings.state_directory)
    store.forget_stale()
    load_ahead(settings.strategy)
    with ExitStack() as resources:
        connect(settings, resources)
        chosen = choose(
            settings, snapshot, recorder.progress, resources=resources, answer=answer, origin=origin
        )
        return _repair(settings, chosen, store, recorder, origin)


def choose(  # noqa: PLR0913 - what the choice depends on
    settings: Settings,
    snapshot: Snapshot,
    progress: Progress,
    *,
    resources: ExitStack,
    answer: LogAnswer | None = None,
    origin: VersionOrigin = NOTHING_KNOWN,
) -> ChosenEnvironment:
    """The environment and the command with which ``fix`` runs the tests; ``resources`` closes what is open.

    Raises:
        RegreenError: the settings cannot be used.
        sandbox.errors.SandboxError: no sandbox or no environment is to be had.
    """
    chosen = with_sandbox(
        settings,
        progress,
        resources,
        lambda provider: _chosen(settings, snapshot, answer, provider, progress, origin),
    )
    resources.callback(chosen.held.close)
    return chosen


def _chosen(  # noqa: PLR0913, PLR0917 - what the choice depends on
    settings: Settings,
    snapshot: Snapshot,
    answer: LogAnswer | None,
    provider: SandboxProvider,
    progress: Progress,
    origin: VersionOrigin,
) -> ChosenEnvironment:
    """How the tests are run in sandboxes of ``provider``."""
    record = answer.record if answer else CiRecord()
    now = datetime.now(UTC)
    time_limit = as_of(settings.project, now=now) if origin.as_of is None else origin.as_of
    environments = Environments(
        snapshot=snapshot,
        provider=provider,
        overrides=overrides(settings),
        cache=EnvironmentCache(settings.cache_directory / "environments"),
        notify=lambda line: progress.stage("environment", line),
        record=replace(record, job=origin.job),
        as_of=time_limit,
    )
    changed = changed_paths(settings, snapshot, diff=origin.diff, earlier=origin.earlier)
    chooser = Chooser(
        environments=environments,
        snapshot=snapshot,
        own=top_level_names(snapshot.files),
        beds_of=lambda prepared, way: beds_of(settings, provider, prepared, way.command.command, progress),
        progress=progress,
        memory=Memory(directory=settings.cache_directory / "choices"),
        seconds=settings.build_timeout,
        now=now,
        budget=settings.time_budget,
        near=(*last_failed(settings.project), *near_change(changed, _sources(snapshot))),
    )
    possible = ways(settings, snapshot, answer, environments.job, named=origin.tests)
    return chooser.choose(possible, resume=settings.resume)


def _repair(
    settings: Settings, chosen: ChosenEnvironment, store: RunStore, recorder: Recorder, origin: VersionOrigin
) -> RepairResult:
    """One repair with the tests run as ``chosen`` says."""
    way, snapshot = chosen.way, chosen.environment.snapshot
    run = run_name(settings, snapshot, (way.text, *way.tests))
    sources, progress = _sources(snapshot, given=origin.given), recorder.progress
    base = compared_version(settings, sources, chosen, progress, diff=origin.diff, earlier=origin.earlier)
    if way.command.note:
        progress.stage("tests", way.command.note)
    with ExitStack() as resources:
        resources.enter_context(store.claim(run))
        if settings.resume and not store.exists(run):
            raise ConfigurationError(
                "nothing to resume: the last run ended, or the project or the options changed since; "
                "run again without --resume"
            )
        if settings.resume:
            store.check(run)
        else:
            store.forget(run)
        result = repair(
            replace(_request(settings, chosen, origin, base), absent=absent_from(snapshot.files)),
            sources=sources,
            testbeds=chosen.factory,
            progress=progress,
            clock=time.monotonic,
            policy=Policy(
                protected=(*PROTECTED, *chosen.test_files, *own_rules(snapshot.files)),
                frozen=frozenset(origin.frozen),
            ),
            backends=(
                partial(_backends, settings, progress, resources)
                if settings.strategy not in {SEARCH, CULPRIT, PROVE, AGENT}
                else None
            ),
            trajectory=recorder.trajectory,
            checkpointer=resources.enter_context(store.open(run)),
            resume=settings.resume,
            workers=worker_options(settings, chosen.beds, progress),
            varied=partial(varied, chosen.beds),
            base_testbeds=base.testbeds,
            first_run=chosen.report,
            spent=chosen.spent,
            coding_agent=resources.enter_context(coding_agent(settings, snapshot, progress)),
        )
        store.forget(run)
    result = replace(result, environment=chosen.environment.summary)
    return from_repository_root(result, settings.project, snapshot)


def _request(
    settings: Settings, chosen: ChosenEnvironment, origin: VersionOrigin, base: ComparedVersion
) -> RepairRequest:
    return RepairRequest(
        strategy=settings.strategy,
        tests=chosen.way.tests,
        apart=chosen.apart,
        base=base.version.sources,
        base_name=base.version.name,
        base_lacks=base.tree.lacks,
        base_whole=base.tree.whole,
        documents=(*origin.said, *base.documents),
        asked=origin.asked,
        budget=Budget(
            attempts=settings.max_attempts,
            seconds=settings.time_budget,
            tokens=settings.max_tokens,
            cost=settings.max_cost,
        ),
        search=replace(settings.search, accepted=origin.accepted),
        model=settings.model_options,
        diff=origin.diff,
        fix_tests=settings.fix_tests == "print",
        given=origin.given,
    )


def _sources(snapshot: Snapshot, *, given: Patch | None = None) -> Mapping[str, str]:
    # Data and documents that a given patch changes are judged as its code is.
    also = given.paths if given else ()
    return {
        path: decode(data) for path, data in snapshot.files.items() if path.endswith(".py") or path in also
    }


def _not_for_repair(answer: LogAnswer) -> RepairResult:
    outcome = Outcome.FLAKY if answer.verdict.kind is CauseKind.FLAKY else Outcome.NOT_CODE
    reason = f"the log shows no failing test that a patch to the code would fix: {answer.reason}"
    return RepairResult(outcome=outcome, reason=reason)


def _backends(
    settings: Settings, progress: Progress, resources: ExitStack, remaining: Callable[[], float]
) -> Sequence[ChatBackend]:
    from bot.backends.choose import backends

    return backends(settings, progress, resources, remaining=remaining)
