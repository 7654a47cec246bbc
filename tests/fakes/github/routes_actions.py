"""Workflow runs, jobs and their logs, check runs and annotations."""

from fakes.github import documents
from fakes.github.documents import WEB, Json, node
from fakes.github.merges import base_sha
from fakes.github.model import Job, Repository, Run
from fakes.github.objects import stamp
from fakes.github.refused import Refused
from fakes.github.routes_repository import REPO
from fakes.github.routing import Answer, Context, not_found, route

READ = "actions=read"


def _run(ctx: Context) -> Run:
    found = ctx.repository.runs.get(int(ctx.params["run"]))
    if found is None:
        raise not_found()
    return found


def _run_document(ctx: Context, repository: Repository, run: Run) -> Json:
    url = f"{ctx.base}/repos/{repository.full_name}/actions/runs/{run.id}"
    path = f".github/workflows/{run.workflow.lower().replace(' ', '-')}.yml"
    workflow = sum(map(ord, run.workflow))
    head = repository.objects.commits[run.head_sha]
    times = dict.fromkeys(("created_at", "updated_at", "run_started_at"), stamp(run.created_at))
    return {
        "id": run.id,
        "name": run.workflow,
        "node_id": node("WorkflowRun", run.id),
        "check_suite_id": run.id,
        "check_suite_node_id": node("CheckSuite", run.id),
        "head_branch": run.head_branch,
        "head_sha": run.head_sha,
        "path": path,
        "run_number": run.number,
        "run_attempt": run.attempt,
        "referenced_workflows": [],
        "event": run.event,
        "status": run.status,
        "conclusion": run.conclusion,
        "workflow_id": workflow,
        "url": url,
        "html_url": f"{WEB}/{repository.full_name}/actions/runs/{run.id}",
        "pull_requests": [
            *(_pull(ctx, repository, number) for number in run.pulls),
            *(_pull(ctx, upstream, number) for upstream, number in run.upstream_pulls),
        ],
        **times,
        "actor": documents.user(ctx.base, run.actor),
        "triggering_actor": documents.user(ctx.base, run.triggering_actor),
        "jobs_url": f"{url}/jobs",
        "logs_url": f"{url}/logs",
        "check_suite_url": f"{ctx.base}/repos/{repository.full_name}/check-suites/{run.id}",
        "artifacts_url": f"{url}/artifacts",
        "cancel_url": f"{url}/cancel",
        "rerun_url": f"{url}/rerun",
        "previous_attempt_url": None,
        "workflow_url": f"{ctx.base}/repos/{repository.full_name}/actions/workflows/{workflow}",
        "display_title": head.message.partition("\n")[0],
        "head_commit": {
            "id": head.sha,
            "tree_id": head.tree,
            "message": head.message,
            "timestamp": stamp(head.author.when),
            "author": {"name": head.author.name, "email": head.author.email},
            "committer": {"name": head.committer.name, "email": head.committer.email},
        },
        "repository": documents.repository(ctx.base, repository),
        "head_repository": documents.repository(ctx.base, run.head_repository),
    }


def _pull(ctx: Context, repository: Repository, number: int) -> Json:
    issue = repository.issues[number]
    assert issue.pull

    def side(ref: str, sha: str, repo: Repository) -> Json:
        url = f"{ctx.base}/repos/{repo.full_name}"
        return {"ref": ref, "sha": sha, "repo": {"id": repo.id, "url": url, "name": repo.name}}

    return {
        "id": issue.id,
        "number": number,
        "url": f"{ctx.base}/repos/{repository.full_name}/pulls/{number}",
        "head": side(issue.pull.head_ref, issue.pull.head_sha, issue.pull.head_repository or repository),
        "base": side(issue.pull.base_ref, base_sha(repository, issue), repository),
    }


@route("GET", REPO + "/actions/runs/{run}", READ)
def get_run(ctx: Context) -> Answer:
    return Answer(json=_run_document(ctx, ctx.repository, _run(ctx)))


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
    return ctx.page(found[::-1], lambda run: _run_document(ctx, repository, run), key="workflow_runs")


@route("GET", REPO + "/actions/runs/{run}/jobs", READ)
def list_jobs(ctx: Context) -> Answer:
    repository, run = ctx.repository, _run(ctx)
    everything = ctx.query.get("filter", "latest") == "all"
    jobs = [job for job in run.jobs if everything or job.attempt == run.attempt]
    return ctx.page(jobs, lambda job: _job_document(ctx, repository, run, job), key="jobs")


def _job_document(ctx: Context, repository: Repository, run: Run, job: Job) -> Json:
    url = f"{ctx.base}/repos/{repository.full_name}/actions"
    when = stamp(run.created_at)
    return {
        "id": job.id,
        "run_id": run.id,
        "run_url": f"{url}/runs/{run.id}",
        "run_attempt": job.attempt,
        "workflow_name": run.workflow,
        "head_branch": run.head_branch,
        "node_id": node("CheckRun", job.id),
        "head_sha": run.head_sha,
        "url": f"{url}/jobs/{job.id}",
        "html_url": f"{WEB}/{repository.full_name}/actions/runs/{run.id}/job/{job.id}",
        "status": job.status,
        "conclusion": job.conclusion,
        "created_at": when,
        "started_at": when,
        "completed_at": when if job.conclusion else None,
        "name": job.name,
        "steps": [],
        "check_run_url": f"{ctx.base}/repos/{repository.full_name}/check-runs/{job.id}",
        "labels": job.labels,
        "runner_id": 1,
        "runner_name": job.runner,
        "runner_group_id": 2,
        "runner_group_name": "GitHub Actions",
    }


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
