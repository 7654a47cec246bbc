"""Workflow runs, jobs and their logs."""

from fakes.github import documents
from fakes.github.model import Run
from fakes.github.routes_repository import REPO
from fakes.github.routing import Answer, Context, Refused, not_found, route

READ = "actions=read"


def _run(ctx: Context) -> Run:
    found = ctx.repository.runs.get(int(ctx.params["run"]))
    if found is None:
        raise not_found()
    return found


@route("GET", REPO + "/actions/runs/{run}", READ)
def get_run(ctx: Context) -> Answer:
    return Answer(json=documents.run(ctx.base, ctx.repository, _run(ctx)))


@route("GET", REPO + "/actions/runs", READ)
def list_runs(ctx: Context) -> Answer:
    repository, query = ctx.repository, ctx.query
    found = [
        run
        for run in repository.runs.values()
        if query.get("head_sha") in {None, run.head_sha}
        and query.get("event") in {None, run.event}
        and query.get("status") in {None, run.status, run.conclusion}
    ]
    return ctx.page(found[::-1], lambda run: documents.run(ctx.base, repository, run), key="workflow_runs")


@route("GET", REPO + "/actions/runs/{run}/jobs", READ)
def list_jobs(ctx: Context) -> Answer:
    repository, run = ctx.repository, _run(ctx)
    everything = ctx.query.get("filter", "latest") == "all"
    jobs = [job for job in run.jobs if everything or job.attempt == run.attempt]
    return ctx.page(jobs, lambda job: documents.job(ctx.base, repository, run, job), key="jobs")


@route("GET", REPO + "/actions/jobs/{job}/logs", READ)
def get_log(ctx: Context) -> Answer:
    wanted = int(ctx.params["job"])
    jobs = (job for run in ctx.repository.runs.values() for job in run.jobs)
    job = next((one for one in jobs if one.id == wanted), None)
    if job is None or job.status != "completed":
        raise not_found()
    if job.log is None:
        raise Refused(410, "Server Error")  # what GitHub says of a log that has expired
    return Answer(status=302, headers={"Location": ctx.storage("txt", job.log)})
