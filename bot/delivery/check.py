"""The check run by which a verdict on a pull request stands at its head."""

from bot.delivery import render
from bot.delivery.options import Delivered
from bot.delivery.proposal import ProposalArtifact
from bot.github.client import GitHub
from bot.github.writing import Conclusion
from bot.result import Outcome


def write_check(artifact: ProposalArtifact, github: GitHub) -> Delivered:
    """Write the check run; ``artifact`` was checked by ``bot.delivery.verify``.

    Raises:
        PermissionDenied: the token may not write checks.
        GitHubError: GitHub cannot be asked.
    """
    url = github.check_run(
        sha=artifact.head_sha,
        conclusion=conclusion(artifact),
        title=render.heading(artifact),
        summary=render.check(artifact),
    )
    return Delivered(kind="check", url=url)


def conclusion(artifact: ProposalArtifact) -> Conclusion:
    """Success only where nothing speaks against the change; neutral where nothing was decided."""
    if artifact.is_patched:
        return "neutral" if artifact.doubts or artifact.warnings else "success"
    return "failure" if artifact.outcome is Outcome.NO_PATCH else "neutral"
