"""Proposals that the end of a run shows to be out of date: the head moved, or CI passes.

Where GitHub cannot be asked, that is a ``GitHubError``.
"""

from bot.delivery.withdraw import has_stale, withdraw_stale
from bot.github.client import GitHub
from bot.github.events import Trigger
from bot.ports import Progress


def withdraw_outdated(trigger: Trigger, github: GitHub, progress: Progress) -> None:
    """Take back the proposals that are out of date."""
    for number in _pulls(trigger, github):
        why = withdraw_stale(github, number)
        if why:
            progress.stage("withdrawn", f"the proposal for pull request {number}: {why}")


def has_outdated(trigger: Trigger, github: GitHub) -> bool:
    """Whether ``withdraw_outdated`` would probably find something."""
    return any(has_stale(github, number) for number in _pulls(trigger, github))


def _pulls(trigger: Trigger, github: GitHub) -> tuple[int, ...]:
    """The pull requests that the run is for which ended; none for other events."""
    if trigger.kind != "workflow_run":
        return ()
    run = github.run(trigger.run_id)
    return run.pulls or tuple(pull.number for pull in github.pulls_at(run.head_sha))
