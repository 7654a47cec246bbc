"""Who may have what repaired. Pure: what it judges was asked of the API, never read in the event's payload.

The rules, in the order in which they are applied:

1. Only events are answered that run the default branch's workflow, or one whose author can write anyway.
2. A pull request has to be open, and to ask for a merge into this very repository.
3. What comes from a fork is repaired only when a person asks for that: by a comment or by hand.
4. Everybody who set the run off can write: who started or restarted our run; who wrote the comment; for a run
   that nobody asked for, also who started or restarted the run that failed.
5. What failed is what is there now: the failed run's commit is the head.

A bot that the base branch's file trusts counts as somebody who can write, for its own pull requests in this
repository, and never where something is asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.errors import quoted
from bot.github.records import Permission, PullRequest, WorkflowRun

ASKED: frozenset[str] = frozenset({"issue_comment", "workflow_dispatch"})
# Runs the pull request's own workflow, so it is not for forks.
AT_LINES: frozenset[str] = frozenset({"pull_request_review_comment"})
AUTOMATIC: frozenset[str] = frozenset({"workflow_run", "pull_request"})
WRITERS: frozenset[Permission] = frozenset({"write", "maintain", "admin"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Initiator:
    """What set Regreen off, as GitHub's API reports it.

    ``actors`` started or restarted our own run; ``commenter`` is empty where there is no comment. ``run`` is
    the run that failed, where one is known; ``pull`` the pull request, None where a branch is repaired.
    ``trusted_bots`` are logins that the base branch's file names.
    """

    kind: str
    repository: str
    actors: tuple[str, ...]
    commenter: str = ""
    run: WorkflowRun | None = None
    pull: PullRequest | None = None
    trusted_bots: frozenset[str] = frozenset()

    def trusts(self, name: str) -> bool:
        """Whether ``name`` is a trusted bot, and this about its own pull request."""
        author = self.pull.author if self.pull and not self.pull.is_fork else ""
        return name in self.trusted_bots and name == author and self.kind in AUTOMATIC


def people(asking: Initiator) -> tuple[str, ...]:
    """Those whose permission decides, each once."""
    names = [*asking.actors] if asking.kind != "schedule" else []
    if asking.commenter:
        names.append(asking.commenter)
    if asking.run and asking.kind in AUTOMATIC:
        names += [asking.run.actor, asking.run.triggering_actor]
    return tuple(dict.fromkeys(names))


def refusal(asking: Initiator, permissions: Mapping[str, Permission]) -> str:
    """Why nothing is done, in a sentence that says what to do; empty where it may be done.

    ``permissions`` are of all ``people``; somebody who is not among them may do nothing.
    """
    if asking.kind not in ASKED | AT_LINES | AUTOMATIC | {"schedule"}:
        return (
            f"the event {quoted(asking.kind)} is none that Regreen answers: use workflow_run, "
            "workflow_dispatch, issue_comment, pull_request_review_comment, pull_request or schedule"
        )
    return _about_the_pull(asking) or _about_people(asking, permissions) or _about_the_run(asking)


def _about_the_pull(asking: Initiator) -> str:
    pull = asking.pull
    if pull is None:
        return ""
    if pull.base_repository.lower() != asking.repository.lower():
        return f"pull request {pull.number} is not one of {asking.repository}"
    if pull.state != "open":
        return f"pull request {pull.number} is closed"
    if pull.is_fork and asking.kind not in ASKED:
        return (
            f"pull request {pull.number} comes from a fork: it is repaired only when somebody who can write "
            "here asks with /regreen fix, or starts the workflow by hand"
        )
    return ""


def _about_people(asking: Initiator, permissions: Mapping[str, Permission]) -> str:
    names = people(asking) or ("",)
    for name in names if asking.kind != "schedule" else ():
        if not name:
            return "GitHub does not say who started the run, so nothing is done"
        if asking.trusts(name):
            continue
        permission = permissions.get(name, "none")
        if permission not in WRITERS:
            return (
                f"{name} has the permission {quoted(permission)} for {asking.repository}, and it takes "
                "'write' to have Regreen do something"
            )
    return ""


def _about_the_run(asking: Initiator) -> str:
    run, pull = asking.run, asking.pull
    if run is None:
        return ""
    if pull and run.head_sha != pull.head_sha:
        return (
            f"the run {run.id} was for {run.head_sha[:12]}, and pull request {pull.number} is at "
            f"{pull.head_sha[:12]} now: its own run decides"
        )
    foreign = run.head_repository.lower() != asking.repository.lower()
    if foreign and asking.kind not in ASKED:
        return (
            f"the run {run.id} is for a fork's commit: it is repaired only when somebody who can write here "
            "asks with /regreen fix"
        )
    if foreign and pull is None:
        return f"the run {run.id} is for a fork's commit that no open pull request has as its head"
    return ""
