"""Reviews and their comments under GitHub's rules: a line must lie in a hunk, one bad comment fails all."""

from dataclasses import asdict, dataclass

from fakes.github import documents
from fakes.github.merges import base_sha
from fakes.github.model import Issue, LineComment, Repository, Review
from fakes.github.patches import diff, hunks
from fakes.github.refused import Refused
from fakes.github.routes_issues import react
from fakes.github.routes_pulls import BODY_LIMIT, READ, WRITE
from fakes.github.routes_repository import REPO
from fakes.github.routing import Answer, Context, invalid, not_found, route


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    path: str
    line: int
    start_line: int | None
    body: str


class _Unplaceable(Exception):
    def __init__(self, brief: str, field: str, message: str) -> None:
        super().__init__(brief)
        self.brief, self.field, self.message = brief, field, message


def _place(repository: Repository, issue: Issue, commit: str, comment: dict[str, object]) -> _Place:
    """Where a comment goes.

    Raises:
        _Unplaceable: nowhere in the diff.
    """
    path, line, body = comment.get("path"), comment.get("line"), comment.get("body")
    start = comment.get("start_line")
    if not isinstance(body, str) or not body.strip():
        raise _Unplaceable("Body can't be blank", "body", "body can't be blank")
    if len(body) > BODY_LIMIT:
        raise _Unplaceable("Body is too long", "body", "body is too long (maximum is 65536 characters)")
    files = {one.path: one for one in diff(repository.objects, base_sha(repository, issue), commit)}
    if path not in files:
        raise _Unplaceable("Path could not be resolved", "path", "path is invalid")
    thread = "pull_request_review_thread"
    shown = [one for one in hunks(files[path].patch) if line in one]
    if not isinstance(line, int) or not shown or comment.get("side", "RIGHT") != "RIGHT":
        raise _Unplaceable(
            "Line could not be resolved", f"{thread}.line", f"{thread}.line must be part of the diff"
        )
    if start is not None:
        if not isinstance(start, int) or start >= line:
            field = f"{thread}.start_line"
            raise _Unplaceable(
                "Start line must precede the end line.", field, f"{field} must precede the end line."
            )
        if start not in shown[0]:
            message = f"{thread}.start_line must be part of the same hunk as the line."
            raise _Unplaceable("Line could not be resolved", f"{thread}.start_line", message)
    return _Place(path=str(path), line=line, start_line=start, body=body)


def _check(repository: Repository, issue: Issue, commit: object) -> str:
    objects = repository.objects
    known = set(objects.ancestors(base_sha(repository, issue)))
    if commit not in objects.ancestors(issue.pull.head_sha) or commit in known:
        raise Refused(422, "Unprocessable Entity", errors=["commit_id is not part of the pull request"])
    if issue.state == "closed":
        raise Refused(422, "Unprocessable Entity", errors=["Pull request is closed"])
    return str(commit)


def _add(ctx: Context, issue: Issue, review: int, commit: str, place: _Place) -> LineComment:
    return ctx.world.line_comment(issue, user=ctx.token.user, review=review, commit=commit, **asdict(place))


def _review(ctx: Context, issue: Issue, commit: str, body: str) -> Review:
    review = Review(id=ctx.world.id(), user=ctx.token.user, body=body, commit=commit)
    issue.pull.reviews.append(review)
    return review


@route("POST", REPO + "/pulls/{number}/reviews", WRITE)
def post_review(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.pull()
    if ctx.body.get("event") != "COMMENT":
        raise Refused(422, "The stand-in takes reviews with the event COMMENT only")
    commit = _check(repository, issue, ctx.body.get("commit_id", issue.pull.head_sha))
    body, comments = ctx.body.get("body") or "", ctx.body.get("comments") or []
    if not body and not comments:
        raise Refused(422, "Unprocessable Entity", errors=["Body can't be blank"])
    if len(body) > BODY_LIMIT:
        raise Refused(422, "Unprocessable Entity", errors=["Body is too long (maximum is 65536 characters)"])
    try:
        places = [_place(repository, issue, commit, one) for one in comments]
    except _Unplaceable as problem:
        raise Refused(422, "Unprocessable Entity", errors=[problem.brief]) from None
    review = _review(ctx, issue, commit, body)
    for place in places:
        _add(ctx, issue, review.id, commit, place)
    return Answer(json=documents.review(ctx.base, repository, issue, review))


@route("GET", REPO + "/pulls/{number}/reviews", READ)
def list_reviews(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.pull()
    return ctx.page(issue.pull.reviews, lambda one: documents.review(ctx.base, repository, issue, one))


@route("GET", REPO + "/pulls/{number}/reviews/{review}/comments", READ)
def list_review_comments(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.pull()
    review = int(ctx.params["review"])
    if review not in {one.id for one in issue.pull.reviews}:
        raise not_found()
    found = [one for one in issue.pull.line_comments if one.review == review]

    def without_lines(one: LineComment) -> object:  # GitHub has positions in the diff there, and nothing else
        document = documents.line_comment(ctx.base, repository, issue, one)
        return {key: value for key, value in document.items() if "line" not in key and "side" not in key}

    return ctx.page(found, without_lines)


@route("GET", REPO + "/pulls/{number}/comments", READ)
def list_line_comments(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.pull()
    found = issue.pull.line_comments
    return ctx.page(found, lambda one: documents.line_comment(ctx.base, repository, issue, one))


@route("PATCH", REPO + "/pulls/comments/{comment}", WRITE)
def patch_line_comment(ctx: Context) -> Answer:
    repository, wanted = ctx.repository, int(ctx.params["comment"])
    for issue in repository.issues.values():
        for comment in issue.pull.line_comments if issue.pull else ():
            if comment.id == wanted:
                body = ctx.text("body")
                if len(body) > BODY_LIMIT:
                    raise invalid("PullRequestReviewComment", "custom", "body", "body is too long")
                comment.body = body
                return Answer(json=documents.line_comment(ctx.base, repository, issue, comment))
    raise not_found()


@route("POST", REPO + "/pulls/comments/{comment}/reactions", WRITE)
def post_line_reaction(ctx: Context) -> Answer:
    wanted = int(ctx.params["comment"])
    every = [
        one for issue in ctx.repository.issues.values() if issue.pull for one in issue.pull.line_comments
    ]
    found = next((one for one in every if one.id == wanted), None)
    if found is None:
        raise not_found()
    return react(ctx, found.reactions)


@route("POST", REPO + "/pulls/{number}/comments", WRITE)
def post_line_comment(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.pull()
    commit = _check(repository, issue, ctx.body.get("commit_id"))
    try:
        place = _place(repository, issue, commit, ctx.body)
    except _Unplaceable as problem:
        error = {"resource": "PullRequestReviewComment", "code": "custom"}
        raise Refused(
            422, "Validation Failed", errors=[{**error, "field": problem.field, "message": problem.message}]
        ) from None
    review = _review(ctx, issue, commit, "")
    comment = _add(ctx, issue, review.id, commit, place)
    return Answer(status=201, json=documents.line_comment(ctx.base, repository, issue, comment))
