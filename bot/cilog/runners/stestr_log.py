"""Find the failing tests that stestr, testr and the like report: each with its captured output, indented."""

import re
from collections.abc import Sequence

from bot.cilog.model import LogFailure, LogStatus
from bot.cilog.report_parser import ReportParser
from bot.cilog.tracebacks.native import MAX_KEPT_LINE, MAX_LINE, read_traceback

MAX_LINES = 4_000
MAX_FAILURES = 5_000

_FAILED = re.compile(r"\{\d+\} (?P<test>\S+)(?: \[[\d.]+s\])? \.\.\. FAILED")
_SECTION = re.compile(r"Captured (?P<what>[\w :.-]{1,80}):")
_COUNT = re.compile(r" - (?P<what>[A-Z][A-Za-z ]{1,30}): (?P<count>\d{1,9})")
# Below a frame, as in versions that keep the indentation.
_RAISED = re.compile(r"[^\W\d][\w.]*(?:Error|Exception|Failure|MismatchError)(?:: .*)?")
_RAN = re.compile(r"Ran: \d{1,9} tests? in .*")


class StestrParser(ReportParser):
    """The state: the failing test whose output is being read, those before it, and the run's counts."""

    marks = frozenset("{R")

    def _reset(self) -> None:
        self._failing: dict[str, LogFailure] = {}
        self._test = ""
        self._from = self._started = 0
        self._section = ""
        self._lines: list[str] = []
        self._counts: dict[str, int] | None = None

    def opens(self, line: str, log_line: int) -> bool:
        """Look at a line that nobody owns; True where a failing test or the counts begin."""
        self._at = log_line
        if line.startswith("{"):
            found = _FAILED.fullmatch(line.rstrip()[:MAX_LINE])
            if found and len(self._failing) < MAX_FAILURES:
                self._test, self._from, self._section, self._lines = found["test"], log_line, "", []
                self._started = self._started or log_line
            return found is not None and bool(self._test)
        found = _RAN.fullmatch(line.rstrip()[:MAX_LINE]) if line.startswith("Ran: ") else None
        if found and self._failing:
            self._counts = {}
        return found is not None and self._counts is not None

    def take(self, line: str, log_line: int) -> bool:
        """Take a line of what is open; False where it is over and the line is anybody's."""
        self._at = log_line
        if self._counts is not None:
            found = _COUNT.fullmatch(line.rstrip())
            if found:
                self._counts[found["what"]] = int(found["count"])
                return True
            self._close()
            return False
        if not self._test:
            return False
        if found := _SECTION.fullmatch(line.rstrip()):
            self._section = found["what"]
        elif not line.strip() or line.startswith(("    ", "~~~")):
            if self._section == "traceback" and line.startswith("    ") and len(self._lines) < MAX_LINES:
                self._lines.append(line[4 : 4 + MAX_KEPT_LINE])
            elif self._section == "traceback" and not line.strip():
                self._lines.append("")
        else:
            self._finish()
            return False
        return True

    def end(self) -> None:
        """See ``ReportParser``."""
        self._finish()
        if self._failing:
            self._close()

    def _finish(self) -> None:
        """Read the traceback of the test that is open."""
        if not self._test:
            return
        found = read_traceback(_frames_and_rest(self._lines), roots=self._roots)
        self._failing[self._test] = found.failure(self._test, LogStatus.FAILED, log_line=self._from)
        self._test, self._lines = "", []

    def _close(self) -> None:
        counts = self._counts or {}
        self._hand_on(
            self._failing.values(),
            start=self._started,
            finished=self._counts is not None,
            passed=counts.get("Passed", 0),
            failed=counts.get("Failed", len(self._failing)),
        )
        self._reset()


def _frames_and_rest(lines: Sequence[str]) -> list[str]:
    """The lines without the source below each frame, whose indentation newer versions lose."""
    kept: list[str] = []
    in_frame = False
    for line in lines:
        if line.startswith('  File "'):
            in_frame = True
            kept.append(line)
        elif not line.strip():
            in_frame = False
        elif not in_frame or line.startswith(" "):
            kept.append(line)
        elif _RAISED.fullmatch(line):
            in_frame = False
            kept.append(line)
    return kept
