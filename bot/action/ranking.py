"""The order in which failed jobs are tried: the one first whose failure is likeliest the code's. Pure."""

from collections.abc import Iterable, Sequence

from bot.action.logs import JobLog
from bot.action.systems import is_linux
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
        not is_linux(log.job),
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
