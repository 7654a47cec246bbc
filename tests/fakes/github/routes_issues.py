"""Issues, comments below issues and pull requests, labels."""

from fakes.github import documents
from fakes.github.model import Comment, Issue
from fakes.github.objects import stamp
from fakes.github.routes_repository import REPO
from fakes.github.routing import Answer, Context, Refused, invalid, not_found, route

READ = "issues=read; pull_requests=read"
WRITE = "issues=write; pull_requests=write"


@route("GET", REPO + "/issues/{number}/comments", READ)
def list_comments(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.issue()
    return ctx.page(issue.comments, lambda one: documents.comment(ctx.base, repository, issue, one))


@route("GET", REPO + "/issues/comments", READ)
def list_all_comments(ctx: Context) -> Answer:
    repository = ctx.repository
    if (ctx.query.get("sort"), ctx.query.get("direction")) != ("updated", "desc"):
        raise Refused(422, "the stand-in knows one order of all comments")
    every = [(issue, one) for issue in repository.issues.values() for one in issue.comments]
    every.sort(key=lambda pair: (pair[1].updated_at, pair[1].id), reverse=True)
    return ctx.page(every, lambda pair: documents.comment(ctx.base, repository, *pair))


@route("POST", REPO + "/issues/{number}/comments", WRITE)
def post_comment(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.issue()
    body = ctx.limited()
    if not body.strip():
        raise invalid("IssueComment", "unprocessable", "data", "Body cannot be blank")
    if issue.locked:
        raise Refused(403, "Unable to create comment because issue is locked.")
    comment = ctx.world.comment(issue, body, user=ctx.token.user)
    issue.updated_at = comment.created_at
    return Answer(status=201, json=documents.comment(ctx.base, repository, issue, comment))


def _comment(ctx: Context) -> tuple[Issue, Comment]:
    for issue in ctx.repository.issues.values():
        for comment in issue.comments:
            if comment.id == int(ctx.params["comment"]):
                return issue, comment
    raise not_found()


@route("PATCH", REPO + "/issues/comments/{comment}", WRITE)
def patch_comment(ctx: Context) -> Answer:
    issue, comment = _comment(ctx)
    comment.body, comment.updated_at = ctx.limited(), ctx.world.now()
    return Answer(json=documents.comment(ctx.base, ctx.repository, issue, comment))


@route("POST", REPO + "/issues/comments/{comment}/reactions", WRITE)
def post_reaction(ctx: Context) -> Answer:
    _, comment = _comment(ctx)
    return react(ctx, comment.reactions)


def react(ctx: Context, reactions: set[str]) -> Answer:
    content = ctx.text("content")
    status = 200 if content in reactions else 201
    reactions.add(content)
    return Answer(
        status=status,
        json={
            "id": 1,
            "node_id": documents.NODE,
            "user": documents.user(ctx.base, ctx.token.user),
            "content": content,
            "created_at": stamp(ctx.world.now()),
        },
    )


@route("POST", REPO + "/issues/{number}/labels", WRITE)
def post_labels(ctx: Context) -> Answer:
    issue = ctx.issue()
    issue.labels += [name for name in ctx.body.get("labels", []) if name not in issue.labels]
    return Answer(json=[documents.label(ctx.base, ctx.repository, name) for name in issue.labels])
