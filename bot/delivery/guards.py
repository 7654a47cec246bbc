"""Whether a repair may begin: what keeps Regreen from answering itself, or from answering without an end.

Pure but for what it reads from GitHub. Counts live in the comment below the pull request; where there is
none, nothing was published yet, and there is nothing to count. Where GitHub cannot be asked, that is a
``GitHubError``.
"""

from datetime import UTC, datetime

from bot.delivery.options import DeliveryOptions
from bot.delivery.proposal import ProposalArtifact, digest
from bot.delivery.sticky import State, find
from bot.delivery.verify import OWN_BRANCHES, says_it_is_a_fix
from bot.github.client import GitHub
from bot.github.records import PullRequest

OWN_COMMIT = "the last commit is Regreen's own: what still fails after it is for a person to see"
UNWANTED = "a person dismissed this very change, or took it out again; /regreen fix asks for it anyway"
_NEWEST = 10  # proposals for a branch to look at; one for its head is among the last


def reason_to_skip(
    github: GitHub, pull: PullRequest, options: DeliveryOptions, *, now: datetime, asked: bool = False
) -> str:
    """Why ``pull`` is left alone, in a sentence; empty if nothing speaks against a repair.

    Args:
        github: where to ask.
        pull: as it is now.
        options: the limits.
        now: the time, with its zone.
        asked: a person asked for this very repair: no count and no dismissal stands against that.
    """
    if pull.state != "open":
        return f"pull request {pull.number} is closed"
    if pull.head_ref.startswith(OWN_BRANCHES) and not pull.is_fork:
        return "the branch is one of Regreen's own: repairing a repair would never end"
    if asked:
        return ""
    if not pull.is_fork and says_it_is_a_fix(github, pull.head_sha):
        return OWN_COMMIT
    sticky = find(github, pull.number)
    return limit_reached(sticky.state, pull.head_sha, options, now=now) if sticky else ""


def reason_to_skip_branch(
    github: GitHub, branch: str, head: str, *, asked: bool = False, but: str = ""
) -> str:
    """Why ``branch``, which no pull request is for, is left alone at ``head``; see ``reason_to_skip``.

    A proposal on the branch ``but`` is none: it is the one that is being published.
    """
    if branch.startswith(OWN_BRANCHES):
        return "the branch is one of Regreen's own: repairing a repair would never end"
    if asked:
        return ""
    if says_it_is_a_fix(github, head):
        return OWN_COMMIT
    every = github.pulls_onto(branch)
    own = [pull for pull in every if pull.head_ref.startswith(OWN_BRANCHES) and not pull.is_fork]
    for pull in own[:_NEWEST]:
        if pull.head_ref != but and says_it_is_a_fix(github, pull.head_sha, parent=head):
            stands = "stands already" if pull.state == "open" else "was closed"
            return f"pull request {pull.number}, a proposal for this very commit, {stands}"
    return ""


def limit_reached(state: State, head: str, options: DeliveryOptions, *, now: datetime, run: str = "") -> str:
    """Which limit a further repair of ``head`` would break, in a sentence; empty if none.

    ``run`` is the repair (``run_of``) where it is made already: one that was counted is none further.
    """
    if head in state.dismissed:
        return "a person dismissed the proposal for this commit; /regreen fix asks again"
    if run and state.run == digest("run", run):
        return ""
    if state.attempts >= options.max_attempts_per_pull:
        return (
            f"{state.attempts} repairs of this pull request were tried, the limit is max-attempts-per-pull: "
            f"{options.max_attempts_per_pull}; /regreen fix asks for one more"
        )
    if state.day == _day(now) and state.today >= options.max_per_day:
        return (
            f"{state.today} repairs of this pull request were tried today, the limit is max-per-day: "
            f"{options.max_per_day}; /regreen fix asks for one more"
        )
    return ""


def is_answered(state: State, *, head: str, tests: str) -> bool:
    """Whether a proposal for ``tests`` (``ProposalArtifact.tests_id``) at ``head`` stands already."""
    return state.stands and state.status == "delivered" and (state.head, state.tests) == (head, tests)


def run_of(artifact: ProposalArtifact) -> str:
    """Names the repair that ``artifact`` came of, to be counted once."""
    return f"{artifact.run_id} {artifact.head_sha}"


def counted(state: State, *, run: str, now: datetime) -> State:
    """``state`` with one repair more; a run that was counted last is not counted twice."""
    name = digest("run", run)
    if state.run == name:
        return state
    day = _day(now)
    return state.model_copy(
        update={
            "attempts": state.attempts + 1,
            "day": day,
            "today": state.today + 1 if state.day == day else 1,
            "run": name,
        }
    )


def _day(now: datetime) -> str:
    return now.astimezone(UTC).strftime("%Y-%m-%d")
