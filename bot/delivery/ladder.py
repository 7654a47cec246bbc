"""The rungs: ways to hand a verified patch over, each safe to climb again after a crash.

A rung asks GitHub what is there already before it writes: suggestions are known by their marker, a branch by
the commit it points to, a pull request by its branch. A rung that cannot be had says so as a value; a
branch that moved, or GitHub out of order, is an exception and ends the climb.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.delivery import render
from bot.delivery.options import DeliveryOptions, DeliveryStep, Rung
from bot.delivery.suggestions import place
from bot.delivery.verify import OWN_BRANCHES, Verified, is_own_commit
from bot.errors import HeadMoved, NotFound, PermissionDenied, Unprocessable
from bot.github.client import GitHub
from bot.github.records import LineComment
from bot.patch.text import one_line

_SETTING = (
    "Actions may not create pull requests here; Settings, Actions, General, 'Allow GitHub Actions to create "
    "and approve pull requests' changes that"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover:
    """What a rung works with; ``repository_url`` is where the repository is on the web."""

    github: GitHub
    verified: Verified
    options: DeliveryOptions
    repository_url: str = ""

    @property
    def target(self) -> str:
        """The branch that the patch is for."""
        pull = self.verified.pull
        return pull.head_ref if pull else self.verified.artifact.head_ref


def climb(rung: Rung, handover: Handover) -> DeliveryStep:
    """Try one rung.

    Raises:
        HeadMoved: the branch is not what the patch was made for.
        GitHubError: GitHub fails, or asks to wait.
    """
    try:
        return _RUNGS[rung](handover)
    except (PermissionDenied, Unprocessable, NotFound) as error:
        return DeliveryStep(rung=rung, done=False, detail=one_line(str(error), limit=300))


def suggest_expectations(verified: Verified, github: GitHub) -> DeliveryStep:
    """Suggest what outdated tests would assert, where the pull request's diff shows their lines.

    Raises:
        GitHubError: GitHub fails, or asks to wait.
    """
    new = verified.expected
    assert new is not None
    shown = replace(verified, before=new.before, after=new.after, diff=new.diff)
    return climb("suggestion", Handover(github=github, verified=shown, options=DeliveryOptions()))


def own_branch(verified: Verified) -> str:
    """The name of the branch that a patch gets."""
    artifact = verified.artifact
    return f"{OWN_BRANCHES}fix-{artifact.pull or 'branch'}-{artifact.patch_id[:8]}"


def _suggestion(handover: Handover) -> DeliveryStep:
    verified, github = handover.verified, handover.github
    pull = verified.pull
    if pull is None:
        return DeliveryStep(rung="suggestion", done=False, detail="there is no pull request to review")
    placement = place(verified.before, verified.after, github.changed_files(pull.number))
    if placement.problem:
        return DeliveryStep(rung="suggestion", done=False, detail=one_line(placement.problem))
    count = len(placement.suggestions)
    comments = [
        LineComment(
            path=one.path,
            start=one.start,
            end=one.end,
            body=render.suggestion_body(verified.artifact, one, number=number, count=count),
        )
        for number, one in enumerate(placement.suggestions, 1)
    ]
    url, missing = _standing(handover, comments)
    if len(missing) == count:
        try:
            body = render.review_body(verified.artifact, count)
            url = github.review(pull.number, sha=pull.head_sha, body=body, comments=comments)
            missing = []
        except Unprocessable:
            pass  # one bad line fails them all: each by itself, then
    refused = []
    for comment in missing:
        try:
            url = github.review_comment(pull.number, sha=pull.head_sha, comment=comment) or url
        except Unprocessable as error:
            refused.append(f"{comment.path}:{comment.end}: {error}")
    if refused:
        detail = one_line(f"{len(refused)} of {count} suggestions were refused: {refused[0]}", limit=300)
        return DeliveryStep(rung="suggestion", done=False, detail=detail)
    detail = f"{count} suggestion{'' if count == 1 else 's'} in the review"
    return DeliveryStep(rung="suggestion", done=True, detail=detail, url=url)


def _standing(handover: Handover, comments: Sequence[LineComment]) -> tuple[str, list[LineComment]]:
    """The address of a suggestion that an earlier run has made, and the suggestions still to be made."""
    pull, github = handover.verified.pull, handover.github
    assert pull is not None
    known: Mapping[str, str] = {
        comment.body.partition("\n")[0].strip(): comment.url
        for comment in github.own(github.review_comments(pull.number))
        if render.is_suggestion(comment.body)
    }
    marks = [comment.body.partition("\n")[0] for comment in comments]
    url = next((known[mark] for mark in marks if mark in known), "")
    return url, [one for one, mark in zip(comments, marks, strict=True) if mark not in known]


def _commit(handover: Handover) -> DeliveryStep:
    verified, github = handover.verified, handover.github
    if verified.applied:
        sha = verified.applied
    else:
        sha = _new_commit(handover)
        github.move_branch(handover.target, sha, expected=verified.artifact.head_sha)
    url = f"{handover.repository_url}/commit/{sha}"
    detail = f"commit {sha[:12]} onto the branch"
    return DeliveryStep(rung="commit", done=True, detail=detail, url=url, commit=sha)


def _pull_request(handover: Handover) -> DeliveryStep:
    verified, github = handover.verified, handover.github
    branch, sha = _branch_with_patch(handover)
    standing = [pull for pull in github.pulls_from(branch) if pull.base_ref == handover.target]
    if not standing:
        body = render.pull_body(verified.artifact, pull=verified.pull, diff=verified.diff, branch=branch)
        try:
            pull = github.open_pull(
                title=render.pull_title(verified.artifact),
                body=body,
                head=branch,
                base=handover.target,
                draft=handover.options.draft,
                labels=handover.options.labels,
            )
        except PermissionDenied as error:
            why = one_line(f"{_SETTING}: {error}", limit=400)
            return DeliveryStep(rung="pull-request", done=False, detail=why, branch=branch, commit=sha)
        standing = [pull]
    found = standing[0]
    return DeliveryStep(
        rung="pull-request",
        done=True,
        detail=f"pull request {found.number}",
        url=found.url,
        pull=found.number,
        branch=branch,
        commit=sha,
    )


def _branch(handover: Handover) -> DeliveryStep:
    branch, sha = _branch_with_patch(handover)
    url = render.compare_url(handover.repository_url, base=handover.target, branch=branch)
    detail = f"branch {branch}"
    return DeliveryStep(rung="branch", done=True, detail=detail, url=url, branch=branch, commit=sha)


def _comment(handover: Handover) -> DeliveryStep:
    """The comment holds the patch anyway: it was written before the first rung was tried."""
    del handover
    return DeliveryStep(rung="comment", done=True, detail="the diff in the comment")


def _branch_with_patch(handover: Handover) -> tuple[str, str]:
    """The patch's own branch and the commit that it points to, made where they are not there yet."""
    verified, github = handover.verified, handover.github
    branch, patch_id, parent = own_branch(verified), verified.artifact.patch_id, verified.artifact.head_sha
    sha = github.branch_head(branch)
    if sha is None:
        sha = _new_commit(handover)
        github.create_branch(branch, sha)
    elif not (
        is_own_commit(github, sha, patch_id=patch_id, parent=parent)
        and github.changes_only(verified.after, sha=sha, parent=parent)
    ):
        raise Unprocessable(f"the branch {branch} is there already and holds something else")
    return branch, sha


def _new_commit(handover: Handover) -> str:
    verified = handover.verified
    if verified.applied:
        raise HeadMoved("the patch is on the branch already")
    return handover.github.commit(
        parent=verified.artifact.head_sha,
        files=verified.after,
        message=render.commit_message(verified.artifact),
        trailers=render.trailers(verified.artifact),
    )


_RUNGS: Mapping[Rung, Callable[[Handover], DeliveryStep]] = {
    "suggestion": _suggestion,
    "commit": _commit,
    "pull-request": _pull_request,
    "branch": _branch,
    "comment": _comment,
}
