"""Which failed jobs are tried, the one first whose failure is likeliest the code's. Pure."""

from collections.abc import Iterable, Sequence

from bot.action.logs import JobLog
from bot.delivery.sticky import Sticky
from bot.triage.log import is_for_repair


def ranked(logs: Iterable[JobLog]) -> tuple[JobLog, ...]:
    """``logs`` with the likeliest first; of those alike, the first stays first.

    Code before all else, Linux before other systems, jobs that name failing tests, then the verdict's
    confidence, then the fewest failing tests.
    """
    return tuple(sorted(logs, key=_key))


def _key(log: JobLog) -> tuple[bool, bool, bool, float, int]:
    answer = log.answer
    return (
        not is_for_repair(answer),
        not log.job.is_linux,
        not answer.tests,
        -answer.verdict.confidence,
        len(answer.tests),
    )


def distinct(logs: Sequence[JobLog]) -> tuple[JobLog, ...]:
    """``logs`` without those whose failing tests are an earlier one's."""
    seen: set[frozenset[str]] = set()
    kept: list[JobLog] = []
    for log in logs:
        tests = frozenset(log.answer.tests)
        if tests and tests in seen:
            continue
        seen.add(tests)
        kept.append(log)
    return tuple(kept)


def answers(sticky: Sticky | None, *, head: str, settings_digest: str, logs: Sequence[JobLog]) -> bool:
    """Whether what ``sticky`` proposes is for the same head, settings and failing tests as ``logs`` show.

    One commit may fail in several runs: of a push and of its pull request, or of one that was started again.
    A log that names no test may be of another failure. So may one that names another test.
    """
    if sticky is None or sticky.artifact is None or not sticky.state.stands:
        return False
    artifact, state = sticky.artifact, sticky.state
    if (state.status, state.head) != ("delivered", head) or artifact.settings_digest != settings_digest:
        return False
    failed = {one.test for one in artifact.failing}
    named = [log.answer.tests for log in logs if is_for_repair(log.answer)]
    return bool(named) and all(tests and failed.issuperset(tests) for tests in named)
