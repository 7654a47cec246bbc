"""Check runs at a pull request's head: a verdict on it, and what came of a repair."""

from dataclasses import replace

from bot.delivery import markdown, render
from bot.delivery.annotate import in_diff
from bot.delivery.options import Delivered
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.publish import STANDS
from bot.delivery.verify import Verified
from bot.errors import GitHubError, PermissionDenied
from bot.github.client import GitHub
from bot.github.writing import Conclusion
from bot.result import Outcome

UNLIKE_THE_MERGE = (
    "the pull request, merged with its base, changes something else or more than what was judged"
)
REPAIR = "Regreen repair"
"""Not a verdict's name: where a verdict is required, a repair would stand for it."""


def write_check(verified: Verified, github: GitHub) -> Delivered:
    """Write the check run of a verdict. Its word counts for no more than GitHub's own merge bears out.

    Raises:
        PermissionDenied: the token may not write checks.
        GitHubError: GitHub cannot be asked.
    """
    artifact = verified.artifact
    if artifact.is_patched and not _is_the_merge(verified, github):
        warnings = (*artifact.warnings, UNLIKE_THE_MERGE)
        artifact = artifact.model_copy(update={"warnings": warnings})
    url = github.check_run(
        sha=artifact.head_sha,
        conclusion=conclusion(artifact),
        title=render.heading(artifact),
        summary=render.check(artifact),
    )
    return Delivered(kind="check", url=url)


def _is_the_merge(verified: Verified, github: GitHub) -> bool:
    """Whether the judged patch is all by which the pull request's merge differs from its base."""
    artifact, pull = verified.artifact, verified.pull
    merge = github.merge_attempt(pull.number).sha if pull else ""
    return (
        bool(merge)
        and github.read_commit(merge).parents == (artifact.base_sha, artifact.head_sha)
        and github.changes_only(verified.after, sha=merge, parent=artifact.base_sha)
    )


def conclusion(artifact: ProposalArtifact) -> Conclusion:
    """Success only where nothing speaks against the change; neutral where nothing was decided."""
    if artifact.is_patched:
        return "neutral" if artifact.doubts or artifact.warnings else "success"
    return "failure" if artifact.outcome is Outcome.NO_PATCH else "neutral"


def write_repair(verified: Verified, delivered: Delivered, github: GitHub) -> str:
    """Write what came of a repair as a neutral check run; where it cannot be, why, in a clause.

    A patch that was not ``delivered``, as after it was dismissed, is not shown.
    """
    # New expectations of tests stand where they are suggested, until somebody dismisses them.
    artifact, pull = verified.artifact.model_copy(update={"new_expectations": None}), verified.pull
    if pull is None or delivered.reason == STANDS:
        return ""
    title, summary = render.heading(artifact), render.check(artifact, replace(delivered, reason=""))
    withheld = artifact.is_patched and delivered.kind == "none"
    if withheld:
        title, summary = "Regreen proposes nothing here", f"{markdown.sentence(delivered.reason)}\n"
    try:
        github.check_run(
            sha=artifact.head_sha,
            conclusion="neutral",
            title=title,
            summary=summary,
            name=REPAIR,
            annotations=() if withheld else in_diff(verified, github.changed_files(pull.number)),
        )
    except PermissionDenied:
        return "none was written: the token lacks `checks: write`, which nothing else needs"
    except GitHubError as error:
        return f"none was written: {error}"
    return ""
