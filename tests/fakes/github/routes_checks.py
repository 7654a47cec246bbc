"""Check runs, which only apps may write."""

from typing import Any

from fakes.github.documents import WEB
from fakes.github.routes_repository import REPO
from fakes.github.routing import BODY_LIMIT, Answer, Context, Refused, not_found, route

CONCLUSIONS = ("success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required")
LEVELS = ("notice", "warning", "failure")
MAX_ANNOTATIONS = 50


UNSAID = {"start_column": None, "end_column": None, "raw_details": None, "blob_href": ""}


@route("GET", REPO + "/commits/{sha}/check-runs", "checks=read")
def list_check_runs(ctx: Context) -> Answer:
    wanted = (ctx.params["sha"], ctx.query.get("check_name"))
    found = [one for one in ctx.repository.checks if (one["head_sha"], one["name"]) == wanted]
    return ctx.page(found[::-1], _shown, key="check_runs")


@route("GET", REPO + "/check-runs/{number}/annotations", "checks=read")
def list_annotations(ctx: Context) -> Answer:
    return ctx.page(_check(ctx)["annotations"], lambda one: {**UNSAID, **one})


@route("POST", REPO + "/check-runs", "checks=write")
def create_check_run(ctx: Context) -> Answer:
    if ctx.token is None or ctx.token.permissions is None:
        raise Refused(403, "You must authenticate via a GitHub App.")
    sha = ctx.text("head_sha")
    if sha not in ctx.repository.objects.commits:
        raise Refused(422, f"No commit found for SHA: {sha}")
    number = ctx.world.id()
    made = {
        "id": number,
        "node_id": "bm9kZQ==",
        "external_id": ctx.text("external_id", default=""),
        "name": ctx.text("name"),
        "head_sha": sha,
        "url": f"{ctx.base}/repos/{ctx.repository.full_name}/check-runs/{number}",
        "html_url": f"{WEB}/{ctx.repository.full_name}/runs/{number}",
        "details_url": None,
        "status": "completed",
        "started_at": None,
        "completed_at": None,
        "check_suite": None,
        "app": None,
        "pull_requests": [],
        "annotations": [],
        "by": ctx.token.user.login,
    }
    _fill(ctx, made)
    ctx.repository.checks.append(made)
    return Answer(status=201, json=_shown(made))


@route("PATCH", REPO + "/check-runs/{number}", "checks=write")
def update_check_run(ctx: Context) -> Answer:
    found = _check(ctx)
    if ctx.token is None or found["by"] != ctx.token.user.login:
        raise Refused(403, "Invalid app_id: only the GitHub App that created a check run can modify it.")
    _fill(ctx, found)
    return Answer(json=_shown(found))


def _check(ctx: Context) -> dict[str, Any]:
    found = next((one for one in ctx.repository.checks if one["id"] == ctx.number), None)
    if found is None:
        raise not_found()
    return found


def _fill(ctx: Context, check: dict[str, Any]) -> None:
    """What a request says of the outcome; its annotations come to those that are there."""
    output = ctx.body.get("output") or {}
    if ctx.text("conclusion") not in CONCLUSIONS or not output.get("title"):
        raise Refused(422, "Invalid request.")
    if len(output.get("summary") or "") > BODY_LIMIT - 1:
        raise Refused(422, "Invalid request.\n\nOnly 65535 characters are allowed.")
    new = output.get("annotations") or []
    if len(new) > MAX_ANNOTATIONS or not all(_is_annotation(one) for one in new):
        raise Refused(422, "Invalid request.")
    check["annotations"] += new
    check["conclusion"] = ctx.text("conclusion")
    check["output"] = {
        "title": output["title"],
        "summary": output.get("summary"),
        "text": None,
        "annotations_count": len(check["annotations"]),
        "annotations_url": f"{ctx.base}/unread",
    }


def _is_annotation(one: dict[str, Any]) -> bool:
    return bool(
        one["path"]
        and 1 <= one["start_line"] <= one["end_line"]
        and one["annotation_level"] in LEVELS
        and one["message"]
        and len(one["title"]) <= 255
    )


def _shown(check: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in check.items() if name not in {"annotations", "by"}}
