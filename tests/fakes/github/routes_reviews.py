"""Reviews and their comments under GitHub's rules: a line must lie in a hunk, one bad comment fails all."""

from collections.abc import Sequence
from typing import Any

from fakes.github import documents
from fakes.github.merges import base_sha
from fakes.github.model import Issue, LineComment, Repository, Review
from fakes.github.patches import diff, hunks
from fakes.github.routes_issues import react
from fakes.github.routes_pulls import READ, WRITE
from fakes.github.routes_repository import REPO
from fakes.github.routing import BODY_LIMIT, Answer, Context, Refused, not_found, route


class _Unplaceable(Exception):
    """A comment has no place in the diff; its argument is the field that is wrong."""


def _place(repository: Repository, issue: Issue, commit: str, comment: dict[str, Any]) -> dict[str, object]:
    """Where a comment goes, and what it says.

    Raises:
        _Unplaceable: nowhere in the diff.
    """
    path, line, start = comment["path"], comment["line"], comment.get("start_line")
    if not comment["body"].strip() or len(comment["body"]) > BODY_LIMIT:
        raise _Unplaceable("body")
    files = {one.path: one for one in diff(repository.objects, base_sha(repository, issue), commit)}
    if path not in files:
        raise _Unplaceable("path")
    shown = next((one for one in hunks(files[path].patch) if line in one), ())
    if not shown or comment.get("side", "RIGHT") != "RIGHT":
        raise _Unplaceable("line")
    if start is not None and (start >= line or start not in shown):
        raise _Unplaceable("start_line")
    return {"path": path, "line": line, "start_line": start, "body": comment["body"]}


def _check(repository: Repository, issue: Issue, commit: object) -> str:
    objects = repository.objects
    known = set(objects.ancestors(base_sha(repository, issue)))
    if commit not in objects.ancestors(issue.pull.head_sha) or commit in known:
        raise Refused(422, "Unprocessable Entity", errors=["commit_id is not part of the pull request"])
    if issue.state == "closed":
        raise Refused(422, "Unprocessable Entity", errors=["Pull request is closed"])
    return str(commit)


def _publish(ctx: Context, issue: Issue, body: str, comments: Sequence[dict[str, Any]]) -> Review:
    """A review with its comments; one that has no place fails all."""
    commit = _check(ctx.repository, issue, ctx.body.get("commit_id", issue.pull.head_sha))
    places = [_place(ctx.repository, issue, commit, one) for one in comments]
    who = ctx.token.user
    review = Review(id=ctx.world.id(), user=who, body=body, commit=commit)
    issue.pull.reviews.append(review)
    for place in places:
        ctx.world.line_comment(issue, user=who, review=review.id, commit=commit, **place)
    return review


@route("POST", REPO + "/pulls/{number}/reviews", WRITE)
def post_review(ctx: Context) -> Answer:
    issue, body, comments = ctx.pull(), ctx.limited(), ctx.body.get("comments") or []
    assert ctx.body["event"] == "COMMENT"
    if not body and not comments:
        raise Refused(422, "Unprocessable Entity", errors=["Body can't be blank"])
    try:
        review = _publish(ctx, issue, body, comments)
    except _Unplaceable as problem:
        raise Refused(422, "Unprocessable Entity", errors=[f"{problem} could not be resolved"]) from None
    return Answer(json=documents.review(ctx.base, ctx.repository, issue, review))


@route("GET", REPO + "/pulls/{number}/reviews", READ)
def list_reviews(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.pull()
    return ctx.page(issue.pull.reviews, lambda one: documents.review(ctx.base, repository, issue, one))


@route("GET", REPO + "/pulls/{number}/reviews/{review}/comments", READ)
def list_review_comments(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.pull()
    found = [one for one in issue.pull.line_comments if one.review == int(ctx.params["review"])]

    def without_lines(one: LineComment) -> object:  # GitHub has positions in the diff there, and nothing else
        document = documents.line_comment(ctx.base, repository, issue, one)
        return {key: value for key, value in document.items() if "line" not in key and "side" not in key}

    return ctx.page(found, without_lines)


@route("GET", REPO + "/pulls/{number}/comments", READ)
def list_line_comments(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.pull()
    found = issue.pull.line_comments
    return ctx.page(found, lambda one: documents.line_comment(ctx.base, repository, issue, one))


def _line_comment(ctx: Context) -> tuple[Issue, LineComment]:
    for issue in ctx.repository.issues.values():
        for comment in issue.pull.line_comments if issue.pull else ():
            if comment.id == int(ctx.params["comment"]):
                return issue, comment
    raise not_found()


@route("PATCH", REPO + "/pulls/comments/{comment}", WRITE)
def patch_line_comment(ctx: Context) -> Answer:
    issue, comment = _line_comment(ctx)
    comment.body = ctx.limited()
    return Answer(json=documents.line_comment(ctx.base, ctx.repository, issue, comment))


@route("POST", REPO + "/pulls/comments/{comment}/reactions", WRITE)
def post_line_reaction(ctx: Context) -> Answer:
    return react(ctx, _line_comment(ctx)[1].reactions)


@route("POST", REPO + "/pulls/{number}/comments", WRITE)
def post_line_comment(ctx: Context) -> Answer:
    issue = ctx.pull()
    try:
        _publish(ctx, issue, "", [ctx.body])
    except _Unplaceable as problem:
        error = {"resource": "PullRequestReviewComment", "code": "custom", "field": str(problem)}
        raise Refused(422, "Validation Failed", errors=[error]) from None
    comment = issue.pull.line_comments[-1]
    return Answer(status=201, json=documents.line_comment(ctx.base, ctx.repository, issue, comment))
