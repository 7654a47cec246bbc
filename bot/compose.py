"""The composition root of ``regreen fix``: settings in, adapters built, one repair, its result out."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bot import __version__
from bot.agent.checkpoint import RunStore
from bot.domain import Outcome, Patch, RepairResult
from bot.engine import repair
from bot.errors import ConfigurationError, NoTestsFound
from bot.lintfix import LintCommand, checks_of_log, mend
from bot.lintfix.run import Bench
from bot.patch.diff import unified_diff
from bot.patch.policy import PROTECTED, Policy
from bot.patch.text import decode
from bot.ports import ChatBackend, Progress
from bot.request import Budget, RepairRequest
from bot.settings import Settings
from bot.testbeds import testbeds, varied
from bot.trajectory.recorder import Recorder, recorded
from bot.triage import Kind
from bot.triage.log import LogAnswer, ask, is_for_repair
from sandbox.command import PytestCommand, TestCommand, parse
from sandbox.resolve import Resolved, resolve
from sandbox.snapshot import Snapshot, take


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A result with the snapshot that it holds for."""

    result: RepairResult
    snapshot: Snapshot


def fix(
    settings: Settings, progress: Progress, *, snapshot: Snapshot | None = None, diff: str = ""
) -> Repaired:
    """Repair the project that ``settings`` name; the working tree is not touched.

    ``snapshot`` is the project's files where they are read already, and ``diff`` the change that broke the
    tests where it is known.

    Raises:
        RegreenError: the settings cannot be used, or the model fails.
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    snapshot = snapshot or take(settings.project)
    if not _sources(snapshot):
        raise ConfigurationError(f"not a Python repository: there is no .py file in {settings.project}")
    with recorded(settings, _run_name(settings, snapshot, ()), progress) as recorder:
        result = _fix(settings, snapshot, recorder, diff)
        recorder.finish(result)
    return Repaired(result=result, snapshot=snapshot)


def _fix(settings: Settings, snapshot: Snapshot, recorder: Recorder, diff: str) -> RepairResult:
    """The repair by the command of the log, where there is one, and by pytest where that sees nothing."""
    answer = ask(settings.log, snapshot.files) if settings.log else None
    if answer and not is_for_repair(answer):
        return _not_for_repair(answer)
    store = RunStore(settings.state_folder)
    store.forget_stale()
    usual = _trial(settings, snapshot, settings.test_command, answer)
    command = answer.test_command(isolated=settings.sandbox != "process") if answer else ""
    as_in_log = (
        _trial(settings, snapshot, command, answer)
        if answer and answer.command and command and not settings.test_command
        else None
    )
    # A run that was killed in the second of its two trials is done with the first.
    if as_in_log and not (settings.resume and store.exists(usual.run)):
        assert answer
        assert answer.command
        recorder.progress.stage("tests", f"run by the command that is {answer.command.source}: {command}")
        try:
            result = _repair(settings, snapshot, as_in_log, store, recorder, diff)
            why = result.reason
            if result.outcome is not Outcome.NOT_REPRODUCED or _has_seen(result, answer.tests):
                return result
        except NoTestsFound as error:
            why = str(error)
        # What CI ran may need what only CI has; pytest by itself may still see the failure.
        recorder.progress.stage("tests", f"once more, with pytest itself: {why}")
        settings = replace(settings, resume=False)  # what was resumed came to its end
    return _repair(settings, snapshot, usual, store, recorder, diff)


def _has_seen(result: RepairResult, tests: tuple[str, ...]) -> bool:
    """Whether any of ``tests`` was run, and passed: the command is right, and the failure is not here."""
    passing = {test.test.partition("[")[0] for test in result.baseline.passing}
    return any(test.partition("[")[0] in passing for test in tests)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """One way to run the tests: how, those that the log names, and under which name it is resumed."""

    command: Resolved
    tests: tuple[str, ...]
    run: str


def _trial(settings: Settings, snapshot: Snapshot, command: str, answer: LogAnswer | None) -> _Trial:
    """The tests run by ``command``; an empty one is pytest."""
    resolved = resolve(_command(command), snapshot)
    # Any other command is one test, whatever the log calls those in it.
    tests = answer.tests if answer and isinstance(resolved.command, PytestCommand) else ()
    return _Trial(command=resolved, tests=tests, run=_run_name(settings, snapshot, (command, *tests)))


def _repair(  # noqa: PLR0913, PLR0917 - what ``fix`` knows, for either of its two trials
    settings: Settings,
    snapshot: Snapshot,
    trial: _Trial,
    store: RunStore,
    recorder: Recorder,
    diff: str,
) -> RepairResult:
    """One repair with the tests run as ``trial`` says."""
    sources, progress = _sources(snapshot), recorder.progress
    if trial.command.note:
        progress.stage("tests", trial.command.note)
    with ExitStack() as resources:
        resources.enter_context(store.claim(trial.run))
        if settings.resume and not store.exists(trial.run):
            raise ConfigurationError(
                "nothing to resume: the last run ended, or the project or the options changed since; "
                "run again without --resume"
            )
        if settings.resume:
            store.check(trial.run)
        else:
            store.forget(trial.run)
        beds = testbeds(settings, snapshot, trial.command.command, progress, resources)
        result = repair(
            _request(settings, trial.tests, diff),
            sources=sources,
            testbeds=beds,
            progress=progress,
            clock=time.monotonic,
            policy=Policy(protected=(*PROTECTED, *trial.command.test_files)),
            backends=(
                partial(_backends, settings, progress, resources)
                if settings.strategy != "search" or settings.critic != "off"
                else None
            ),
            trajectory=recorder.trajectory,
            checkpointer=resources.enter_context(store.open(trial.run)),
            resume=settings.resume,
            workers=settings.workers,
            varied=partial(varied, beds),
        )
        store.forget(trial.run)
    return _from_repository_root(result, settings.project, snapshot)


def _request(settings: Settings, tests: tuple[str, ...], diff: str) -> RepairRequest:
    return RepairRequest(
        strategy=settings.strategy,
        tests=tests,
        budget=Budget(
            attempts=settings.max_attempts,
            seconds=settings.time_budget,
            tokens=settings.max_tokens,
            cost=settings.max_cost,
        ),
        search=settings.search,
        model=settings.model_options,
        diff=diff,
    )


def lint_fix(settings: Settings, checks: tuple[LintCommand, ...], progress: Progress) -> Repaired:
    """Mend what ``checks`` complain about, by the tools themselves; without any, what failed in the log.

    Raises:
        RegreenError: the settings cannot be used, or no check is known that could mend.
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    snapshot = take(settings.project)
    chosen = checks or (checks_of_log(ask(settings.log, snapshot.files).reading) if settings.log else ())
    if not chosen:
        raise ConfigurationError(
            "no check that can mend: pass --check with a call of 'ruff check', 'ruff format', 'black' or "
            "'isort', or --log with the log of a job in which one failed"
        )
    with ExitStack() as resources:
        command = resolve(_command(settings.test_command), snapshot).command
        beds = testbeds(settings, snapshot, command, progress, resources)
        bench = Bench(
            testbeds=beds, files=snapshot.files, progress=progress, timeout_s=settings.suite_timeout
        )
        result = mend(chosen, bench)
    return Repaired(result=_from_repository_root(result, settings.project, snapshot), snapshot=snapshot)


def _from_repository_root(result: RepairResult, project: Path, snapshot: Snapshot) -> RepairResult:
    """``result`` with a diff as git writes and reads it: paths from the top of the work tree around."""
    top = next((folder for folder in (project, *project.parents) if (folder / ".git").exists()), project)
    if result.patch is None or top == project:
        return result
    prefix = project.relative_to(top).as_posix()
    edits = tuple(replace(edit, path=f"{prefix}/{edit.path}") for edit in result.patch.edits)
    files = snapshot.files
    moved = {f"{prefix}/{path}": decode(files[path]) for path in result.patch.paths if path in files}
    return replace(result, diff=unified_diff(Patch(edits=edits), moved))


def _sources(snapshot: Snapshot) -> Mapping[str, str]:
    return {path: decode(data) for path, data in snapshot.files.items() if path.endswith(".py")}


def _not_for_repair(answer: LogAnswer) -> RepairResult:
    outcome = Outcome.FLAKY if answer.verdict.kind is Kind.FLAKY else Outcome.NOT_CODE
    reason = f"the log shows no failing test that a patch to the code would mend: {answer.reason}"
    return RepairResult(outcome=outcome, reason=reason)


def _command(text: str) -> TestCommand:
    if not text:
        return PytestCommand()
    try:
        return parse(text)
    except ValueError as error:
        raise ConfigurationError(f"--test-command: {error}") from error


def _run_name(settings: Settings, snapshot: Snapshot, chosen: tuple[str, ...]) -> str:
    inputs = (
        *(__version__, settings.project, settings.strategy, settings.model),
        *(settings.backend, settings.base_url, settings.provider, settings.model_revision, settings.replay),
        *(settings.sandbox, settings.sandbox_image, settings.sandbox_python, settings.setup_command),
        *(settings.base_image, settings.sandbox_runtime, settings.limits, *chosen),
        *(settings.search, settings.model_options),
    )
    text = "\0".join([snapshot.digest, *map(str, inputs)])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _backends(
    settings: Settings, progress: Progress, resources: ExitStack, remaining: Callable[[], float]
) -> Sequence[ChatBackend]:
    from bot.backends.choose import backends

    return backends(settings, progress, resources, remaining=remaining)
