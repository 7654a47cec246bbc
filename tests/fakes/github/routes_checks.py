"""Check runs, which only apps may write."""

from fakes.github.documents import WEB
from fakes.github.routes_repository import REPO
from fakes.github.routing import BODY_LIMIT, Answer, Context, Refused, route

CONCLUSIONS = ("success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required")


@route("POST", REPO + "/check-runs", "checks=write")
def create_check_run(ctx: Context) -> Answer:
    if ctx.token is None or ctx.token.permissions is None:
        raise Refused(403, "You must authenticate via a GitHub App.")
    sha, output = ctx.text("head_sha"), ctx.body.get("output") or {}
    if sha not in ctx.repository.objects.commits:
        raise Refused(422, f"No commit found for SHA: {sha}")
    if ctx.text("conclusion") not in CONCLUSIONS or not output.get("title"):
        raise Refused(422, "Invalid request.")
    if len(output.get("summary") or "") > BODY_LIMIT - 1:
        raise Refused(422, "Invalid request.\n\nOnly 65535 characters are allowed.")
    number = ctx.world.id()
    made = {
        "id": number,
        "node_id": "bm9kZQ==",
        "external_id": "",
        "name": ctx.text("name"),
        "head_sha": sha,
        "url": f"{ctx.base}/repos/{ctx.repository.full_name}/check-runs/{number}",
        "html_url": f"{WEB}/{ctx.repository.full_name}/runs/{number}",
        "details_url": None,
        "status": "completed",
        "conclusion": ctx.text("conclusion"),
        "started_at": None,
        "completed_at": None,
        "output": {
            "title": output["title"],
            "summary": output.get("summary"),
            "text": None,
            "annotations_count": 0,
            "annotations_url": f"{ctx.base}/unread",
        },
        "check_suite": None,
        "app": None,
        "pull_requests": [],
    }
    ctx.repository.checks.append(made)
    return Answer(status=201, json=made)
