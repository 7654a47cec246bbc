"""State as GitHub's JSON. ``base`` is the API's address as the client wrote it."""

import base64
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from fakes.github.model import Repository, User
from fakes.github.objects import Commit, Person, stamp

Json = dict[str, object]
WEB = "https://github.example"

_USER_URLS = (
    ("followers_url", "followers"),
    ("following_url", "following{/other_user}"),
    ("gists_url", "gists{/gist_id}"),
    ("starred_url", "starred{/owner}{/repo}"),
    ("subscriptions_url", "subscriptions"),
    ("organizations_url", "orgs"),
    ("repos_url", "repos"),
    ("events_url", "events{/privacy}"),
    ("received_events_url", "received_events"),
)
_REPOSITORY_URLS = json.loads(Path(__file__).with_name("repository_urls.json").read_text("utf-8"))


def node(kind: str, number: int) -> str:
    return base64.b64encode(f"{kind}:{number}".encode()).decode()


def user(base: str, who: User) -> Json:
    url = f"{base}/users/{who.login}"
    return {
        "login": who.login,
        "id": who.id,
        "node_id": node("User", who.id),
        "avatar_url": f"{WEB}/avatars/{who.id}",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{WEB}/{who.login}",
        "type": who.kind,
        "user_view_type": "public",
        "site_admin": False,
        **{name: f"{url}/{rest}" for name, rest in _USER_URLS},
    }


def repository(base: str, repo: Repository, *, full: bool = False) -> Json:
    """The short form, as it is nested in others, or the full one."""
    url = f"{base}/repos/{repo.full_name}"
    web = f"{WEB}/{repo.full_name}"
    document: Json = {
        "id": repo.id,
        "node_id": node("Repository", repo.id),
        "name": repo.name,
        "full_name": repo.full_name,
        "private": repo.private,
        "owner": user(base, repo.owner),
        "html_url": web,
        "description": None,
        "fork": repo.parent is not None,
        "url": url,
        **{name: f"{url}/{rest}" for name, rest in _REPOSITORY_URLS.items()},
    }
    return {**document, **_more(repo, web)} if full else document


def _more(repo: Repository, web: str) -> Json:
    created = stamp(repo.created_at)
    open_issues = sum(issue.state == "open" for issue in repo.issues.values())
    counts = ("forks_count", "stargazers_count", "watchers_count", "size", "forks", "watchers")
    return {
        "git_url": f"{web}.git",
        "ssh_url": f"{web}.git",
        "clone_url": f"{web}.git",
        "svn_url": web,
        "mirror_url": None,
        "homepage": None,
        "language": "Python",
        "license": None,
        "default_branch": repo.default_branch,
        "visibility": "private" if repo.private else "public",
        "archived": False,
        "disabled": False,
        "is_template": False,
        "topics": [],
        "has_issues": True,
        "has_projects": True,
        "has_wiki": True,
        "has_pages": False,
        "has_downloads": True,
        "has_discussions": False,
        "allow_forking": True,
        "web_commit_signoff_required": False,
        "created_at": created,
        "updated_at": created,
        "pushed_at": created,
        "open_issues": open_issues,
        "open_issues_count": open_issues,
        "subscribers_count": 0,
        "network_count": 0,
        "permissions": dict.fromkeys(("admin", "maintain", "push", "triage", "pull"), True),
        **dict.fromkeys(counts, 0),
    }


def label(base: str, repo: Repository, name: str) -> Json:
    return {
        "id": repo.id * 1000 + len(name),
        "node_id": node("Label", len(name)),
        "url": f"{base}/repos/{repo.full_name}/labels/{name}",
        "name": name,
        "description": None,
        "color": "ededed",
        "default": False,
        "archived_at": None,
        "archived_by": None,
    }


def git_commit(base: str, repo: Repository, commit: Commit) -> Json:
    """As the Git data API has it."""
    url = f"{base}/repos/{repo.full_name}/git"
    return {
        "sha": commit.sha,
        "node_id": node("Commit", repo.id),
        "url": f"{url}/commits/{commit.sha}",
        "html_url": f"{WEB}/{repo.full_name}/commit/{commit.sha}",
        "author": commit.author.document(),
        "committer": commit.committer.document(),
        "message": commit.message,
        "tree": {"sha": commit.tree, "url": f"{url}/trees/{commit.tree}"},
        "parents": _parents(f"{url}/commits", repo, commit.parents),
        "verification": _unverified(),
    }


def commit(base: str, repo: Repository, one: Commit, users: Mapping[str, User]) -> Json:
    """As the commits API has it, with the accounts that GitHub knows behind the names."""
    author, committer = (_account(base, person, users) for person in (one.author, one.committer))
    url = f"{base}/repos/{repo.full_name}"
    return {
        "url": f"{url}/commits/{one.sha}",
        "sha": one.sha,
        "node_id": node("Commit", repo.id),
        "html_url": f"{WEB}/{repo.full_name}/commit/{one.sha}",
        "comments_url": f"{url}/commits/{one.sha}/comments",
        "commit": {
            "url": f"{url}/git/commits/{one.sha}",
            "author": one.author.document(),
            "committer": one.committer.document(),
            "message": one.message,
            "comment_count": 0,
            "tree": {"sha": one.tree, "url": f"{url}/git/trees/{one.tree}"},
            "verification": _unverified(),
        },
        "author": author,
        "committer": committer,
        "parents": _parents(f"{url}/commits", repo, one.parents),
    }


def _account(base: str, person: Person, users: Mapping[str, User]) -> Json | None:
    who = users.get(person.name)
    return user(base, who) if who and person.email.endswith("@users.noreply.github.com") else None


def _parents(url: str, repo: Repository, shas: Iterable[str]) -> list[Json]:
    return [
        {"sha": sha, "url": f"{url}/{sha}", "html_url": f"{WEB}/{repo.full_name}/commit/{sha}"}
        for sha in shas
    ]


def _unverified() -> Json:
    return {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}
