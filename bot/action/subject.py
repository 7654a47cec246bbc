"""What is to be repaired: found from what set Regreen off, and asked of the API rather than of the event."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.config.action_settings import ActionSettings
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.verify import OWN_BRANCHES
from bot.errors import ConfigurationError, quoted
from bot.github.client import GitHub
from bot.github.events import COMMENTS, LABEL, Trigger
from bot.github.records import PullRequest, WorkflowRun

MAX_LINES, MAX_LINE = 400, 1_000
"""Of what an author says of a pull request: what is read."""

FAILED = frozenset({"failure", "timed_out"})
# Runs at the default branch's head that say nothing of it: what they are about lies elsewhere.
_NOT_OF_THE_COMMIT = frozenset(
    {"issue_comment", "issues", "pull_request_review", "pull_request_review_comment", "workflow_run"}
)


class NothingToDo(Exception):
    """There is nothing to repair, or nothing that may be; the message says why. No failure of a run."""


class NotTrusted(NothingToDo):
    """Somebody asks who may not; there is no answer to that but the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A pull request's head, or a branch's where ``pull`` is None; ``runs`` are those that failed for it.

    ``config_ref`` is where its configuration is read: the base branch, which no pull request can change.
    """

    pull: PullRequest | None
    head_sha: str
    head_ref: str
    config_ref: str
    runs: tuple[WorkflowRun, ...] = ()

    def fits(self, artifact: ProposalArtifact) -> bool:
        """Whether ``artifact`` is for this very head, and for a run that failed there."""
        runs = {run.id for run in self.runs}
        if runs and artifact.run_id and artifact.run_id not in runs:
            return False
        number = self.pull.number if self.pull else 0
        return (artifact.pull, artifact.head_sha, artifact.head_ref) == (number, self.head_sha, self.head_ref)

    @property
    def from_fork(self) -> bool:
        """Whether its files come from another repository."""
        return self.pull is not None and self.pull.is_fork

    @property
    def said(self) -> tuple[str, ...]:
        """The lines of what its author says of it."""
        lines = (self.pull.title, *self.pull.body.splitlines()) if self.pull else ()
        return tuple(line[:MAX_LINE] for line in lines[:MAX_LINES])

    @property
    def name(self) -> str:
        """What people call it."""
        return f"pull request {self.pull.number}" if self.pull else f"the branch {quoted(self.head_ref)}"


def candidates(
    trigger: Trigger, github: GitHub, chosen: ActionSettings, *, own_run: int
) -> Iterator[Subject]:
    """What ``trigger`` asks for, or what the inputs name: one, or for a schedule all that may fail.

    Raises:
        NothingToDo: there is nothing like that.
        ConfigurationError: nothing is named, and the event names nothing.
        GitHubError: GitHub cannot be asked.
    """
    if chosen.run_id:
        yield _of_run(github.run(chosen.run_id), github)
    elif chosen.pull_request:
        yield _of_pull(github.pull(chosen.pull_request), github, own_run)
    elif chosen.branch:
        yield _of_branch(chosen.branch, github, own_run)
    elif trigger.kind == "schedule":
        yield from _scheduled(github, own_run)
    elif trigger.kind == "workflow_run":
        yield _of_run(github.run(trigger.run_id), github)
    elif trigger.kind == "pull_request" and trigger.action == "labeled":
        if not trigger.labelled:
            raise NothingToDo(f"the label is not {LABEL}")
        yield _of_pull(github.pull(trigger.pull), github, own_run)
    elif trigger.kind == "pull_request":
        pull = github.pull(trigger.pull)
        # The jobs of this very run that failed before ours began.
        yield _subject(pull, (github.run(own_run),))
    elif trigger.kind in COMMENTS:
        yield _of_pull(github.pull(trigger.pull), github, own_run)
    else:
        raise ConfigurationError(
            "nothing says what to repair: pass one of the inputs pull-request, run-id and branch"
        )


def _of_run(run: WorkflowRun, github: GitHub) -> Subject:
    if run.conclusion not in FAILED:
        ended = f"ended with {quoted(run.conclusion)}" if run.conclusion else "has not ended"
        raise NothingToDo(f"the run {run.id} of {quoted(run.name)} {ended}: there is no failure to repair")
    named = [github.pull(number) for number in run.pulls]
    pulls = [pull for pull in named if pull.state == "open"] or list(github.pulls_at(run.head_sha))
    here = [pull for pull in pulls if pull.base_repository.lower() == github.repository.lower()]
    if here:
        # Of several, the one that it is the head of; else it is out of date, which the rules of trust say.
        at_head = [pull for pull in here if pull.head_sha == run.head_sha]
        return _subject((at_head or here)[0], (run,))
    if run.head_repository.lower() != github.repository.lower():
        raise NothingToDo(f"the run {run.id} is for a fork's commit, which no open pull request is at")
    head = github.branch_head(run.head_branch)
    if head != run.head_sha:
        raise NothingToDo(
            f"the branch {quoted(run.head_branch)} is not at {run.head_sha[:12]} any more, which the run "
            f"{run.id} was for"
        )
    return _branch(run.head_branch, head, (run,), github)


def _of_pull(pull: PullRequest, github: GitHub, own_run: int) -> Subject:
    return _subject(pull, _failed_at(pull.head_sha, github, own_run, pushed_to=pull.head_repository))


def _of_branch(branch: str, github: GitHub, own_run: int) -> Subject:
    head = github.branch_head(branch)
    if head is None:
        raise ConfigurationError(f"there is no branch {quoted(branch)} in {github.repository}")
    runs = _failed_at(head, github, own_run, pushed_to=github.repository)
    return _branch(branch, head, runs, github)


def _scheduled(github: GitHub, own_run: int) -> Iterator[Subject]:
    """The default branch, then the open pull requests: those of them that fail."""
    branch = github.default_branch()
    first = _of_branch(branch, github, own_run)
    if first.runs:
        yield first
    for pull in github.open_pulls():
        if pull.is_fork or pull.head_ref.startswith(OWN_BRANCHES):
            continue
        subject = _of_pull(pull, github, own_run)
        if subject.runs:
            yield subject


def _failed_at(sha: str, github: GitHub, own_run: int, *, pushed_to: str) -> tuple[WorkflowRun, ...]:
    """The latest run of each workflow at ``sha``, where it failed; our own workflow's are none of them.

    A commit may lie in a fork as well: runs for it there, or rather for what a pull request from there merges
    it with, say nothing about the repository that this one was ``pushed_to``.
    """
    runs = github.runs_at(sha)
    ours = {run.name for run in runs if run.id == own_run}
    latest: dict[str, WorkflowRun] = {}
    for run in runs:
        here = run.head_repository.lower() == pushed_to.lower()
        if here and run.id != own_run and run.name not in ours and run.event not in _NOT_OF_THE_COMMIT:
            latest.setdefault(run.name, run)
    return tuple(run for run in latest.values() if run.conclusion in FAILED)


def _subject(pull: PullRequest, runs: Sequence[WorkflowRun]) -> Subject:
    return Subject(
        pull=pull, head_sha=pull.head_sha, head_ref=pull.head_ref, config_ref=pull.base_ref, runs=tuple(runs)
    )


def _branch(branch: str, head: str, runs: tuple[WorkflowRun, ...], github: GitHub) -> Subject:
    return Subject(pull=None, head_sha=head, head_ref=branch, config_ref=github.default_branch(), runs=runs)
