"""Pull requests, with the rules under which GitHub refuses one."""

from fakes.github import documents
from fakes.github.merges import base_sha
from fakes.github.model import Repository
from fakes.github.patches import FileDiff, diff
from fakes.github.routes_repository import REPO
from fakes.github.routing import Answer, Context, Refused, invalid, route

READ, WRITE = "pull_requests=read", "pull_requests=write"
NO_PULLS_BY_ACTIONS = "GitHub Actions is not permitted to create or approve pull requests."
TITLE_LIMIT = 256


@route("GET", REPO + "/pulls", READ)
def list_pulls(ctx: Context) -> Answer:
    repository = ctx.repository
    state = ctx.query.get("state", "open")
    found = [issue for issue in repository.issues.values() if issue.pull and state in {"all", issue.state}]
    if head := ctx.query.get("head"):
        owner, _, branch = head.partition(":")
        found = [
            one
            for one in found
            if one.pull
            and one.pull.head_repository
            and one.pull.head_repository.owner.login.lower() == owner.lower()
            and one.pull.head_ref == branch
        ]
    if base := ctx.query.get("base"):
        found = [one for one in found if one.pull and one.pull.base_ref == base]
    order = ctx.query.get("sort", "created")
    newest = ctx.query.get("direction", "desc" if order == "created" else "asc") == "desc"
    found.sort(key=lambda one: one.updated_at if order == "updated" else one.created_at, reverse=newest)
    return ctx.page(found, lambda one: documents.pull(ctx.base, repository, one))


@route("GET", REPO + "/pulls/{number}", READ)
def get_pull(ctx: Context) -> Answer:
    return Answer(json=documents.pull(ctx.base, ctx.repository, ctx.pull(), full=True))


@route("GET", REPO + "/commits/{sha}/pulls", READ)
def pulls_of_commit(ctx: Context) -> Answer:
    """As on GitHub: a commit that only a fork has belongs to no pull request here."""
    repository, sha = ctx.repository, ctx.params["sha"]
    if sha not in repository.objects.commits:
        raise Refused(422, f"No commit found for SHA: {sha}")
    found = [
        issue
        for issue in repository.issues.values()
        if issue.pull
        and issue.pull.head_repository is repository
        and sha in repository.objects.ancestors(issue.pull.head_sha)
        and sha not in repository.objects.ancestors(base_sha(repository, issue))
    ]
    return ctx.page(found, lambda one: documents.pull(ctx.base, repository, one))


@route("GET", REPO + "/pulls/{number}/files", READ)
def list_files(ctx: Context) -> Answer:
    repository, issue = ctx.repository, ctx.pull()
    head = issue.pull.head_sha
    files = diff(repository.objects, base_sha(repository, issue), head)[:3000]
    return ctx.page(files, lambda one: _file(ctx, repository, head, one))


def _file(ctx: Context, repository: Repository, head: str, one: FileDiff) -> documents.Json:
    web = f"{documents.WEB}/{repository.full_name}"
    document: documents.Json = {
        "sha": one.sha,
        "filename": one.path,
        "status": one.status,
        "additions": one.additions,
        "deletions": one.deletions,
        "changes": one.additions + one.deletions,
        "blob_url": f"{web}/blob/{head}/{one.path}",
        "raw_url": f"{web}/raw/{head}/{one.path}",
        "contents_url": f"{ctx.base}/repos/{repository.full_name}/contents/{one.path}?ref={head}",
    }
    if one.patch is not None:
        document["patch"] = one.patch
    if one.previous:
        document["previous_filename"] = one.previous
    return document


@route("POST", REPO + "/pulls", WRITE)
def post_pull(ctx: Context) -> Answer:
    repository = ctx.repository
    if ctx.token.actions and not repository.pulls_by_actions:
        raise Refused(403, NO_PULLS_BY_ACTIONS)
    head, base, body = ctx.text("head"), ctx.text("base"), ctx.limited()
    sha, target = repository.branch_head(head), repository.branch_head(base)
    if sha is None or target is None:
        raise invalid("PullRequest", "invalid", "base" if sha else "head")
    if len(ctx.text("title")) > TITLE_LIMIT:
        raise invalid("PullRequest", "custom", "title", "title is too long (maximum is 256 characters)")
    if sha in repository.objects.ancestors(target):
        raise _custom(f"No commits between {base} and {head}")
    if any(
        one.pull
        and one.state == "open"
        and one.pull.head_repository is repository
        and (one.pull.head_ref, one.pull.base_ref) == (head, base)
        for one in repository.issues.values()
    ):
        raise _custom(f"A pull request already exists for {repository.owner.login}:{head}.")
    draft = bool(ctx.body.get("draft"))
    if draft and not repository.drafts:
        raise Refused(422, "Draft pull requests are not supported in this repository.")
    said = {"title": ctx.text("title"), "body": body, "user": ctx.token.user.login, "draft": draft}
    issue = ctx.world.pull(repository, head, base=base, **said)
    return Answer(status=201, json=documents.pull(ctx.base, repository, issue, full=True))


def _custom(message: str) -> Refused:
    return Refused(
        422, "Validation Failed", errors=[{"resource": "PullRequest", "code": "custom", "message": message}]
    )


@route("PATCH", REPO + "/pulls/{number}", WRITE)
def patch_pull(ctx: Context) -> Answer:
    issue = ctx.pull()
    source, state = issue.pull.head_repository, ctx.body.get("state", issue.state)
    if state == "open" != issue.state and not (source and source.branch_head(issue.pull.head_ref)):
        raise _custom("state cannot be changed. The branch was deleted.")
    issue.state, issue.body = state, ctx.limited() if "body" in ctx.body else issue.body
    issue.title = ctx.body.get("title", issue.title)
    issue.updated_at = ctx.world.now()
    return Answer(json=documents.pull(ctx.base, ctx.repository, issue, full=True))
