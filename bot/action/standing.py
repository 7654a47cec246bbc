"""Whether a proposal that stands answers a failure already, so that nothing is searched a second time.

One commit may fail in several runs: of a push and of its pull request, or of one that was started again.
"""

from collections.abc import Sequence

from bot.action.logs import JobLog
from bot.delivery.sticky import Sticky
from bot.triage.log import is_for_repair


def answers(sticky: Sticky | None, *, head: str, settings_digest: str, logs: Sequence[JobLog]) -> bool:
    """Whether what ``sticky`` proposes is for the same head, settings and failing tests as ``logs`` show.

    A log that names no test may be of another failure. So may one that names another test.
    """
    if sticky is None or sticky.artifact is None or not sticky.state.stands:
        return False
    artifact, state = sticky.artifact, sticky.state
    if (state.status, state.head) != ("delivered", head) or artifact.settings_digest != settings_digest:
        return False
    failed = {one.test for one in artifact.failing}
    repairable = [log for log in logs if is_for_repair(log.answer)]
    return bool(repairable) and all(
        log.answer.tests and failed.issuperset(log.answer.tests) for log in repairable
    )
