"""The logs of what failed, and which of them a repair should begin with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.errors import NotFound
from bot.github.port import ChangedFile, GitHub, Job, WorkflowRun
from bot.ports import Progress
from bot.triage.log import LogAnswer, ask, is_for_repair
from sandbox.base import MIB

LOG_LIMIT_BYTES = 32 * MIB
JOBS_LIMIT = 10
DIFF_LIMIT = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLog:
    """A failed job with its log in a private file, and what that says."""

    run: WorkflowRun
    job: Job
    path: Path
    answer: LogAnswer


def choose(
    runs: Iterable[WorkflowRun],
    github: GitHub,
    *,
    files: Mapping[str, bytes],
    folder: Path,
    progress: Progress,
) -> JobLog | None:
    """The first failed job whose log shows something to repair; else the first that has a log.

    ``files`` are the project's; logs are kept in ``folder``. None where no failed job has a log.

    Raises:
        GitHubError: GitHub cannot be asked.
    """
    first: JobLog | None = None
    for run, job in _failed_jobs(runs, github):
        try:
            log = github.job_log(job.id, limit=LOG_LIMIT_BYTES)
        except NotFound as error:
            progress.stage("log", f"none of the job {job.name}: {error}")
            continue
        path = folder / f"job-{job.id}.log"
        path.write_bytes(log)
        read = JobLog(run=run, job=job, path=path, answer=ask(path, files))
        progress.stage("log", f"{job.name}: {read.answer.verdict.name}")
        if is_for_repair(read.answer):
            return read
        first = first or read
    return first


def _failed_jobs(runs: Iterable[WorkflowRun], github: GitHub) -> Iterator[tuple[WorkflowRun, Job]]:
    count = 0
    for run in runs:
        for job in github.failed_jobs(run.id):
            if count == JOBS_LIMIT:
                return
            count += 1
            yield run, job


def diff_of(files: Iterable[ChangedFile]) -> str:
    """The diff of a pull request as one text; files are left out beyond ``DIFF_LIMIT`` characters."""
    parts: list[str] = []
    size = 0
    for file in files:
        old, new = f"a/{file.previous_path or file.path}", f"b/{file.path}"
        before = "/dev/null" if file.status == "added" else old
        after = "/dev/null" if file.status == "removed" else new
        part = f"diff --git {old} {new}\n--- {before}\n+++ {after}\n{file.patch}\n"
        size += len(part)
        if size > DIFF_LIMIT:
            break
        if file.patch:
            parts.append(part)
    return "".join(parts)
