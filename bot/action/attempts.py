"""Tries to repair what one failed job after the other shows, until there is a patch or a failure to report.

All of them share one time budget; what it takes to build each environment has a budget of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot import compose
from bot.action.logs import JobLog
from bot.action.ranking import distinct
from bot.action.version import Version, Versions
from bot.config.settings import Settings
from bot.errors import DeliveryError, NoTestsFound, RegreenError
from bot.ports import Progress
from bot.result import Outcome, RepairResult
from bot.triage.log import is_for_repair
from sandbox.errors import EnvironmentBuildFailed, SandboxError

MAX_TRIED = 3
"""Jobs that a repair is tried for."""

LEAST_SHARE = 0.1
"""Of the time budget: with less left, no further job is tried."""

MAX_NAMED = 6
"""Other jobs that are named in a reason."""

# After these, another job may show more.
_GO_ON = frozenset({Outcome.NOT_REPRODUCED, Outcome.NOT_CODE, Outcome.FLAKY})
_MAX_USEFUL = (
    *(Outcome.PATCHED, Outcome.NO_PATCH, Outcome.BUDGET_EXHAUSTED),
    *(Outcome.FLAKY, Outcome.NOT_REPRODUCED, Outcome.NOT_CODE),
)
_IN_WORDS = {
    Outcome.NOT_REPRODUCED: "not reproduced",
    Outcome.NOT_CODE: "not the code's doing",
    Outcome.FLAKY: "flaky",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAttempt:
    """The most useful of the tries: a result, the job that it is for (None without any log), and its files.

    ``notes`` are clauses for people on what the tests ran on and what came of the other jobs.
    """

    log: JobLog | None
    version: Version
    result: RepairResult
    notes: tuple[str, ...] = ()

    @property
    def shown(self) -> RepairResult:
        """The result with a reason that names the job, and holds the notes."""
        named = f"{self.result.reason} (the job `{self.log.name}`)" if self.log else self.result.reason
        return replace(self.result, reason="; ".join([named, *self.notes]))


def first_patch(  # noqa: PLR0913 - what a repair is made of
    logs: Sequence[JobLog],
    versions: Versions,
    settings: Settings,
    progress: Progress,
    *,
    diff: str,
    tests: tuple[str, ...] = (),
) -> JobAttempt:
    """Try the jobs of ``logs``, the likeliest first, until there is a patch, or a failure that shows here.

    ``tests`` are those to repair, where a person names them.

    Raises:
        RegreenError: the settings cannot be used, the model fails, or no job has a test that can be run.
        sandbox.errors.SandboxError: no sandbox is to be had, it failed, or no environment could be built.
    """
    tries = [log for log in distinct(logs) if is_for_repair(log.answer)][:MAX_TRIED] or [*logs[:1], None][:1]
    found: list[JobAttempt] = []
    failures: list[tuple[JobLog | None, RegreenError | SandboxError]] = []
    left = settings.time_budget
    for log in tries:
        if left < LEAST_SHARE * settings.time_budget:
            break
        if log and len(tries) > 1:
            progress.stage("job", log.name)
        try:
            attempt = _attempt(log, versions, replace(settings, time_budget=left), progress, diff, tests)
        except (EnvironmentBuildFailed, NoTestsFound) as error:
            progress.stage("job", f"{log.name if log else 'the tests'}: {error}")
            failures.append((log, error))
            continue
        found.append(attempt)
        left -= attempt.result.seconds
        if attempt.result.outcome not in _GO_ON:
            break
    if not found:
        raise failures[0][1]
    return _best(found, failures, logs)


def _attempt(  # noqa: PLR0913, PLR0917 - what one is made of
    log: JobLog | None,
    versions: Versions,
    settings: Settings,
    progress: Progress,
    diff: str,
    tests: tuple[str, ...],
) -> JobAttempt:
    version = versions.tested_by(log)
    origin = compose.VersionOrigin(
        diff=diff,
        said=versions.subject.said,
        asked=versions.asked,
        earlier=versions.earlier,
        job=log.job.name if log else "",
        log=log.answer.reading if log else None,
        as_of=version.as_of,
        frozen=version.frozen,
        tests=tests,
        accepted=versions.accepted,
    )
    result = compose.fix(settings, progress, snapshot=version.snapshot, origin=origin).result
    here, head = version.snapshot.files, versions.head.snapshot.files
    if result.patch and any(here.get(path) != head.get(path) for path in result.patch.paths):
        raise DeliveryError("the patch is for other files than the head's: it cannot be handed over")
    if result.adapted and any(here.get(path) != head.get(path) for path in result.adapted.paths):
        result = replace(result, adapted=None, adapted_diff="")
    return JobAttempt(log=log, version=version, result=result)


def _best(
    found: Sequence[JobAttempt],
    failures: Sequence[tuple[JobLog | None, RegreenError | SandboxError]],
    logs: Sequence[JobLog],
) -> JobAttempt:
    best = min(found, key=lambda one: _MAX_USEFUL.index(one.result.outcome))
    came = {one.log.job.id: _IN_WORDS[one.result.outcome] for one in found if one.log and one is not best}
    came |= {log.job.id: "its tests cannot be run here" for log, _ in failures if log}
    others = [log for log in logs if best.log is None or log.job.id != best.log.job.id]
    tried = [*(one.log for one in found), *(log for log, _ in failures)]
    said = [f"`{log.name}`: {came.get(log.job.id) or _untried(log, tried)}" for log in others]
    more = [f"{len(said) - MAX_NAMED} more"] if len(said) > MAX_NAMED else []
    notes = [best.version.note] if best.version.note else []
    if said:
        notes.append(f"other failed jobs: {', '.join([*said[:MAX_NAMED], *more])}")
    result = replace(
        best.result,
        seconds=sum(one.result.seconds for one in found),
        attempts=sum(one.result.attempts for one in found),
    )
    return replace(best, result=result, notes=tuple(notes))


def _untried(log: JobLog, tried: Sequence[JobLog | None]) -> str:
    """What is known of a job that no repair was tried for."""
    if not is_for_repair(log.answer):
        return f"`{log.answer.verdict.name}`"
    tests = frozenset(log.answer.tests)
    same = next((one for one in tried if one and tests and frozenset(one.answer.tests) == tests), None)
    return f"the same tests as `{same.name}`" if same else "not tried"
