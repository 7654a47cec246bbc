"""The merges that GitHub tries of open pull requests: ``refs/pull/N/merge``, and what is said of them.

Files are merged as wholes: one that both sides changed, each in its way, is a conflict here, also where git
would merge its lines. A test that wants another merge sets ``Pull.merge_sha``.
"""

from fakes.github.model import Issue, Repository
from fakes.github.objects import Leaf, Objects, Person


def base_sha(repo: Repository, issue: Issue) -> str:
    """Where the base branch is now; the default branch's head where it has gone."""
    sha = repo.branch_head(issue.pull.base_ref) or repo.branch_head(repo.default_branch)
    assert sha
    return sha


def merge_sha(repo: Repository, issue: Issue) -> str | None:
    """The commit that merges a pull request into its base; None where they conflict, or it is closed."""
    pull = issue.pull
    if pull.merge_sha is not None:
        return pull.merge_sha or None
    if issue.state != "open":
        return None
    base = base_sha(repo, issue)
    files = _merged(repo.objects, base, pull.head_sha)
    if files is None:
        return None
    sides = [repo.objects.commits[base], repo.objects.commits[pull.head_sha]]
    return repo.objects.commit(
        tree=repo.objects.tree_of(files),
        parents=[base, pull.head_sha],
        message=f"Merge {pull.head_sha} into {base}",
        author=Person(
            name="GitHub", email="noreply@github.com", when=max(side.committer.when for side in sides)
        ),
    )


def mergeable(repo: Repository, issue: Issue) -> bool | None:
    """What a pull request says of its merge; None so many times as ``merge_waits`` says."""
    if issue.pull.merge_waits:
        issue.pull.merge_waits -= 1
        return None
    return issue.pull.merge_sha is not None or merge_sha(repo, issue) is not None


def _merged(objects: Objects, ours: str, theirs: str) -> dict[str, Leaf] | None:
    start = objects.merge_base(ours, theirs)
    before = objects.at(start) if start else {}
    one, other = objects.at(ours), objects.at(theirs)
    found: dict[str, Leaf] = {}
    for path in sorted({*before, *one, *other}):
        was, here, there = before.get(path), one.get(path), other.get(path)
        if here != there and was not in {here, there}:
            return None
        leaf = there if here == was else here
        if leaf:
            found[path] = leaf
    return found
