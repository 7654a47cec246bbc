"""What every parser of reports does: open a report at a line, take the lines that follow, close it."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from bot.cilog.collector import Collector
from bot.cilog.model import LogFailure, LogSession


class ReportParser:
    """Reads the reports of one kind. It receives every boundary between a job's steps, and the log's end.

    ``marks`` are the first characters of lines that may begin a report. ``running`` is True while the lines
    it takes may be anybody's words and say why a job failed: then they are looked at for evidence, too.
    ``roots`` are names that the project's directory may have.
    """

    marks: ClassVar[frozenset[str]] = frozenset()
    running: bool = False

    def __init__(self, collector: Collector, roots: Sequence[str] = ()) -> None:
        self._collector = collector
        self._roots = roots
        self._at = 0  # the last line of a report
        self._reset()

    def _reset(self) -> None:
        """Have no report open."""

    def _hand_on(  # noqa: PLR0913 - what a session is known by
        self,
        failing: Iterable[LogFailure],
        *,
        start: int,
        finished: bool = True,
        passed: int = 0,
        failed: int = 0,
        errors: int = 0,
    ) -> None:
        """Hand on the report from the line ``start`` to the last one, with its counts of tests."""
        end = self._at
        session = LogSession(
            log_line=start, end_log_line=end, finished=finished, passed=passed, failed=failed, errors=errors
        )
        self._collector.session(session, list(failing))

    def opens(self, line: str, log_line: int) -> bool:
        """Look at a line that nobody owns; True where it begins a report, which then owns what follows."""
        raise NotImplementedError

    def take(self, line: str, log_line: int) -> bool:
        """Take a line of the report that is open; False where that is over and the line is anybody's."""
        raise NotImplementedError

    def boundary(self, log_line: int) -> None:
        """A step of the job begins or ends here: whatever was open has ended."""
        del log_line
        self.end()

    def end(self) -> None:
        """Close what is open, as at the end of the log."""
        raise NotImplementedError
