"""What is read of pull requests, runs, comments and people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from bot.errors import NotFound, PermissionDenied, Unprocessable
from bot.github import convert, valid_names
from bot.github.connection import PER_PAGE, ClientPart
from bot.github.records import ChangedFile, Comment, Job, MergeAttempt, Permission, PullRequest, WorkflowRun

if TYPE_CHECKING:
    from github.PullRequest import PullRequest as ApiPullRequest

ACTIONS_LOGIN = "github-actions[bot]"
NEWEST_PULLS = 1_000
"""How many open pull requests are looked through for a fork's commit."""

MERGE_WAITS_S = (1.0, 2.0, 4.0)
"""How long GitHub is given to make a merge that it is asked for; it does so within seconds."""

_FAILED = frozenset({"failure", "timed_out"})
_GREEN = frozenset({"success", "neutral", "skipped"})
_WAITING = "action_required"  # a fork's run that nobody has approved yet: it says "completed"


class Reading(ClientPart):
    """The part of the client that only reads."""

    @property
    def repository(self) -> str:
        """``owner/name``."""
        return self._connection.name

    def default_branch(self) -> str:
        """The name of the default branch."""
        with self._connection.asking("read the default branch", needs="contents: read"):
            # A fresh object: PyGithub remembers what it has read.
            return convert.text(self._connection.github.get_repo(self.repository).default_branch)

    def pull(self, number: int) -> PullRequest:
        """A pull request as it is now."""
        with self._connection.asking(f"read pull request {number}", needs="pull-requests: read"):
            return convert.pull_request(self._api.get_pull(number))

    def pulls_at(self, sha: str) -> tuple[PullRequest, ...]:
        """The open pull requests whose head is ``sha``; a fork's are found too."""
        valid_names.sha(sha)
        found: tuple[PullRequest, ...] = ()
        doing = f"find the pull requests at {sha}"
        with (
            suppress(NotFound, Unprocessable),  # a fork's commit may be none of this repository's
            self._connection.asking(doing, needs="pull-requests: read"),
        ):
            found = self._open_at(sha, self._api.get_commit(sha).get_pulls())
        if not found:  # nor does GitHub count a fork's commit to the pull request that brings it
            with self._connection.asking(doing, needs="pull-requests: read"):
                found = self._open_at(sha, self._newest_pulls())
        return found

    def _newest_pulls(self) -> Iterator[ApiPullRequest]:
        return islice(self._api.get_pulls(state="open", sort="updated", direction="desc"), NEWEST_PULLS)

    def _open_at(self, sha: str, pulls: Iterable[ApiPullRequest]) -> tuple[PullRequest, ...]:
        found = (convert.pull_request(one) for one in pulls if one.state == "open" and one.head.sha == sha)
        return tuple(one for one in found if one.base_repository.lower() == self.repository.lower())

    def pulls_from(self, branch: str) -> tuple[PullRequest, ...]:
        """The open pull requests whose head is ``branch`` of this repository."""
        owner = self.repository.partition("/")[0]
        head = f"{owner}:{valid_names.branch(branch)}"
        with self._connection.asking("list the pull requests", needs="pull-requests: read"):
            found = [convert.pull_request(one) for one in self._api.get_pulls(state="open", head=head)]
        return tuple(one for one in found if one.head_ref == branch and not one.is_fork)

    def open_pulls(self) -> tuple[PullRequest, ...]:
        """The open pull requests, the one that was updated last first; a hundred at most."""
        with self._connection.asking("list the pull requests", needs="pull-requests: read"):
            return tuple(convert.pull_request(one) for one in islice(self._newest_pulls(), PER_PAGE))

    def pulls_onto(self, branch: str) -> tuple[PullRequest, ...]:
        """The pull requests onto ``branch``, closed ones too, the newest first; a hundred at most."""
        valid_names.branch(branch)
        with self._connection.asking("list the pull requests", needs="pull-requests: read"):
            newest = self._api.get_pulls(state="all", base=branch, sort="created", direction="desc")
            return tuple(convert.pull_request(one) for one in islice(newest, PER_PAGE))

    def merge_attempt(self, number: int) -> MergeAttempt:
        """The merge of a pull request with its base as it is now; waits seconds where GitHub is making it.

        Where the base has moved, the first request makes GitHub begin.
        """
        with self._connection.asking(f"read the merge of pull request {number}", needs="pull-requests: read"):
            found = self._api.get_pull(number)
            for seconds in MERGE_WAITS_S:
                if found.mergeable is not None or seconds > self._connection.waits.left:
                    break
                self._connection.waits.spend(seconds)
                found = self._api.get_pull(number)
            return MergeAttempt() if found.mergeable is None else convert.merge_attempt(found)

    def changed_files(self, number: int) -> tuple[ChangedFile, ...]:
        """The diff of a pull request, all pages."""
        with self._connection.asking(f"read the diff of pull request {number}", needs="pull-requests: read"):
            return tuple(convert.changed_file(one) for one in self._api.get_pull(number).get_files())

    def run(self, run_id: int) -> WorkflowRun:
        """A workflow run."""
        with self._connection.asking(f"read workflow run {run_id}", needs="actions: read"):
            return convert.workflow_run(self._api.get_workflow_run(run_id))

    def runs_at(self, sha: str) -> tuple[WorkflowRun, ...]:
        """The runs of workflows for ``sha``, the newest first; a hundred at most."""
        valid_names.sha(sha)
        with self._connection.asking(f"list the workflow runs at {sha}", needs="actions: read"):
            runs = self._api.get_workflow_runs(head_sha=sha)
            return tuple(convert.workflow_run(one) for one in islice(runs, PER_PAGE))

    def failed_jobs(self, run_id: int) -> tuple[Job, ...]:
        """The jobs of the run's latest attempt that failed or timed out."""
        with self._connection.asking(f"list the jobs of run {run_id}", needs="actions: read"):
            jobs = self._api.get_workflow_run(run_id).jobs("latest")
            return tuple(convert.job(one) for one in jobs if one.conclusion in _FAILED)

    def conclusion_at(self, sha: str, *, pushed_to: str = "") -> str:
        """success, failure or pending: the latest runs of the workflows at ``sha``; empty if none.

        ``pushed_to`` leaves out runs of the same commit in other repositories than that one.
        """
        valid_names.sha(sha)
        latest: dict[int, tuple[int, int, str]] = {}
        with self._connection.asking(f"list the workflow runs at {sha}", needs="actions: read"):
            for one in self._api.get_workflow_runs(head_sha=sha):
                if pushed_to and convert.full_name(one.head_repository).lower() != pushed_to.lower():
                    continue
                state = "success" if one.conclusion in _GREEN else "failure"
                if one.status != "completed" or one.conclusion == _WAITING:
                    state = "pending"
                key = one.workflow_id
                latest[key] = max(latest.get(key, (0, 0, "")), (one.run_number, one.run_attempt or 1, state))
        states = {state for _, _, state in latest.values()}
        return next((one for one in ("failure", "pending", "success") if one in states), "")

    def comments(self, number: int) -> tuple[Comment, ...]:
        """The comments below a pull request or issue, oldest first, all pages."""
        with self._connection.asking(f"read the comments on {number}", needs="pull-requests: read"):
            return tuple(convert.comment(one) for one in self._api.get_issue(number).get_comments())

    def newest_comments(self) -> tuple[Comment, ...]:
        """The comments below all pull requests and issues, the last changed first; a hundred at most."""
        with self._connection.asking("read the newest comments", needs="pull-requests: read"):
            found = self._api.get_issues_comments(sort="updated", direction="desc")
            return tuple(convert.comment(one) for one in islice(found, PER_PAGE))

    def review_comments(self, number: int) -> tuple[Comment, ...]:
        """The comments on lines of a pull request, oldest first, all pages."""
        doing = f"read the comments on the lines of {number}"
        with self._connection.asking(doing, needs="pull-requests: read"):
            return tuple(map(convert.comment, self._api.get_pull(number).get_review_comments()))

    def own(self, comments: Iterable[Comment]) -> list[Comment]:
        """Those of ``comments`` that this token has written."""
        login = self.viewer().lower()
        return [comment for comment in comments if comment.author.lower() == login]

    def permission_of(self, user: str) -> Permission:
        """What ``user`` may do in this repository."""
        if not valid_names.is_login(user):
            return "none"
        try:
            with self._connection.asking(f"read what {user} may do", needs="metadata: read"):
                answer = self._connection.get(f"/collaborators/{user}/permission")
                return convert.permission(answer.get("role_name"), convert.text(answer["permission"]))
        except NotFound:
            return "none"

    def viewer(self) -> str:
        """The login that this token writes as; ``github-actions[bot]`` where GitHub does not say."""
        return self._login

    @cached_property
    def _login(self) -> str:
        github, asking = self._connection.github, self._connection.asking
        # Of an app's token, a job's too, only GraphQL knows whose it is.
        with suppress(PermissionDenied, NotFound), asking("read whose the token is", needs="metadata: read"):
            return convert.text(github.get_user().login)
        try:
            with asking("read whose the token is", needs="metadata: read"):
                _, answer = github.requester.graphql_query("query { viewer { login } }", {})
                return convert.text(answer["data"]["viewer"]["login"])
        except (PermissionDenied, NotFound, Unprocessable):
            return ACTIONS_LOGIN
