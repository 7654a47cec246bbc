"""What ``regreen culprit --commits`` does: the environment of the project as it is, and its commits in it."""

import time
from contextlib import ExitStack
from dataclasses import dataclass

from bot import compose
from bot.config.settings import Settings
from bot.environments.versions.culprit_commit import (
    CommitVersions,
    CulpritCommit,
    culprit_commits,
    failing_tests,
)
from bot.environments.versions.history import commits_between
from bot.ports import Progress
from bot.triage.log import judge, scan
from sandbox.snapshot import take


@dataclass(frozen=True, slots=True, kw_only=True)
class BlamedCommits:
    """The commits that made tests fail; the ``reason`` where there is none.

    ``between`` is how many commits there are in the range, ``runs`` how many versions were run.
    """

    culprits: tuple[CulpritCommit, ...] = ()
    reason: str = ""
    between: int = 0
    runs: int = 0


def blamed_commits(settings: Settings, wanted: str, progress: Progress) -> BlamedCommits:
    """The commits in the range ``wanted`` that made tests of its last commit fail.

    Raises:
        RegreenError: the range or the settings cannot be used.
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    commits = commits_between(settings.project, wanted)
    snapshot = take(settings.project)
    answer = judge(scan(settings.log), snapshot.files) if settings.log else None
    with ExitStack() as resources:
        chosen = compose.choose(settings, snapshot, progress, resources=resources, answer=answer)
        end = time.monotonic() + settings.time_budget
        versions = CommitVersions(
            project=settings.project,
            beds=chosen.beds,
            progress=progress,
            is_late=lambda: time.monotonic() > end,
        )
        last = commits[-1].id
        failing = failing_tests(versions, last, chosen.way.tests)
        if not failing:
            return BlamedCommits(reason=f"no test fails at {last[:12]}", between=len(commits) - 1)
        culprits, versions, reason = culprit_commits(commits, versions, failing)
    return BlamedCommits(culprits=culprits, reason=reason, between=len(commits) - 1, runs=versions.runs)
