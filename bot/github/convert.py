"""PyGithub's objects as the plain data of ``port``. Texts stay what comes from outside.

PyGithub gives None for what an answer lacks. Where GitHub always says something, that is a ``TypeError``:
what answers is not GitHub, and nothing may pass for done.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar, get_args

from github import BadAttributeException

from bot.github import valid_names
from bot.github.records import (
    ChangedFile,
    Comment,
    GitCommit,
    Job,
    MergeAttempt,
    Permission,
    PullRequest,
    WorkflowRun,
)

if TYPE_CHECKING:
    from github.Commit import Commit
    from github.File import File
    from github.IssueComment import IssueComment
    from github.NamedUser import NamedUser
    from github.Organization import Organization
    from github.PullRequest import PullRequest as ApiPullRequest
    from github.PullRequestComment import PullRequestComment
    from github.Repository import Repository
    from github.WorkflowJob import WorkflowJob
    from github.WorkflowRun import WorkflowRun as ApiWorkflowRun

GHOST = "ghost"
"""Whom GitHub shows where an account was deleted."""

MAX_LABELS = 50
"""Labels of one job."""

Value = TypeVar("Value")
PERMISSIONS: tuple[Permission, ...] = get_args(Permission)


def pull_request(one: ApiPullRequest) -> PullRequest:
    """A pull request, of a list or by itself."""
    return PullRequest(
        number=number(one.number),
        state="open" if one.state == "open" else "closed",
        draft=bool(one.draft),
        author=_login(one.user),
        head_sha=text(one.head.sha),
        head_ref=text(one.head.ref),
        head_repository=full_name(one.head.repo),
        base_sha=text(one.base.sha),
        base_ref=text(one.base.ref),
        base_repository=full_name(one.base.repo),
        url=text(one.html_url),
        labels=tuple(text(label.name) for label in one.labels),
        title=one.title or "",
        body=one.body or "",
    )


def workflow_run(one: ApiWorkflowRun) -> WorkflowRun:
    """A run."""
    # A branch here may be proposed to another repository as well, whose numbers mean nothing here.
    here = number(one.repository.id)
    pulls = [pull for pull in one.pull_requests or () if pull.base.repo.id == here]
    return WorkflowRun(
        id=number(one.id),
        name=one.name or "",
        event=text(one.event),
        conclusion=one.conclusion or "",
        head_sha=text(one.head_sha),
        head_branch=one.head_branch or "",
        head_repository=full_name(one.head_repository),
        actor=_login(one.actor),
        triggering_actor=_login(one.triggering_actor),
        pulls=tuple(number(pull.number) for pull in pulls),
    )


def job(one: WorkflowJob) -> Job:
    """A job."""
    return Job(
        id=number(one.id),
        name=one.name or "",
        # They help to choose among jobs: what is none of GitHub's ends no run.
        labels=_tolerated(lambda: tuple((one.labels or ())[:MAX_LABELS])) or (),
        runner=_tolerated(lambda: one.runner_name) or "",
    )


def changed_file(one: File) -> ChangedFile:
    """A file of a diff."""
    return ChangedFile(
        path=text(one.filename),
        status=text(one.status),
        patch=one.patch or "",
        previous_path=(one.previous_filename or "") if one.status == "renamed" else "",
    )


def comment(one: IssueComment | PullRequestComment) -> Comment:
    """A comment below an issue, or on lines of a pull request."""
    return Comment(
        id=number(one.id),
        author=_login(one.user),
        body=one.body or "",
        url=text(one.html_url),
        created_at=_stamp(one.created_at),
        updated_at=_stamp(one.updated_at),
    )


def permission(role: object, legacy: object) -> Permission:
    """The role by its name where that is one of GitHub's own, else the permission that it comes to."""
    return next((one for wanted in (role, legacy) for one in PERMISSIONS if one == wanted), "none")


def git_commit(one: Commit) -> GitCommit:
    """A commit with who GitHub thinks has made it."""
    committer = one.commit.committer
    when = _tolerated(lambda: committer.date if committer else None)
    return GitCommit(
        sha=text(one.sha),
        author=text(one.author.login) if one.author else "",
        message=text(one.commit.message),
        parents=tuple(text(parent.sha) for parent in one.parents),
        tree=text(one.commit.tree.sha),
        # The commit's author chose it, and may have written anything.
        committed_at=_tolerated(lambda: when and when.astimezone(UTC)),
    )


def merge_attempt(one: ApiPullRequest) -> MergeAttempt:
    """How a pull request merges; what GitHub has of an earlier merge counts for nothing in a conflict."""
    if one.mergeable is False:
        return MergeAttempt(conflicts=True)
    sha = one.merge_commit_sha or ""
    return MergeAttempt(sha=valid_names.sha(sha) if sha else "")


def text(value: object) -> str:
    """Raises: TypeError: it is none."""
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return value


def number(value: object) -> int:
    """Raises: TypeError: it is none."""
    if not isinstance(value, int):
        raise TypeError(type(value).__name__)
    return value


def _login(user: NamedUser | Organization | None) -> str:
    return text(user.login) if user else GHOST


def full_name(repository: Repository | None) -> str:
    """``owner/name``; empty where the repository was deleted."""
    return text(repository.full_name) if repository else ""


def _stamp(when: datetime | None) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if when else ""


def _tolerated(read: Callable[[], Value | None]) -> Value | None:
    """What ``read`` gives; None where the answer has something that GitHub never says."""
    try:
        return read()
    except (BadAttributeException, ValueError, OverflowError):
        return None
