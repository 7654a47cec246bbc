"""The stand-in's answers, each checked against the model that githubkit makes of GitHub's own description."""

import importlib.util
import sys
import time
from types import ModuleType

import pytest
import requests
from fakes.github import Fault, serve
from fakes.github.routing import ROUTES
from pydantic import ValidationError

# For each route, the model of its answer; ``[Model]`` is a page of these, ``key`` where they stand under one.
REPO = "/repos/{owner}/{repo}"
MODELS = {
    f"GET {REPO}": "FullRepository",
    "GET /user": "PublicUser",
    "POST /graphql": "",
    "POST /api/graphql": "",
    f"GET {REPO}/collaborators/{{user}}/permission": "RepositoryCollaboratorPermission",
    f"GET {REPO}/commits/{{ref}}": "Commit",
    f"GET {REPO}/tarball/{{ref...}}": "",
    f"POST {REPO}/git/blobs": "ShortBlob",
    f"GET {REPO}/git/blobs/{{sha}}": "Blob",
    f"GET {REPO}/git/trees/{{sha...}}": "GitTree",
    f"POST {REPO}/git/trees": "GitTree",
    f"POST {REPO}/git/commits": "GitCommit",
    f"GET {REPO}/git/commits/{{sha}}": "GitCommit",
    f"GET {REPO}/git/ref/{{ref...}}": "GitRef",
    f"POST {REPO}/git/refs": "GitRef",
    f"PATCH {REPO}/git/refs/{{ref...}}": "GitRef",
    f"DELETE {REPO}/git/refs/{{ref...}}": "",
    f"GET {REPO}/pulls": "[PullRequestSimple]",
    f"GET {REPO}/pulls/{{number}}": "PullRequest",
    f"GET {REPO}/commits/{{sha}}/pulls": "[PullRequestSimple]",
    f"GET {REPO}/pulls/{{number}}/files": "[DiffEntry]",
    f"POST {REPO}/pulls": "PullRequest",
    f"PATCH {REPO}/pulls/{{number}}": "PullRequest",
    f"POST {REPO}/pulls/{{number}}/reviews": "PullRequestReview",
    f"GET {REPO}/pulls/{{number}}/reviews": "[PullRequestReview]",
    f"GET {REPO}/pulls/{{number}}/reviews/{{review}}/comments": "[ReviewComment]",
    f"GET {REPO}/pulls/{{number}}/comments": "[PullRequestReviewComment]",
    f"POST {REPO}/pulls/{{number}}/comments": "PullRequestReviewComment",
    f"PATCH {REPO}/pulls/comments/{{comment}}": "PullRequestReviewComment",
    f"POST {REPO}/pulls/comments/{{comment}}/reactions": "Reaction",
    f"POST {REPO}/issues/comments/{{comment}}/reactions": "Reaction",
    f"GET {REPO}/issues/{{number}}/comments": "[IssueComment]",
    f"POST {REPO}/issues/{{number}}/comments": "IssueComment",
    f"PATCH {REPO}/issues/comments/{{comment}}": "IssueComment",
    f"POST {REPO}/issues/{{number}}/labels": "[Label]",
    f"GET {REPO}/actions/runs/{{run}}": "WorkflowRun",
    f"GET {REPO}/actions/runs": "ReposOwnerRepoActionsRunsGetResponse200",
    f"GET {REPO}/actions/runs/{{run}}/jobs": "ReposOwnerRepoActionsRunsRunIdJobsGetResponse200",
    f"GET {REPO}/actions/jobs/{{job}}/logs": "",
    f"POST {REPO}/check-runs": "CheckRun",
    f"PATCH {REPO}/check-runs/{{number}}": "CheckRun",
    f"GET {REPO}/commits/{{sha}}/check-runs": "",
    f"GET {REPO}/check-runs/{{number}}/annotations": "[CheckAnnotation]",
    f"GET {REPO}/issues/comments": "[IssueComment]",
}


@pytest.fixture(scope="module")
def models() -> ModuleType:
    """githubkit's models alone: its client cannot be imported beside the ``hishel`` that its limits allow."""
    if "githubkit" not in sys.modules:
        found = importlib.util.find_spec("githubkit")
        assert found
        assert found.submodule_search_locations
        package = ModuleType("githubkit")
        package.__path__ = list(found.submodule_search_locations)
        sys.modules["githubkit"] = package
    from githubkit.module_hooks import lazy_module

    lazy_module.apply()
    from githubkit_schemas.v2026_03_10 import models

    return models


@pytest.mark.slow
def test_each_route_answers_what_github_describes(models):
    with serve() as github:
        _visit_all(github)
        seen = {f"{one.method} {one.route}": one for one in github.requests if one.status < 400}
    assert set(MODELS) == {f"{route.method} {route.template}" for route in ROUTES}
    assert set(MODELS) - set(seen) == set()
    problems = []
    for name, model in MODELS.items():
        answers = seen[name].json if model.startswith("[") else [seen[name].json]
        assert answers, name
        for answer in answers if model else ():
            try:
                getattr(models, model.strip("[]")).model_validate(answer)
            except ValidationError as error:
                problems.append(f"{name}: {error}")
    assert problems == []


def test_refusals_are_what_github_describes(models):
    with serve() as github:
        world = github.world
        world.repository("octo/app")
        reader = {
            "Authorization": f"Bearer {world.actions_token({'contents': 'read', 'pull_requests': 'write'})}"
        }
        url = f"{github.url}/repos/octo/app"
        denied = requests.post(f"{url}/git/refs", json={}, headers=reader, timeout=5)
        assert (denied.status_code, denied.headers["x-accepted-github-permissions"]) == (
            403,
            "contents=write",
        )
        models.BasicError.model_validate(denied.json())
        missing = requests.get(f"{url}/pulls/9", headers=reader, timeout=5)
        assert missing.status_code == 404
        models.BasicError.model_validate(missing.json())
        invalid = requests.post(
            f"{url}/pulls", json={"title": "t", "head": "no", "base": "main"}, headers=reader, timeout=5
        )
        assert invalid.status_code == 422
        models.ValidationError.model_validate(invalid.json())
        wrong = requests.get(url, headers={"Authorization": "Bearer ghp_wrong"}, timeout=5)
        assert (wrong.status_code, wrong.json()["message"]) == (401, "Bad credentials")


def _visit_all(github) -> None:
    """A request to each route that succeeds."""
    world = github.world
    repository = world.repository("octo/app", {"a.py": b"x = 1\n", "b.py": b"y\n"})
    start = repository.refs["refs/heads/main"]
    head = world.push(repository, "feature", {"a.py": b"x = 2\n"}, author="octo")
    pull = world.pull(repository, "feature")
    run = world.run(repository, head, pulls=(pull.number,))
    job = world.job(run, log=b"log")
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {world.token('octo')}"

    def ask(method: str, path: str, body: object = None, *, at: str = "/repos/octo/app"):
        answer = session.request(
            method, f"{github.url}{at}{path}", json=body, timeout=5, allow_redirects=False
        )
        assert answer.status_code < 400, (path, answer.text)
        return answer.json() if answer.content and answer.status_code != 302 else None

    for path in ("/user",):
        ask("GET", path, at="")
    for path in ("/graphql", "/api/graphql"):
        ask("POST", path, {"query": "query { viewer { login } }"}, at="")
    reads = (
        *("", "/collaborators/octo/permission", f"/commits/{head}"),
        *(
            f"/tarball/{head}",
            f"/git/trees/{head}?recursive=1",
            f"/git/commits/{head}",
            "/git/ref/heads/main",
        ),
        *("/pulls", "/pulls/1", f"/commits/{head}/pulls", "/pulls/1/files"),
        *(f"/actions/runs/{run.id}", f"/actions/runs?head_sha={head}"),
        *(f"/actions/runs/{run.id}/jobs", f"/actions/jobs/{job.id}/logs"),
    )
    for path in reads:
        ask("GET", path)
    blob = ask("POST", "/git/blobs", {"content": "eA==", "encoding": "base64"})["sha"]
    ask("GET", f"/git/blobs/{blob}")
    entry = {"path": "d/c.py", "mode": "100644", "type": "blob", "sha": blob}
    tree = ask("POST", "/git/trees", {"base_tree": repository.objects.commits[start].tree, "tree": [entry]})[
        "sha"
    ]
    commit = ask("POST", "/git/commits", {"message": "m", "tree": tree, "parents": [start]})["sha"]
    ask("POST", "/git/refs", {"ref": "refs/heads/new", "sha": start})
    ask("PATCH", "/git/refs/heads/new", {"sha": commit})
    made = ask("POST", "/pulls", {"title": "t", "head": "new", "base": "main", "draft": True})["number"]
    ask("PATCH", f"/pulls/{made}", {"body": "b", "state": "closed"})
    ask("DELETE", "/git/refs/heads/new")
    place = {"path": "a.py", "line": 1, "side": "RIGHT", "body": "why"}
    review = ask("POST", "/pulls/1/reviews", {"event": "COMMENT", "body": "b", "comments": [place]})["id"]
    ask("GET", "/pulls/1/reviews")
    ask("GET", f"/pulls/1/reviews/{review}/comments")
    line = ask("POST", "/pulls/1/comments", {**place, "commit_id": head})["id"]
    ask("PATCH", f"/pulls/comments/{line}", {"body": "other"})
    ask("POST", f"/pulls/comments/{line}/reactions", {"content": "eyes"})
    ask("GET", "/pulls/1/comments")
    comment = ask("POST", "/issues/1/comments", {"body": "c"})["id"]
    ask("GET", "/issues/1/comments")
    ask("PATCH", f"/issues/comments/{comment}", {"body": "d"})
    ask("POST", f"/issues/comments/{comment}/reactions", {"content": "eyes"})
    ask("POST", "/issues/1/labels", {"labels": ["regreen"]})
    session.headers["Authorization"] = f"Bearer {world.actions_token()}"
    note = {
        "path": "a.py",
        "start_line": 1,
        "end_line": 1,
        "annotation_level": "notice",
        "title": "t",
        "message": "m",
    }
    output = {"title": "t", "summary": "s", "annotations": [note]}
    check = {"name": "n", "head_sha": head, "conclusion": "neutral", "output": output}
    made = ask("POST", "/check-runs", check)["id"]
    ask("PATCH", f"/check-runs/{made}", check)
    ask("GET", f"/commits/{head}/check-runs?check_name=n")
    ask("GET", f"/check-runs/{made}/annotations")
    ask("GET", "/issues/comments?sort=updated&direction=desc")


def test_an_answer_can_be_slow():
    with serve() as github:
        github.world.repository("octo/app")
        github.fail("GET", "app$", Fault(slow=0.02))
        begin = time.monotonic()
        assert requests.get(f"{github.url}/repos/octo/app", timeout=5).status_code == 200
        assert time.monotonic() - begin >= 0.02


def test_a_request_can_fail_before_or_after_its_effect():
    with serve() as github:
        repository = github.world.repository("octo/app")
        github.world.issue(repository, title="t")
        url = f"{github.url}/repos/octo/app/issues/1/comments"
        headers = {"Authorization": f"Bearer {github.world.token('octo')}"}
        github.fail("POST", "comments$", Fault(status=502))
        assert requests.post(url, json={"body": "a"}, headers=headers, timeout=5).status_code == 502
        assert repository.issues[1].comments == []
        github.fail("POST", "comments$", Fault(status=0, effect=True))
        with pytest.raises(requests.ConnectionError):
            requests.post(url, json={"body": "b"}, headers=headers, timeout=5)
        assert [one.body for one in repository.issues[1].comments] == ["b"]
        assert requests.post(url, json={"body": "c"}, headers=headers, timeout=5).status_code == 201
