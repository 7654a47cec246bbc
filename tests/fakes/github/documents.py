"""State as GitHub's JSON: what a client of ours reads, and ``unread.json`` for what GitHub says besides.

``base`` is the API's address as the client wrote it.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from fakes.github.merges import base_sha, merge_sha, mergeable
from fakes.github.model import Comment, Issue, Job, LineComment, Repository, Review, Run, User
from fakes.github.objects import Commit, Person, stamp

Json = dict[str, object]
WEB = "https://github.example"
NODE = "bm9kZQ=="
UNREAD: dict[str, Json] = json.loads(Path(__file__).with_name("unread.json").read_text("utf-8"))


def user(base: str, who: User) -> Json:
    return {
        **UNREAD["user"],
        "login": who.login,
        "id": who.id,
        "url": f"{base}/users/{who.login}",
        "html_url": f"{WEB}/{who.login}",
        "type": who.kind,
    }


def repository(base: str, repo: Repository, *, full: bool = False) -> Json:
    """The short form, as it is nested in others, or the full one."""
    more = {
        **UNREAD["whole repository"],
        "default_branch": repo.default_branch,
        "created_at": stamp(repo.created_at),
    }
    return {
        **UNREAD["repository"],
        "id": repo.id,
        "name": repo.name,
        "full_name": repo.full_name,
        "private": repo.private,
        "owner": user(base, repo.owner),
        "html_url": f"{WEB}/{repo.full_name}",
        "fork": repo.parent is not None,
        "url": f"{base}/repos/{repo.full_name}",
        **(more if full else {}),
    }


def label(base: str, repo: Repository, name: str) -> Json:
    url = f"{base}/repos/{repo.full_name}/labels/{name}"
    return {**UNREAD["label"], "url": url, "name": name}


def git_commit(base: str, repo: Repository, commit: Commit) -> Json:
    """As the Git data API has it."""
    url = f"{base}/repos/{repo.full_name}/git"
    return {
        "sha": commit.sha,
        "node_id": NODE,
        "url": f"{url}/commits/{commit.sha}",
        "html_url": f"{WEB}/{repo.full_name}/commit/{commit.sha}",
        "parents": _parents(f"{url}/commits", repo, commit.parents),
        **_content(url, commit),
    }


def commit(base: str, repo: Repository, one: Commit, users: Mapping[str, User]) -> Json:
    """As the commits API has it, with the accounts that GitHub knows behind the names."""
    url = f"{base}/repos/{repo.full_name}"
    content = {"url": f"{url}/git/commits/{one.sha}", "comment_count": 0, **_content(f"{url}/git", one)}
    return {
        **UNREAD["commit"],
        "url": f"{url}/commits/{one.sha}",
        "sha": one.sha,
        "html_url": f"{WEB}/{repo.full_name}/commit/{one.sha}",
        "commit": content,
        "author": _account(base, one.author, users),
        "committer": _account(base, one.committer, users),
        "parents": _parents(f"{url}/commits", repo, one.parents),
    }


def _content(url: str, commit: Commit) -> Json:
    return {
        "author": commit.author.document(),
        "committer": commit.committer.document(),
        "message": commit.message,
        "tree": {"sha": commit.tree, "url": f"{url}/trees/{commit.tree}"},
        "verification": UNREAD["verification"],
    }


def _account(base: str, person: Person, users: Mapping[str, User]) -> Json | None:
    who = users.get(person.name)
    return user(base, who) if who and person.email.endswith("@users.noreply.github.com") else None


def _parents(url: str, repo: Repository, shas: Iterable[str]) -> list[Json]:
    return [
        {"sha": sha, "url": f"{url}/{sha}", "html_url": f"{WEB}/{repo.full_name}/commit/{sha}"}
        for sha in shas
    ]


def _side(base: str, repo: Repository | None, ref: str, sha: str) -> Json:
    return {
        "label": f"{repo.owner.login if repo else 'unknown'}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user(base, repo.owner) if repo else None,
        "repo": repository(base, repo, full=True) if repo else None,
    }


def pull(base: str, repo: Repository, issue: Issue, *, full: bool = False) -> Json:
    """The short form of lists, or the full one."""
    one = issue.pull
    more = {**UNREAD["whole pull"], "mergeable": mergeable(repo, issue)} if full else {}
    return {
        **UNREAD["pull"],
        "id": issue.id,
        "number": issue.number,
        "state": issue.state,
        "locked": issue.locked,
        "title": issue.title,
        "user": user(base, issue.user),
        "body": issue.body or None,
        "labels": [label(base, repo, name) for name in issue.labels],
        "updated_at": stamp(issue.updated_at),
        "url": f"{base}/repos/{repo.full_name}/pulls/{issue.number}",
        "html_url": f"{WEB}/{repo.full_name}/pull/{issue.number}",
        "merge_commit_sha": merge_sha(repo, issue),
        "head": _side(base, one.head_repository, one.head_ref, one.head_sha),
        "base": _side(base, repo, one.base_ref, base_sha(repo, issue)),
        "draft": one.draft,
        **more,
    }


def comment(base: str, repo: Repository, about: Issue, one: Comment) -> Json:
    kind = "pull" if about.pull else "issues"
    return {
        **UNREAD["comment"],
        "id": one.id,
        "url": f"{base}/repos/{repo.full_name}/issues/comments/{one.id}",
        "html_url": f"{WEB}/{repo.full_name}/{kind}/{about.number}#issuecomment-{one.id}",
        "body": one.body,
        "user": user(base, one.user),
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.updated_at),
    }


def review(base: str, repo: Repository, about: Issue, one: Review) -> Json:
    return {
        **UNREAD["review"],
        "id": one.id,
        "user": user(base, one.user),
        "body": one.body,
        "html_url": f"{WEB}/{repo.full_name}/pull/{about.number}#pullrequestreview-{one.id}",
        "commit_id": one.commit,
    }


def line_comment(base: str, repo: Repository, about: Issue, one: LineComment) -> Json:
    return {
        **UNREAD["line comment"],
        "url": f"{base}/repos/{repo.full_name}/pulls/comments/{one.id}",
        "id": one.id,
        "path": one.path,
        "commit_id": one.commit,
        "user": user(base, one.user),
        "body": one.body,
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.created_at),
        "html_url": f"{WEB}/{repo.full_name}/pull/{about.number}#discussion_r{one.id}",
        "start_line": one.start_line,
        "line": one.line,
    }


def run(base: str, repo: Repository, one: Run) -> Json:
    url = f"{base}/repos/{repo.full_name}/actions/runs/{one.id}"
    pulls = [*((repo, number) for number in one.pulls), *one.upstream_pulls]
    return {
        **UNREAD["run"],
        "id": one.id,
        "name": one.workflow,
        "head_branch": one.branch,
        "head_sha": one.head_sha,
        "run_number": one.number,
        "run_attempt": one.attempt,
        "event": one.event,
        "status": one.status,
        "conclusion": one.conclusion,
        "workflow_id": sum(map(ord, one.workflow)),
        "url": url,
        "jobs_url": f"{url}/jobs",
        "html_url": f"{WEB}/{repo.full_name}/actions/runs/{one.id}",
        "pull_requests": [_pull_of_run(base, *pull) for pull in pulls],
        "actor": user(base, one.actor),
        "triggering_actor": user(base, one.triggering_actor),
        "repository": repository(base, repo),
        "head_repository": repository(base, one.head_repository),
    }


def _pull_of_run(base: str, repo: Repository, number: int) -> Json:
    issue = repo.issues[number]

    def side(ref: str, sha: str, of: Repository) -> Json:
        url = f"{base}/repos/{of.full_name}"
        return {"ref": ref, "sha": sha, "repo": {"id": of.id, "url": url, "name": of.name}}

    return {
        "id": issue.id,
        "number": number,
        "url": f"{base}/repos/{repo.full_name}/pulls/{number}",
        "head": side(issue.pull.head_ref, issue.pull.head_sha, issue.pull.head_repository or repo),
        "base": side(issue.pull.base_ref, base_sha(repo, issue), repo),
    }


def job(base: str, repo: Repository, run: Run, one: Job) -> Json:
    return {
        **UNREAD["job"],
        "id": one.id,
        "run_id": run.id,
        "run_attempt": one.attempt,
        "workflow_name": run.workflow,
        "head_sha": run.head_sha,
        "url": f"{base}/repos/{repo.full_name}/actions/jobs/{one.id}",
        "html_url": f"{WEB}/{repo.full_name}/actions/runs/{run.id}/job/{one.id}",
        "status": one.status,
        "conclusion": one.conclusion,
        "name": one.name,
        "labels": one.labels,
        "runner_name": one.runner,
    }
