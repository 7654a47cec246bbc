"""Who set this run off, as the API reports it, and whether they may."""

from collections.abc import Callable
from dataclasses import replace

from bot.action.subject import NotTrusted, Subject
from bot.action.trust import AUTOMATIC, Initiator, people, refusal
from bot.config.action_settings import Runner
from bot.github.client import GitHub
from bot.github.events import COMMENTS, Trigger, parse_request


def check_trusted(
    trigger: Trigger,
    runner: Runner,
    github: GitHub,
    subject: Subject,
    *,
    trusted_bots: Callable[[], frozenset[str]],
) -> None:
    """Check that everybody who caused this run may have ``subject`` repaired; see ``bot.action.trust``.

    ``trusted_bots`` are what the base branch's file names; it is read where a bot is involved.

    Raises:
        NotTrusted: somebody may not.
        GitHubError: GitHub cannot be asked.
    """
    asking = Initiator(
        kind=trigger.kind,
        repository=github.repository,
        actors=(runner.actor, runner.triggering_actor),
        commenter=commenter(trigger, github) if trigger.kind in COMMENTS else "",
        run=subject.runs[0] if subject.runs else None,
        pull=subject.pull,
    )
    bots = frozenset[str]()
    if asking.kind in AUTOMATIC and any(name.endswith("[bot]") for name in people(asking)):
        bots = trusted_bots()
    asking = replace(asking, trusted_bots=bots)
    unknown = (name for name in people(asking) if name and not asking.trusts(name))
    permissions = {name: github.permission_of(name) for name in unknown}
    if why := refusal(asking, permissions):
        raise NotTrusted(why)


def commenter(trigger: Trigger, github: GitHub) -> str:
    """Who wrote the comment.

    Raises:
        NotTrusted: there is no such comment any more, or it says something else now.
        GitHubError: GitHub cannot be asked.
    """
    read = github.review_comments if trigger.at_line else github.comments
    for comment in read(trigger.pull):
        if comment.id == trigger.comment_id:
            if parse_request(comment.body) != (trigger.command, trigger.test):
                raise NotTrusted("the comment was edited since: write a new one")
            return comment.author
    raise NotTrusted("the comment was deleted")
