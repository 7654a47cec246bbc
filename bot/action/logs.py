"""The logs of the failed jobs, what each says, and the diff that may have broken the tests."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.errors import NotFound
from bot.github.client import GitHub
from bot.github.records import ChangedFile, Job, WorkflowRun
from bot.patch.text import one_line
from bot.ports import Progress
from bot.triage.log import LogAnswer, judge, scan
from sandbox.base import MIB

LOG_LIMIT_BYTES = 32 * MIB
JOBS_LIMIT = 10
"""Failed jobs whose logs are read."""

JOBS_LISTED = 300
"""Failed jobs that are listed, to choose among: a matrix has at most 256."""

DIFF_LIMIT = 200_000
MAX_FILES = 3_000
JOB_NAME = 80
# What actions/checkout shows before it runs git, behind the runner's time.
_CHECKOUT = re.compile(
    rb"^(?:\S{1,40} )?\[command\][^\r\n]{0,200}?\bgit(?:\.exe\")? checkout ([^\r\n]{0,500})", re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLog:
    """A failed job with its log in a private file, and what that says of the head."""

    run: WorkflowRun
    job: Job
    path: Path
    answer: LogAnswer

    @property
    def name(self) -> str:
        """The job's name for people: on one line, cut, and fit to stand between backticks."""
        return shown_name(self.job)


def shown_name(job: Job) -> str:
    """See ``JobLog.name``."""
    return one_line(job.name, limit=JOB_NAME).replace("`", "'") or "without a name"


def read_logs(
    runs: Iterable[WorkflowRun],
    github: GitHub,
    *,
    files: Mapping[str, bytes],
    directory: Path,
    progress: Progress,
) -> tuple[JobLog, ...]:
    """The logs of the failed jobs of ``runs``, those on Linux first; jobs without a log are left out.

    ``files`` are the project's; logs are kept in ``directory``.

    Raises:
        GitHubError: GitHub cannot be asked.
    """
    found: list[JobLog] = []
    for run, job in _failed_jobs(runs, github)[:JOBS_LIMIT]:
        try:
            log = github.job_log(job.id, limit=LOG_LIMIT_BYTES)
        except NotFound as error:
            progress.stage("log", f"none of the job {shown_name(job)}: {error}")
            continue
        path = directory / f"job-{job.id}.log"
        path.write_bytes(log)
        answer = judge(scan(path), files, job=job.name)
        found.append(JobLog(run=run, job=job, path=path, answer=answer))
        progress.stage("log", f"{found[-1].name}: {answer.verdict.name}")
    return tuple(found)


def _failed_jobs(runs: Iterable[WorkflowRun], github: GitHub) -> list[tuple[WorkflowRun, Job]]:
    found: list[tuple[WorkflowRun, Job]] = []
    for run in runs:
        if len(found) < JOBS_LISTED:
            found += [(run, job) for job in github.failed_jobs(run.id)]
    return sorted(found[:JOBS_LISTED], key=lambda one: not one[1].is_linux)


def checked_out(log: Path, pull: int) -> bool | None:
    """Whether a job tested the merge of the pull request with its base; None where its log does not say.

    A workflow may check out the head instead. The log is untrusted: it decides only on which of the two
    versions of the files the tests run.
    """
    asked = [match[1] for match in _CHECKOUT.finditer(log.read_bytes())]
    if not asked:
        return None
    return any(b"refs/remotes/pull/%d/merge" % pull in words.split() for words in asked)


def diff_of(files: Iterable[ChangedFile]) -> str:
    """The diff of a pull request as one text, with a note where files are left out.

    These are files without a diff of their own, and all beyond ``DIFF_LIMIT`` characters. The note is the one
    for binary files, which no reader takes for a change.
    """
    parts: list[str] = []
    size = 0
    for file in files:
        old, new = f"a/{file.previous_path or file.path}", f"b/{file.path}"
        before = "/dev/null" if file.status == "added" else old
        after = "/dev/null" if file.status == "removed" else new
        part = f"diff --git {old} {new}\n--- {before}\n+++ {after}\n{file.patch}\n"
        size += len(part)
        if size > DIFF_LIMIT or len(parts) >= MAX_FILES:
            parts.append(f"Binary files {old} and {new} differ\n")
            break
        parts.append(part if file.patch else f"Binary files {old} and {new} differ\n")
    return "".join(parts)
