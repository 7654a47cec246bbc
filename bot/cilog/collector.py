"""Add up what the parsers found in one log: union of the failures, sums of the counts.

The last session that names a test gives its detail, since CI repeats a test to give it another chance;
only a bare line of a summary does not displace a traceback. Every list has a limit, for a log's author
decides how much there is to find.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.cilog.model import LogFailure, LogReading, LogSession, LogStatus, LogTraceback

MAX_FAILURES = 10_000
MAX_SESSIONS = 2_000
MAX_TRACEBACKS = 200


@dataclass(slots=True)
class Collector:
    """Collects what was found; ``limited`` says that a limit left something out."""

    limited: bool = False
    _found: dict[str, LogFailure] = field(default_factory=dict)
    _sessions: list[LogSession] = field(default_factory=list)
    _tracebacks: list[LogTraceback] = field(default_factory=list)

    def session(self, session: LogSession, failing: Sequence[LogFailure]) -> None:
        """Take a closed session with its failing tests."""
        for failure in failing:
            # Removed first, so that the order is that of the last sighting.
            earlier = self._found.pop(failure.test, None)
            if len(self._found) < MAX_FAILURES:
                self._found[failure.test] = earlier if earlier and _says_less(failure, earlier) else failure
            else:
                self.limited = True
        if len(self._sessions) < MAX_SESSIONS:
            self._sessions.append(session)
        else:
            self.limited = True

    def traceback(self, found: LogTraceback) -> None:
        """Take a traceback outside of any session; of very many, the last ones are kept."""
        self._tracebacks.append(found)
        if len(self._tracebacks) > 2 * MAX_TRACEBACKS:
            del self._tracebacks[:MAX_TRACEBACKS]
            self.limited = True

    def reading(self, *, log_lines: int) -> LogReading:
        """What the reports say."""
        sessions = sorted(self._sessions, key=lambda session: session.log_line)
        return LogReading(
            failures=tuple(self._found.values()),
            passed=sum(session.passed for session in sessions),
            failed=sum(session.failed for session in sessions),
            errors=sum(session.errors for session in sessions),
            truncated=self.limited or (bool(sessions) and not sessions[-1].finished),
            sessions=tuple(sessions),
            tracebacks=tuple(self._tracebacks),
            log_lines=log_lines,
        )


def _says_less(failure: LogFailure, earlier: LogFailure) -> bool:
    if failure.status is not earlier.status and LogStatus.CRASHED not in {failure.status, earlier.status}:
        return False
    return not failure.frames and bool(earlier.frames)
