"""What came of a run of the Action, before it is reported to anybody."""

from dataclasses import dataclass

from bot.delivery.options import Delivered
from bot.delivery.proposal import ProposalArtifact
from bot.errors import RegreenError

SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of a run. ``error`` ends it with its status, after all of this was reported.

    ``outcome`` is a repair's, or ``SKIPPED`` with the reason. ``to_publish`` is whether a job that can write
    has anything to do.
    """

    outcome: str
    reason: str = ""
    artifact: ProposalArtifact | None = None
    delivered: Delivered | None = None
    error: RegreenError | None = None
    to_publish: bool = False
