"""What the Action needs from GitHub, as one Protocol over the plain data of ``records``.

Nothing here talks to a network. ``bot.github.client`` implements it over the REST API; everything else
knows these two files only. All texts are untrusted. Every method may raise what ``GitHubError`` has below it:
``PermissionDenied`` (its message names the permission that is missing), ``RateLimited``, ``HeadMoved``,
``NotFound``, and ``GitHubError`` itself for all else.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from bot.github.records import (
    ChangedFile,
    Comment,
    FileChange,
    GitCommit,
    Job,
    LineComment,
    MergeAttempt,
    Permission,
    PullRequest,
    WorkflowRun,
)


class GitHub(Protocol):
    """One repository on GitHub, with the rights of one token."""

    @property
    def repository(self) -> str:
        """``owner/name``."""
        ...

    # Reading

    def default_branch(self) -> str:
        """The name of the default branch."""
        ...

    def pull(self, number: int) -> PullRequest:
        """A pull request as it is now."""
        ...

    def pulls_at(self, sha: str) -> tuple[PullRequest, ...]:
        """The open pull requests whose head is ``sha``; a fork's are found too."""
        ...

    def pulls_from(self, branch: str) -> tuple[PullRequest, ...]:
        """The open pull requests whose head is ``branch`` of this repository."""
        ...

    def open_pulls(self) -> tuple[PullRequest, ...]:
        """The open pull requests, the one that was updated last first; a hundred at most."""
        ...

    def pulls_onto(self, branch: str) -> tuple[PullRequest, ...]:
        """The pull requests onto ``branch``, closed ones too, the newest first; a hundred at most."""
        ...

    def merge_attempt(self, number: int) -> MergeAttempt:
        """The merge of a pull request with its base as it is now; waits seconds where GitHub is making it."""
        ...

    def changed_files(self, number: int) -> tuple[ChangedFile, ...]:
        """The diff of a pull request, all pages."""
        ...

    def run(self, run_id: int) -> WorkflowRun:
        """A workflow run."""
        ...

    def runs_at(self, sha: str) -> tuple[WorkflowRun, ...]:
        """The runs of workflows for ``sha``, the newest first; a hundred at most."""
        ...

    def failed_jobs(self, run_id: int) -> tuple[Job, ...]:
        """The jobs of the run's latest attempt that failed or timed out."""
        ...

    def conclusion_at(self, sha: str, *, pushed_to: str = "") -> str:
        """success, failure or pending: the latest runs of the workflows at ``sha``; empty if none.

        ``pushed_to`` leaves out runs of the same commit in other repositories than that one.
        """
        ...

    def job_log(self, job_id: int, *, limit: int) -> bytes:
        """The last ``limit`` bytes of a job's log."""
        ...

    def archive(self, sha: str, *, limit: int) -> bytes:
        """The tarball of the tree at ``sha`` (gzip), from this repository's network of forks.

        Raises:
            GitHubError: it is larger than ``limit`` bytes.
        """
        ...

    def file(self, path: str, *, ref: str) -> bytes | None:
        """A regular file's content at ``ref``; None if there is none, a link or a submodule included."""
        ...

    def paths(self, *, ref: str) -> tuple[str, ...]:
        """The paths of all that is at ``ref`` but directories; the first ones where GitHub lists no more."""
        ...

    def branch_head(self, branch: str) -> str | None:
        """The sha that a branch points to; None if there is no such branch."""
        ...

    def read_commit(self, sha: str) -> GitCommit:
        """A commit with its message."""
        ...

    def changes_only(self, files: Mapping[str, bytes], *, sha: str, parent: str) -> bool:
        """Whether the tree of ``sha`` is that of ``parent`` but for ``files``, which have those contents."""
        ...

    def permission_of(self, user: str) -> Permission:
        """What ``user`` may do in this repository."""
        ...

    def comments(self, number: int) -> tuple[Comment, ...]:
        """The comments below a pull request or issue, oldest first, all pages."""
        ...

    def review_comments(self, number: int) -> tuple[Comment, ...]:
        """The comments on lines of a pull request, oldest first, all pages."""
        ...

    def viewer(self) -> str:
        """The login that this token writes as; ``github-actions[bot]`` where GitHub does not say."""
        ...

    # Writing

    def review(self, number: int, *, sha: str, body: str, comments: Sequence[LineComment]) -> str:
        """Publish a review (event COMMENT) with all ``comments`` at once; its address.

        Raises:
            Unprocessable: GitHub refuses a line (422); then nothing was published.
        """
        ...

    def review_comment(self, number: int, *, sha: str, comment: LineComment) -> str:
        """Publish one review comment; its address.

        Raises:
            Unprocessable: GitHub refuses the line.
        """
        ...

    def comment(self, number: int, body: str) -> Comment:
        """A new comment below a pull request or issue."""
        ...

    def update_comment(self, comment_id: int, body: str) -> Comment:
        """Replace a comment's text."""
        ...

    def react(self, comment_id: int, *, at_line: bool = False) -> None:
        """Put a pair of eyes on a comment, once; ``at_line`` for one on a line of a pull request."""
        ...

    def update_review_comment(self, comment_id: int, body: str) -> Comment:
        """Replace the text of a comment on lines."""
        ...

    def commit(
        self,
        *,
        parent: str,
        changes: Sequence[FileChange],
        message: str,
        trailers: Mapping[str, str] | None = None,
    ) -> str:
        """A commit on ``parent`` made through the Git data API; no branch moves. Its sha."""
        ...

    def create_branch(self, branch: str, sha: str) -> None:
        """A new branch at ``sha``.

        Raises:
            Unprocessable: there is one of that name.
        """
        ...

    def move_branch(self, branch: str, sha: str, *, expected: str) -> None:
        """Fast-forward ``branch`` from ``expected`` to ``sha``; never by force.

        Raises:
            HeadMoved: it does not point to ``expected`` any more.
        """
        ...

    def delete_branch(self, branch: str) -> None:
        """Delete a branch; one that is gone already is no error."""
        ...

    def open_pull(  # noqa: PLR0913 - the fields of a pull request, each by its name
        self, *, title: str, body: str, head: str, base: str, draft: bool, labels: Sequence[str] = ()
    ) -> PullRequest:
        """A new pull request from ``head`` (a branch here) onto ``base``.

        Raises:
            PermissionDenied: Actions may not create pull requests in this repository.
        """
        ...

    def update_pull(
        self, number: int, *, body: str | None = None, state: Literal["open", "closed"] | None = None
    ) -> PullRequest:
        """Change what is given."""
        ...
