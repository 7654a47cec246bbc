"""What a person may ask for below a pull request: apply, dismiss, explain; ``fix`` is a repair.

Whether that person may ask is decided before. Each command can be run again after a crash; an answer is
known by the comment that it answers. Each function may raise ``GitHubError``, where GitHub fails or asks to
wait: to be tried again.
"""

from bot.delivery import ladder, render
from bot.delivery.ladder import Handover
from bot.delivery.options import Delivered, DeliveryOptions
from bot.delivery.sticky import Sticky, find, save
from bot.delivery.verify import verify
from bot.delivery.withdraw import dismiss_proposal, retract, withdraw_stale
from bot.errors import DeliveryError, HeadMoved
from bot.github.client import GitHub
from bot.github.records import Comment, PullRequest, stored
from bot.patch.policy.gate import Policy
from bot.patch.text import one_line

_TOO_LARGE = (
    "The proposal is too large to be kept here: the summary of its workflow run says how it came about."
)
_NOTHING = "There is no proposal of Regreen's here any more: /regreen fix looks for one."


def apply(github: GitHub, number: int, *, policy: Policy, actor: str, comment_id: int) -> Delivered:
    """Commit the proposed patch onto the pull request's branch, if its head is what the patch was made for.

    ``comment_id`` is the comment that asked; a refusal is answered, and is a value: ``kind`` is none.
    """
    sticky = find(github, number)
    pull = github.pull(number)
    try:
        delivered = _applied(github, pull, sticky, policy, actor=actor, comment_id=comment_id)
    except HeadMoved as error:
        withdraw_stale(github, number)
        delivered = Delivered.nothing(f"Not applied: {error}")
    except DeliveryError as error:
        delivered = Delivered.nothing(f"Not applied: {error}")
    if delivered.kind == "none":
        answer(github, number, text=delivered.reason, comment_id=comment_id)
    return delivered


def dismiss(github: GitHub, number: int, *, actor: str, comment_id: int) -> str:
    """Take the proposal back and make no more for this head; what was done, in words."""
    done = dismiss_proposal(github, number, actor=actor)
    if find(github, number) is None:
        answer(github, number, text=done, comment_id=comment_id)
    return done


def explain(github: GitHub, number: int, *, comment_id: int) -> str:
    """Write all that is known of the proposal in a comment of its own; its address."""
    sticky = find(github, number)
    if sticky is None or sticky.artifact is None:
        text = _TOO_LARGE if sticky and sticky.state.stands else _NOTHING
        return answer(github, number, text=text, comment_id=comment_id)
    artifact = sticky.artifact
    body = render.explanation(artifact, sticky.state, marker=_marker(comment_id), diff=artifact.diff)
    return _once(github, number, body, comment_id)


def answer(
    github: GitHub, number: int, *, text: str, comment_id: int, link: tuple[str, str] = ("", "")
) -> str:
    """Answer the comment ``comment_id`` with a sentence, once; the answer's address."""
    return _once(github, number, render.answer(_marker(comment_id), text, link), comment_id)


def renew_answer(
    github: GitHub, number: int, *, text: str, comment_id: int, link: tuple[str, str] = ("", "")
) -> None:
    """Put a sentence in the place of an earlier answer; where there is none, do nothing."""
    earlier = _earlier(github, number, comment_id)
    body = render.answer(_marker(comment_id), text, link)
    if earlier and stored(earlier.body) != stored(body):
        github.update_comment(earlier.id, body)


def _applied(  # noqa: PLR0913 - what an application needs
    github: GitHub, pull: PullRequest, sticky: Sticky | None, policy: Policy, *, actor: str, comment_id: int
) -> Delivered:
    if sticky is None or not (sticky.state.stands or sticky.state.status == "applied"):
        return Delivered.nothing(_NOTHING)
    artifact, state = sticky.artifact, sticky.state
    if artifact is None:
        return Delivered.nothing("The patch is too large to be kept here: apply it by hand.")
    if pull.is_fork:
        return Delivered.nothing(
            "Nothing is committed to a fork: its owner can take the suggestion, or apply the diff."
        )
    if (artifact.pull, artifact.patch_id) != (pull.number, state.patch):
        raise DeliveryError("the proposal in the comment is not the one that was published")
    verified = verify(artifact, github, policy=policy)
    if not verified.applied and _changed_since(github, sticky, comment_id):
        return Delivered.nothing(
            "The proposal was changed after you asked for it: read the new one, then ask again."
        )
    if verified.warnings and not verified.applied:
        why = one_line(
            f"The policy does not know the patch to be harmless: {verified.warnings[0]}", limit=300
        )
        return Delivered.nothing(f"{why}. Read it, and apply it by hand if it is right.")
    url = render.repository_url(pull)
    handover = Handover(github=github, verified=verified, options=DeliveryOptions(), repository_url=url)
    step = ladder.climb("commit", handover)
    if not step.done:
        return Delivered(kind="none", steps=(step,), reason=f"Not applied: {step.detail}")
    retract(github, pull, sticky, why="the patch was committed onto the branch")
    why = f"asked for by {one_line(actor)}"
    fresh = {"status": "applied", "kind": "commit", "url": step.url, "commit": step.commit, "why": why}
    state = state.model_copy(update=fresh)
    save(github, pull.number, sticky, render.comment(artifact, state, pull=pull, diff=""))
    return Delivered(kind="commit", url=step.url, steps=(step,), commit=step.commit)


def _changed_since(github: GitHub, sticky: Sticky, comment_id: int) -> bool:
    """Whether the proposal is newer than the comment ``comment_id`` that asks for it, by GitHub's times."""
    number = sticky.artifact.pull if sticky.artifact else 0
    for comment in (*github.comments(number), *github.review_comments(number)):
        if comment.id == comment_id:
            return comment.created_at < sticky.comment.updated_at
    return True


def _marker(comment_id: int) -> str:
    return f"<!-- regreen:answer {comment_id} -->"


def _once(github: GitHub, number: int, body: str, comment_id: int) -> str:
    """Comment, unless the same question was answered before."""
    earlier = _earlier(github, number, comment_id)
    return earlier.url if earlier else github.comment(number, body).url


def _earlier(github: GitHub, number: int, comment_id: int) -> Comment | None:
    marker = _marker(comment_id)
    return next((one for one in github.own(github.comments(number)) if one.body.startswith(marker)), None)
