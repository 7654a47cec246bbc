"""What is written to pull requests and issues, each once, even where an answer gets lost on its way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from bot.errors import GitHubError, NotFound, PermissionDenied, Unprocessable, quoted
from bot.github import convert, valid_names
from bot.github.connection import PER_PAGE
from bot.github.reading import Reading
from bot.github.records import Comment, LineComment, PullRequest, stored
from bot.github.runner_files import Annotation

if TYPE_CHECKING:
    from github.NamedUser import NamedUser

WRITE = "pull-requests: write"
CHECK = "Regreen"
OWN_CHECK = "regreen"
"""The ``external_id`` by which a check run is known as ours."""
MAX_ANNOTATIONS = 50
_NOTED = ("path", "start_line", "message")
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

    def check_run(  # noqa: PLR0913 - the fields of a check run, each by its name
        self,
        *,
        sha: str,
        conclusion: Conclusion,
        title: str,
        summary: str,
        name: str = CHECK,
        annotations: Sequence[Annotation] = (),
    ) -> str:
        """The finished check run ``name`` of Regreen's at the commit ``sha``; its address.

        One that is there already is changed, so that there are no two. GitHub takes 50 annotations at a time,
        adds them to those that are there, and removes none.
        """
        valid_names.sha(sha)
        notes = [_annotation(one) for one in annotations[:MAX_ANNOTATIONS]]
        document = {
            "name": name,
            "head_sha": sha,
            "external_id": OWN_CHECK,
            "status": "completed",
            "conclusion": conclusion,
            "output": {"title": title, "summary": summary, "annotations": notes},
        }

        def find() -> str | None:
            found = self._own_check(sha, name)
            return convert.text(found["html_url"]) if found else None

        if found := self._own_check(sha, name):
            # Only the app that wrote it may change it.
            with suppress(PermissionDenied, NotFound):
                return self._changed_check(found, document)
        with self._connection.asking(f"write a check run for {sha[:12]}", needs="checks: write"):
            return self._post("/check-runs", document, find)

    def _own_check(self, sha: str, name: str) -> dict[str, Any] | None:
        """The latest check run ``name`` at ``sha`` that ``check_run`` wrote; a job may have that name too.

        Raises:
            PermissionDenied: the token may not even read check runs, and so not write any.
        """
        try:
            with self._connection.asking(f"write a check run for {sha[:12]}", needs="checks: write"):
                where = f"/commits/{sha}/check-runs"
                found = self._connection.get(where, check_name=name, filter="all", per_page=str(PER_PAGE))
                ours = (name, OWN_CHECK)
                own = [one for one in found["check_runs"] if (one["name"], one["external_id"]) == ours]
                return max(own, key=lambda one: int(one["id"]), default=None)
        except PermissionDenied as error:
            raise PermissionDenied(str(error).replace("`checks: read`", "`checks: write`")) from None

    def _changed_check(self, found: dict[str, Any], document: dict[str, Any]) -> str:
        """Have the check run ``found`` say what ``document`` says; what it says already is not sent."""
        with self._connection.asking(f"change check run {found['id']}", needs="checks: write"):
            url, before, output = convert.text(found["html_url"]), found["output"], document["output"]
            notes = output["annotations"]
            if notes and before["annotations_count"]:
                where = f"/check-runs/{found['id']}/annotations"
                there = self._connection.get(where, per_page=str(PER_PAGE))
                known = [tuple(one[name] for name in _NOTED) for one in there]
                notes = [one for one in notes if tuple(one[name] for name in _NOTED) not in known]
            if notes or not _says(found, document):
                changed = {**document, "output": {**output, "annotations": notes}}
                sha, wanted = changed.pop("head_sha"), before["annotations_count"] + len(notes)

                def done() -> bool | None:
                    now = self._own_check(sha, document["name"])
                    if now and _says(now, document) and now["output"]["annotations_count"] >= wanted:
                        return True
                    return None

                def write() -> bool:
                    self._connection.send("PATCH", f"/check-runs/{found['id']}", changed)
                    return True

                # To send annotations again is to add them again.
                self._connection.once(write, find=done)
            return url

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


def _says(found: dict[str, Any], document: dict[str, Any]) -> bool:
    """Whether the check run ``found`` says what ``document`` does, its annotations apart."""
    return bool(found["conclusion"] == document["conclusion"]) and all(
        stored(found["output"][name]) == stored(document["output"][name]) for name in ("title", "summary")
    )


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


def _annotation(annotation: Annotation) -> dict[str, object]:
    return {
        "path": annotation.path,
        "start_line": annotation.line,
        "end_line": annotation.end_line or annotation.line,
        "annotation_level": "failure" if annotation.level == "error" else annotation.level,
        "title": annotation.title,
        "message": annotation.message,
    }
