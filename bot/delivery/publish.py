"""Publishing a verified proposal: once, whatever happens in between, and never losing the patch.

The comment comes first: it holds the patch and remembers what is under way, so that a run which is cut off
anywhere is taken up by the next one. Then the ladder is climbed down until a rung holds, and the comment says
what came of it. Publishing the same again changes nothing.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from bot.delivery import guards, ladder, render
from bot.delivery.ladder import Handover
from bot.delivery.memory import is_unwanted
from bot.delivery.options import Delivered, DeliveryOptions, DeliveryStep, rungs
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.sticky import State, Sticky, change_id, find, kept, read_artifact, save
from bot.delivery.verify import Verified, says_it_is_a_fix
from bot.delivery.withdraw import finish, retract
from bot.errors import DeliveryError, HeadMoved, NotFound, PermissionDenied, Unprocessable
from bot.github.client import GitHub
from bot.github.records import PullRequest
from bot.patch.text import one_line

STANDS = "a proposal for this commit stands already"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Publication:
    """What one is made of; ``pull`` is what ``verified`` is for."""

    verified: Verified
    pull: PullRequest
    github: GitHub
    options: DeliveryOptions
    now: datetime

    @property
    def artifact(self) -> ProposalArtifact:
        return self.verified.artifact

    def counted(self, state: State) -> State:
        """``state`` with this repair among those that were tried."""
        return guards.counted(state, run=guards.run_of(self.artifact), now=self.now)


def publish(  # noqa: PLR0913 - what a publication needs, each by its name
    verified: Verified,
    github: GitHub,
    options: DeliveryOptions,
    *,
    now: datetime,
    asked: bool = False,
    server_url: str = "https://github.com",
) -> Delivered:
    """Hand ``verified`` over as ``options`` ask.

    Args:
        verified: what ``bot.delivery.verify`` has let through.
        github: where to.
        options: what a person chose.
        now: the time, with its zone, for what is counted by day.
        asked: a person asked for this repair: what was dismissed or answered before does not count.
        server_url: where the repository is on the web, for links where there is no pull request.

    Returns:
        Where the patch is. ``kind`` is none where nothing was to be published, with the reason.

    Raises:
        DeliveryError: no rung held; the message has the reason of each.
        HeadMoved: the branch moved meanwhile; what was published is taken back.
        GitHubError: GitHub fails, or asks to wait; publish again, and it goes on where it stopped.
    """
    pull = verified.pull
    if pull is None:
        return _for_branch(verified, github, options, server_url, asked=asked)
    publication = _Publication(verified=verified, pull=pull, github=github, options=options, now=now)
    sticky = None if options.comment_on == "never" else find(github, pull.number)
    if not verified.artifact.is_patched:
        return _note(publication, sticky, asked=asked)
    if before := _before(publication, sticky.state if sticky else State(), asked=asked):
        return before
    if not asked and not verified.applied and not pull.is_fork and says_it_is_a_fix(github, pull.head_sha):
        return Delivered.nothing(guards.OWN_COMMIT)
    return _for_pull(publication, sticky)


def _before(publication: _Publication, state: State, *, asked: bool) -> Delivered | None:
    """What an earlier run has to say to this proposal; None if it is to be published."""
    artifact, options, now = publication.artifact, publication.options, publication.now
    same = state.status in {"delivered", "applied"} and state.patch == artifact.patch_id
    answered = guards.is_answered(state, head=artifact.head_sha, tests=artifact.tests_id)
    dismissed = artifact.head_sha in state.dismissed and not asked
    if dismissed or not (same or (answered and not asked)):
        # Again, since the token that the patch was looked for with may not have known the comment as its own.
        run = guards.run_of(artifact)
        why = "" if asked else guards.limit_reached(state, artifact.head_sha, options, now=now, run=run)
        if not why and not asked and is_unwanted(publication.verified.diff, state, publication.github):
            why = guards.UNWANTED
        return Delivered.nothing(why) if why else None
    return Delivered(
        kind=state.kind,
        url=state.url,
        steps=tuple(DeliveryStep(rung=one.rung, done=one.done, detail=one.detail) for one in state.steps),
        reason="it was published before, for the same commit and the same failing tests",
        pull=state.pull,
        branch=state.branch,
        commit=state.commit,
    )


def _for_pull(publication: _Publication, sticky: Sticky | None) -> Delivered:
    pull, github, options = publication.pull, publication.github, publication.options
    artifact = publication.artifact
    old = sticky.state if sticky else State()
    if sticky and old.stands and old.patch != artifact.patch_id:
        retract(github, pull, sticky, why="a newer proposal took its place")
    state = _begun(publication, old)
    steps: list[DeliveryStep] = []
    if options.comment_on != "never" and options.delivery != "none":
        sticky = _say(publication, sticky, state, steps)
        if sticky is None:  # without its memory no limit would hold, and nothing could be taken back
            return _outcome(steps, options)
    try:
        handover = Handover(
            github=github,
            verified=publication.verified,
            options=options,
            repository_url=render.repository_url(pull),
        )
        _climb(handover, steps, has_comment=sticky is not None)
    except HeadMoved as error:
        if sticky:
            finish(github, pull, sticky, status="withdrawn", why=one_line(str(error), limit=300))
        raise
    delivered = _outcome(steps, options)
    state = state.model_copy(
        update={
            "status": "applied" if delivered.kind == "commit" else "delivered",
            "kind": delivered.kind,
            "url": delivered.url[:500],
            "pull": delivered.pull,
            "commit": delivered.commit,
            "steps": kept(delivered.steps),
        }
    )
    if sticky:
        saved = _say(publication, sticky, state, steps)
        if delivered.kind == "comment" and saved:
            delivered = replace(delivered, url=saved.comment.url)
    return delivered


def _begun(publication: _Publication, old: State) -> State:
    """The state as the publication begins; its branch is named before it is there, to be found again."""
    artifact = publication.artifact
    by_hand = publication.pull.is_fork or publication.verified.warnings
    change = change_id(publication.verified.diff)
    fresh = old.model_copy(
        update={
            "status": "publishing",
            "head": artifact.head_sha,
            "tests": artifact.tests_id,
            "patch": artifact.patch_id,
            "change": change,
            "kind": "none",
            "url": "",
            "branch": "" if by_hand else ladder.own_branch(publication.verified),
            "commit": "",
            "pull": 0,
            "why": "",
            "steps": (),
            "dismissed": tuple(sha for sha in old.dismissed if sha != artifact.head_sha),
            "refused": tuple(one for one in old.unwanted if one != change),
        }
    )
    return publication.counted(fresh)


def _say(
    publication: _Publication, sticky: Sticky | None, state: State, steps: list[DeliveryStep]
) -> Sticky | None:
    """The comment with ``state``; None where this token may not comment, which becomes a step."""
    pull, diff = publication.pull, publication.verified.diff
    body = render.comment(publication.artifact, state, pull=pull, diff=diff)
    try:
        comment = save(publication.github, pull.number, sticky, body)
    except (PermissionDenied, NotFound, Unprocessable) as error:
        steps.append(DeliveryStep(rung="comment", done=False, detail=one_line(str(error), limit=300)))
        return None
    return Sticky(comment=comment, state=state, artifact=read_artifact(body))


def _climb(handover: Handover, steps: list[DeliveryStep], *, has_comment: bool) -> None:
    """Climb until a rung holds; each adds to ``steps``."""
    verified = handover.verified
    pull = verified.pull
    ladder_down = rungs(
        handover.options.delivery,
        is_fork=bool(pull and pull.is_fork),
        has_pull=pull is not None,
        by_hand=bool(verified.warnings),
        doubtful=bool(verified.artifact.doubts),
    )
    if verified.applied and ladder_down:
        ladder_down = ("commit",)
    for rung in ladder_down:
        if rung == "comment" and not has_comment:
            continue  # refused already, or not wanted
        step = ladder.climb(rung, handover)
        steps.append(step)
        if step.done:
            return


def _outcome(steps: list[DeliveryStep], options: DeliveryOptions) -> Delivered:
    """What the steps come to.

    Raises:
        DeliveryError: nothing held.
    """
    if options.delivery == "none":
        return Delivered.nothing("delivery is none: the patch is in the summary and the proposal")
    if not steps or not steps[-1].done:
        said = [f"{step.rung}: {step.detail}" for step in steps]
        if options.comment_on == "never":
            said.append("comment: comment-on is never")
        raise DeliveryError(
            f"the patch could not be handed over, it is in the job's summary: {'; '.join(said)}"
        )
    last = steps[-1]
    branches = [step.branch for step in steps if step.branch]
    return Delivered(
        kind=last.rung,
        url=last.url,
        steps=tuple(steps),
        pull=last.pull,
        branch=branches[-1] if branches else "",
        commit=last.commit,
    )


def _for_branch(
    verified: Verified, github: GitHub, options: DeliveryOptions, server_url: str, *, asked: bool
) -> Delivered:
    """Publish what is for a branch and for no pull request: there is no comment to remember anything."""
    artifact = verified.artifact
    if not verified.artifact.is_patched:
        return Delivered.nothing("there is no patch, and no pull request to say so below")
    if options.delivery in {"comment", "suggestion"}:
        why = (
            f"delivery is {options.delivery}, and there is no pull request: the patch is in the job's summary"
        )
        return Delivered.nothing(why)
    if verified.warnings and options.delivery != "none":
        why = one_line(
            f"the policy does not know the patch to be harmless: {verified.warnings[0]}", limit=300
        )
        return Delivered.nothing(f"{why}; a person has to read it, it is in the job's summary")
    own, allowed = ladder.own_branch(verified), asked or bool(verified.applied)
    why = guards.reason_to_skip_branch(github, artifact.head_ref, artifact.head_sha, asked=allowed, but=own)
    if why or (not allowed and is_unwanted(verified.diff, State(), github)):
        return Delivered.nothing(why or guards.UNWANTED)
    steps: list[DeliveryStep] = []
    url = f"{server_url.rstrip('/')}/{github.repository}"
    handover = Handover(github=github, verified=verified, options=options, repository_url=url)
    _climb(handover, steps, has_comment=False)
    return _outcome(steps, options)


def _note(publication: _Publication, sticky: Sticky | None, *, asked: bool) -> Delivered:
    """Say that there is no patch, and why: in the comment that is there, or in a new one if asked for.

    New expectations of tests are suggested beside it. They are no patch: no rung but this one takes them.
    """
    artifact, pull, github = publication.artifact, publication.pull, publication.github
    old = sticky.state if sticky else State()
    verified = publication.verified
    dismissed = artifact.head_sha in old.dismissed and not asked
    if dismissed or publication.options.delivery == "none":
        verified = replace(verified, expected=None)
        artifact = artifact.model_copy(update={"new_expectations": None})
    expects = artifact.expectations_id if verified.expected else ""
    if sticky is None and publication.options.comment_on != "always" and not expects:
        return Delivered.nothing("there is no patch, and comments are for patches only")
    if old.stands and old.head == artifact.head_sha:
        return Delivered.nothing(STANDS)
    if sticky and (old.stands or old.expects not in {"", expects}):
        retract(github, pull, sticky, why="the branch has moved on")
    suggested = ladder.suggest_expectations(verified, github) if expects else None
    if publication.options.comment_on == "never":
        url = suggested.url if suggested else ""
        return Delivered(kind="none", url=url, reason="there is no patch; comment-on is never")
    counts = {name: getattr(old, name) for name in ("attempts", "day", "today", "run", "dismissed")}
    fresh = State(
        head=artifact.head_sha, tests=artifact.tests_id, refused=old.unwanted, expects=expects, **counts
    )
    body = render.comment(artifact, publication.counted(fresh), pull=pull, diff="")
    comment = save(github, pull.number, sticky, body)
    return Delivered(kind="none", url=comment.url, reason="there is no patch; the comment says why")
