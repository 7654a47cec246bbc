"""Find the failed examples that ``python -m doctest`` and ``doctest.testmod()`` report."""

import re

from bot.cilog.model import LogFailure, LogStatus
from bot.cilog.report_parser import ReportParser
from bot.cilog.runners.doctest_report import PLACE, read_example
from bot.cilog.tracebacks.native import MAX_KEPT_LINE

MAX_LINES = 2_000
"""Lines of one example."""

MAX_EXAMPLES = 2_000

_STARS = "*" * 60
_ITEMS = re.compile(r"\d+ items? had failures:")
_DONE = re.compile(r"\*\*\*Test Failed\*\*\* (?P<count>\d{1,9}) failures?(?:\.| .*)?")


class DoctestParser(ReportParser):
    """The state: the lines of the example that is open, and the examples before it."""

    marks = frozenset("*")

    def _reset(self) -> None:
        self._lines: list[str] = []
        self._failing: dict[str, LogFailure] = {}
        self._examples = 0
        self._from = 0
        self._started = 0
        self._open = False

    def opens(self, line: str, log_line: int) -> bool:
        """Look at a line that nobody owns; True where a report begins."""
        if not line.startswith(_STARS) or line.strip("*\n "):
            return False
        self._open, self._started, self._from, self._at = True, log_line, log_line, log_line
        return True

    def take(self, line: str, log_line: int) -> bool:
        """Take a line of the open report; False where it is over and the line is anybody's."""
        if not self._open:
            return False
        if line.startswith("==="):
            # No line of doctest's begins so: another report does, and this one has no end of its own.
            self.end()
            return False
        self._at = log_line
        if not self._lines and not self._examples and not PLACE.fullmatch(line.strip()):
            self._reset()
            return False
        if line.startswith(_STARS):
            self._example()
            self._from = log_line
        elif found := _DONE.fullmatch(line.rstrip()):
            self._example()
            self._close(int(found["count"]), finished=True)
        elif _ITEMS.fullmatch(line.rstrip()):
            self._example()
        elif len(self._lines) < MAX_LINES:
            self._lines.append(line[:MAX_KEPT_LINE])
        return True

    def end(self) -> None:
        """See ``ReportParser``."""
        if self._open:
            self._example()
            self._close(self._examples, finished=False)

    def _example(self) -> None:
        found = read_example(self._lines, roots=self._roots) if self._lines else None
        if found and self._examples < MAX_EXAMPLES:
            self._examples += 1
            failure = found.detail.failure(found.name, LogStatus.FAILED, log_line=self._from)
            self._failing.setdefault(found.name, failure)
        self._lines = []

    def _close(self, count: int, *, finished: bool) -> None:
        if self._failing:
            self._hand_on(self._failing.values(), start=self._started, finished=finished, failed=count)
        self._reset()
