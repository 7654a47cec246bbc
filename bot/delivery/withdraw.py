"""Taking back what was published: when the branch has moved on, CI passes, or a person said no.

What is out there goes first and the comment that remembers it last, so that a run that was cut off finds the
rest and goes on. Nothing is removed that somebody has built upon. Each function may raise ``GitHubError``,
where GitHub refuses or fails: to be tried again.
"""

import re
from contextlib import suppress

from bot.delivery import render
from bot.delivery.sticky import State, Status, Sticky, claimed, find, save
from bot.delivery.verify import is_own_commit
from bot.errors import DeliveryError, NotFound, PatchError, PermissionDenied, Unprocessable
from bot.github.client import GitHub
from bot.github.records import PullRequest, stored
from bot.patch.apply import apply
from bot.patch.text import decode, encode, one_line

_SUGGESTION = re.compile(r"\A<!-- regreen:suggestion ([0-9a-f]{16}) \d+ -->")


def withdraw_stale(github: GitHub, number: int) -> str:
    """Take the proposal for pull request ``number`` back if it is out of date; why, or empty if it stands."""
    sticky = find(github, number)
    if sticky is None or not (sticky.state.stands or sticky.state.expects):
        return ""
    pull = github.pull(number)
    why = _out_of_date(github, pull, sticky.state)
    if not why:
        return ""
    after = _repaired(github, sticky) if pull.head_sha != sticky.state.head else {}
    contents = ((github.file(path, ref=pull.head_sha), content) for path, content in after.items())
    applied = bool(after) and all(there == content for there, content in contents)
    finish(github, pull, sticky, status="applied" if applied else "withdrawn", why=why)
    return why


def has_stale(github: GitHub, number: int) -> bool:
    """Whether a proposal for pull request ``number`` seems to be out of date, whoever published it.

    Nothing is changed. The token that asks need not be the one that published: what is found is a hint, and
    ``withdraw_stale`` decides.
    """
    standing = [state for state in claimed(github, number) if state.stands or state.expects]
    if not standing:
        return False
    pull = github.pull(number)
    return any(_out_of_date(github, pull, state) for state in standing)


def _out_of_date(github: GitHub, pull: PullRequest, state: State) -> str:
    """Why what ``state`` says stands is out of date; empty where it is not."""
    if pull.state != "open":
        return "the pull request was closed"
    if pull.head_sha != state.head:
        return f"the branch has moved on, from {state.head[:12]} to {pull.head_sha[:12]}"
    # Of the runs for this pull request: somebody may have the same commit in a fork, where it passes.
    passes = github.conclusion_at(pull.head_sha, pushed_to=pull.head_repository) == "success"
    return "CI passes for this very commit" if passes else ""


def dismiss_proposal(github: GitHub, number: int, *, actor: str) -> str:
    """Take the proposal back since ``actor`` says so; what was done.

    Nothing more is proposed for this head, and this change not for a later one, unless a person asks.
    """
    sticky = find(github, number)
    if sticky is None:
        return "there is no proposal of Regreen's here to dismiss"
    pull = github.pull(number)
    state = sticky.state
    if pull.head_sha in state.dismissed and not (state.stands or state.expects):
        return "it was dismissed before"
    heads = dict.fromkeys((*state.dismissed, state.head or pull.head_sha, pull.head_sha))
    refused = dict.fromkeys(filter(None, (*state.refused, state.change)))
    state = state.model_copy(update={"dismissed": tuple(heads)[-50:], "refused": tuple(refused)[-50:]})
    remembered = Sticky(comment=sticky.comment, state=state, artifact=sticky.artifact)
    finish(github, pull, remembered, status="dismissed", why=f"dismissed by {one_line(actor)}")
    return "the proposal was dismissed"


def retract(github: GitHub, pull: PullRequest, sticky: Sticky, *, why: str) -> None:
    """Take back what ``sticky`` says was published for ``pull``, all but the comment and a commit.

    The branch and its pull request stay where somebody has changed the commit; the branch stays too where
    the comment does not hold the patch.
    """
    state = sticky.state
    if state.expects:
        _withdraw_suggestions(github, pull.number, state.expects, why)
    if not state.patch:
        return
    _withdraw_suggestions(github, pull.number, state.patch, why)
    head = github.branch_head(state.branch) if state.branch else None
    if head is None or not is_own_commit(github, head, patch_id=state.patch, parent=state.head):
        return
    kept = sticky.artifact is not None  # else nobody can say what the patch was
    after = _repaired(github, sticky)
    # Who amends a commit keeps its author and its text.
    if kept and not (after and github.changes_only(after, sha=head, parent=state.head)):
        return
    for fix in github.pulls_from(state.branch):
        if fix.base_ref == pull.head_ref:
            body = render.withdrawn_pull_body(fix.body, why)
            github.update_pull(fix.number, body=body, state="closed")
    if kept:
        # A rule may keep it: no pull request asks for it any more.
        with suppress(PermissionDenied, Unprocessable):
            github.delete_branch(state.branch)


def _withdraw_suggestions(github: GitHub, number: int, patch_id: str, why: str) -> None:
    for comment in github.own(github.review_comments(number)):
        mark = _SUGGESTION.match(comment.body)
        if mark is None or mark[1] != patch_id:
            continue
        body = render.withdrawn_suggestion(mark[0], why)
        if stored(comment.body) != stored(body):
            # Where a person has removed or locked it, it cannot be applied any more.
            with suppress(NotFound, Unprocessable, PermissionDenied):
                github.update_review_comment(comment.id, body)


def finish(github: GitHub, pull: PullRequest, sticky: Sticky, *, status: Status, why: str) -> None:
    """Take the proposal back, then say so in the comment."""
    retract(github, pull, sticky, why=why)
    state = sticky.state.model_copy(update={"status": status, "why": why[:300], "expects": ""})
    save(github, pull.number, sticky, render.ended(sticky.artifact, state, pull=pull))


def _repaired(github: GitHub, sticky: Sticky) -> dict[str, bytes]:
    """The files as the patch makes them; none where it is not known, or does not apply."""
    artifact = sticky.artifact
    if artifact is None or artifact.patch_id != sticky.state.patch:
        return {}
    try:
        patch = artifact.patch
        contents = {path: github.file(path, ref=artifact.head_sha) for path in patch.paths}
        before = {path: decode(content) for path, content in contents.items() if content is not None}
        return {path: encode(text) for path, text in apply(patch, before).items()}
    except (DeliveryError, PatchError, NotFound, UnicodeEncodeError):
        return {}
