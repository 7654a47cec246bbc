"""What is written to pull requests and issues, each once, even where an answer gets lost on its way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from bot.errors import GitHubError, Unprocessable, quoted
from bot.github import convert, valid_names
from bot.github.reading import Reading
from bot.github.records import Comment, LineComment, PullRequest, stored

if TYPE_CHECKING:
    from github.NamedUser import NamedUser

WRITE = "pull-requests: write"
CHECK = "Regreen"
Conclusion = Literal["success", "neutral", "failure"]
_NO_DRAFTS = "draft pull requests are not supported"


class Writing(Reading):
    """The part of the client that writes, but for branches."""

    def review(self, number: int, *, sha: str, body: str, comments: Sequence[LineComment]) -> str:
        """Publish a review (event COMMENT) with all ``comments`` at once; its address.

        Raises:
            Unprocessable: GitHub refuses a line (422); then nothing was published.
        """
        valid_names.sha(sha)
        document = {
            "commit_id": sha,
            "body": body,
            "event": "COMMENT",
            "comments": [_line_comment(one) for one in comments],
        }
        # Without lines: GitHub does not give them for the comments of a review.
        wanted = sorted((one.path, stored(one.body)) for one in comments)

        def find() -> str | None:
            for one in self._api.get_pull(number).get_reviews():
                if self._is_own(one.user) and one.commit_id == sha and stored(one.body) == stored(body):
                    own = self._api.get_pull(number).get_single_review_comments(one.id)
                    if sorted((each.path, stored(each.body)) for each in own) == wanted:
                        return convert.text(one.html_url)
            return None

        with self._connection.asking(f"review pull request {number}", needs=WRITE):
            return self._post(f"/pulls/{number}/reviews", document, find)

    def review_comment(self, number: int, *, sha: str, comment: LineComment) -> str:
        """Publish one review comment; its address.

        Raises:
            Unprocessable: GitHub refuses the line.
        """
        valid_names.sha(sha)

        def find() -> str | None:
            for one in self._api.get_pull(number).get_review_comments():
                at = (one.commit_id, one.path, one.line)
                same = at == (sha, comment.path, comment.end) and stored(one.body) == stored(comment.body)
                if same and self._is_own(one.user):
                    return convert.text(one.html_url)
            return None

        document = {**_line_comment(comment), "commit_id": sha}
        with self._connection.asking(f"comment on a line of pull request {number}", needs=WRITE):
            return self._post(f"/pulls/{number}/comments", document, find)

    def _post(self, path: str, document: dict[str, Any], find: Callable[[], str | None]) -> str:
        """Post once; the address of what came of it."""
        answer = partial(self._connection.send, "POST", path, document)
        return self._connection.once(lambda: convert.text(answer()["html_url"]), find=find)

    def comment(self, number: int, body: str) -> Comment:
        """A new comment below a pull request or issue."""

        def find() -> Comment | None:
            own = [one for one in self.comments(number) if one.author == self.viewer()]
            return next((one for one in reversed(own) if stored(one.body) == stored(body)), None)

        with self._connection.asking(f"comment on {number}", needs=WRITE):
            return self._connection.once(
                lambda: convert.comment(self._api.get_issue(number).create_comment(body)), find=find
            )

    def update_comment(self, comment_id: int, body: str) -> Comment:
        """Replace a comment's text."""
        with self._connection.asking(f"change comment {comment_id}", needs=WRITE):
            # The number of the issue is no part of a comment's address.
            comment = self._api.get_issue(0).get_comment(comment_id)
            comment.edit(body)
            return convert.comment(comment)

    def update_review_comment(self, comment_id: int, body: str) -> Comment:
        """Replace the text of a comment on lines."""
        with self._connection.asking(f"change comment {comment_id} on lines", needs=WRITE):
            comment = self._api.get_pull(0).get_review_comment(comment_id)
            comment.edit(body)
            return convert.comment(comment)

    def react(self, comment_id: int, *, at_line: bool = False) -> None:
        """Put a pair of eyes on a comment, once; ``at_line`` for one on a line of a pull request."""
        where = f"/{'pulls' if at_line else 'issues'}/comments/{comment_id}/reactions"
        with self._connection.asking(f"react to comment {comment_id}", needs=WRITE):
            # GitHub keeps one of a kind from each account.
            self._connection.send("POST", where, {"content": "eyes"})

    def check_run(self, *, sha: str, conclusion: Conclusion, title: str, summary: str) -> str:
        """A finished check run of Regreen's at the commit ``sha``; its address. The latest one counts."""
        valid_names.sha(sha)
        document = {
            "name": CHECK,
            "head_sha": sha,
            "status": "completed",
            "conclusion": conclusion,
            "output": {"title": title, "summary": summary},
        }
        with self._connection.asking(f"write a check run for {sha[:12]}", needs="checks: write"):
            return self._post("/check-runs", document, lambda: None)

    def open_pull(  # noqa: PLR0913 - the fields of a pull request, each by its name
        self, *, title: str, body: str, head: str, base: str, draft: bool, labels: Sequence[str] = ()
    ) -> PullRequest:
        """A new pull request from ``head`` (a branch here) onto ``base``.

        Where drafts are not to be had, it is none. The labels are tried; what the answer has is what it got.

        Raises:
            PermissionDenied: Actions may not create pull requests in this repository.
        """
        try:
            pull = self._open_pull(title=title, body=body, head=head, base=base, draft=draft)
        except Unprocessable as error:
            if not draft or _NO_DRAFTS not in str(error).lower():
                raise
            pull = self._open_pull(title=title, body=body, head=head, base=base, draft=False)
        return self._label(pull, labels) if labels else pull

    def _open_pull(self, *, title: str, body: str, head: str, base: str, draft: bool) -> PullRequest:
        valid_names.branch(head)

        def find() -> PullRequest | None:
            found = self.pulls_from(head)
            return next((one for one in found if one.base_ref == base), None)

        def write() -> PullRequest:
            made = self._api.create_pull(base=base, head=head, title=title, body=body, draft=draft)
            return convert.pull_request(made)

        with self._connection.asking(f"open a pull request from {quoted(head)}", needs=WRITE):
            return self._connection.once(write, find=find)

    def _label(self, pull: PullRequest, labels: Sequence[str]) -> PullRequest:
        try:
            with self._connection.asking(f"label pull request {pull.number}", needs=WRITE):
                document = {"labels": list(labels)}
                add = partial(self._connection.send, "POST", f"/issues/{pull.number}/labels", document)
                got = self._connection.once(add)
                return replace(pull, labels=tuple(convert.text(one["name"]) for one in got))
        except GitHubError:  # the pull request is there; that it has no label must not hide that
            return pull

    def update_pull(
        self, number: int, *, body: str | None = None, state: Literal["open", "closed"] | None = None
    ) -> PullRequest:
        """Change what is given."""
        from github.GithubObject import NotSet

        with self._connection.asking(f"change pull request {number}", needs=WRITE):
            pull = self._api.get_pull(number)
            pull.edit(body=NotSet if body is None else body, state=NotSet if state is None else state)
            return convert.pull_request(pull)

    def _is_own(self, user: NamedUser | None) -> bool:
        return user is not None and user.login == self.viewer()


def _line_comment(comment: LineComment) -> dict[str, object]:
    place: dict[str, object] = {
        "path": comment.path,
        "line": comment.end,
        "side": "RIGHT",
        "body": comment.body,
    }
    if comment.start < comment.end:
        place |= {"start_line": comment.start, "start_side": "RIGHT"}
    return place
