"""Pull requests, issues, comments and reviews as GitHub's JSON."""

from fakes.github import documents
from fakes.github.documents import WEB, Json, label, node, user
from fakes.github.merges import base_sha, merge_sha, mergeable
from fakes.github.model import Comment, Issue, LineComment, Repository, Review
from fakes.github.objects import stamp
from fakes.github.patches import diff


def association(repo: Repository, login: str) -> str:
    if login == repo.owner.login:
        return "OWNER"
    return "COLLABORATOR" if repo.roles.get(login) in {"write", "maintain", "admin"} else "NONE"


def _side(base: str, repo: Repository | None, ref: str, sha: str) -> Json:
    owner = repo.owner if repo else None
    return {
        "label": f"{owner.login}:{ref}" if owner else f"unknown:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user(base, owner) if owner else None,
        "repo": documents.repository(base, repo, full=True) if repo else None,
    }


def pull(base: str, repo: Repository, issue: Issue, *, full: bool = False) -> Json:
    """The short form of lists, or the full one."""
    one = issue.pull
    assert one
    url = f"{base}/repos/{repo.full_name}"
    web = f"{WEB}/{repo.full_name}/pull/{issue.number}"
    own, about = f"{url}/pulls/{issue.number}", f"{url}/issues/{issue.number}"
    addresses = {
        "self": own,
        "html": web,
        "issue": about,
        "comments": f"{about}/comments",
        "review_comments": f"{own}/comments",
        "review_comment": f"{url}/pulls/comments{{/number}}",
        "commits": f"{own}/commits",
        "statuses": f"{url}/statuses/{one.head_sha}",
    }
    document: Json = {
        **_common(base, repo, issue),
        "url": own,
        "node_id": node("PullRequest", issue.id),
        "html_url": web,
        "diff_url": f"{web}.diff",
        "patch_url": f"{web}.patch",
        "issue_url": about,
        "commits_url": addresses["commits"],
        "review_comments_url": addresses["review_comments"],
        "review_comment_url": addresses["review_comment"],
        "comments_url": addresses["comments"],
        "statuses_url": addresses["statuses"],
        "merged_at": None,
        "merge_commit_sha": merge_sha(repo, issue),
        "assignee": None,
        "assignees": [],
        "requested_reviewers": [],
        "requested_teams": [],
        "head": _side(base, one.head_repository, one.head_ref, one.head_sha),
        "base": _side(base, repo, one.base_ref, base_sha(repo, issue)),
        "_links": {name: {"href": address} for name, address in addresses.items()},
        "auto_merge": None,
        "draft": one.draft,
    }
    return {**document, **_counts(repo, issue)} if full else document


def _counts(repo: Repository, issue: Issue) -> Json:
    assert issue.pull
    files = diff(repo.objects, base_sha(repo, issue), issue.pull.head_sha)
    merges = mergeable(repo, issue)
    return {
        "merged": False,
        "mergeable": merges,
        "rebaseable": merges,
        "mergeable_state": {True: "clean", False: "dirty", None: "unknown"}[merges],
        "merged_by": None,
        "comments": len(issue.comments),
        "review_comments": len(issue.pull.line_comments),
        "maintainer_can_modify": False,
        "commits": 1,
        "additions": sum(one.additions for one in files),
        "deletions": sum(one.deletions for one in files),
        "changed_files": len(files),
    }


def _common(base: str, repo: Repository, issue: Issue) -> Json:
    return {
        "id": issue.id,
        "number": issue.number,
        "state": issue.state,
        "locked": issue.locked,
        "title": issue.title,
        "user": user(base, issue.user),
        "body": issue.body or None,
        "labels": [label(base, repo, name) for name in issue.labels],
        "milestone": None,
        "active_lock_reason": None,
        "created_at": stamp(issue.created_at),
        "updated_at": stamp(issue.updated_at),
        "closed_at": None if issue.state == "open" else stamp(issue.updated_at),
        "author_association": association(repo, issue.user.login),
    }


def comment(base: str, repo: Repository, about: Issue, one: Comment) -> Json:
    url = f"{base}/repos/{repo.full_name}/issues"
    kind = "pull" if about.pull else "issues"
    return {
        "id": one.id,
        "node_id": node("IssueComment", one.id),
        "url": f"{url}/comments/{one.id}",
        "html_url": f"{WEB}/{repo.full_name}/{kind}/{about.number}#issuecomment-{one.id}",
        "issue_url": f"{url}/{about.number}",
        "body": one.body,
        "user": user(base, one.user),
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.updated_at),
        "author_association": association(repo, one.user.login),
        "performed_via_github_app": None,
    }


def review(base: str, repo: Repository, about: Issue, one: Review) -> Json:
    own = f"{base}/repos/{repo.full_name}/pulls/{about.number}"
    web = f"{WEB}/{repo.full_name}/pull/{about.number}#pullrequestreview-{one.id}"
    return {
        "id": one.id,
        "node_id": node("PullRequestReview", one.id),
        "user": user(base, one.user),
        "body": one.body,
        "state": one.state,
        "html_url": web,
        "pull_request_url": own,
        "_links": {"html": {"href": web}, "pull_request": {"href": own}},
        "submitted_at": stamp(one.submitted_at),
        "commit_id": one.commit,
        "author_association": association(repo, one.user.login),
    }


def line_comment(base: str, repo: Repository, about: Issue, one: LineComment) -> Json:
    url = f"{base}/repos/{repo.full_name}/pulls"
    own = f"{url}/comments/{one.id}"
    web = f"{WEB}/{repo.full_name}/pull/{about.number}#discussion_r{one.id}"
    side = "RIGHT" if one.start_line else None
    return {
        "url": own,
        "pull_request_review_id": one.review,
        "id": one.id,
        "node_id": node("PullRequestReviewComment", one.id),
        "diff_hunk": one.hunk,
        "path": one.path,
        "commit_id": one.commit,
        "original_commit_id": one.commit,
        "user": user(base, one.user),
        "body": one.body,
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.created_at),
        "html_url": web,
        "pull_request_url": f"{url}/{about.number}",
        "author_association": association(repo, one.user.login),
        "_links": {
            "self": {"href": own},
            "html": {"href": web},
            "pull_request": {"href": f"{url}/{about.number}"},
        },
        "start_line": one.start_line,
        "original_start_line": one.start_line,
        "start_side": side,
        "line": one.line,
        "original_line": one.line,
        "side": "RIGHT",
        "position": 1,
        "original_position": 1,
        "subject_type": "line",
        "reactions": {
            "url": f"{own}/reactions",
            **dict.fromkeys(
                ("total_count", "+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"), 0
            ),
        },
    }
