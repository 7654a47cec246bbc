"""Find what pytest prints when a ``conftest.py`` cannot be imported: there is no session then."""

import re

from bot.cilog.model import LogStatus
from bot.cilog.paths import project_path
from bot.cilog.pytest_sessions.block import read_block
from bot.cilog.report_parser import ReportParser
from bot.cilog.tracebacks.native import MAX_KEPT_LINE

MAX_LINES = 2_000

_OPENING = re.compile(r"ImportError while loading conftest '(?P<path>[^']+)'\.?")
_GOES_ON = re.compile(r"[ >E]|\S[^:]*:\d+: ")


class ConftestParser(ReportParser):
    """The state: the file, and the lines of the traceback that is open."""

    marks = frozenset("I")
    running = True

    def _reset(self) -> None:
        self._path = ""
        self._lines: list[str] = []
        self._from = 0

    def opens(self, line: str, log_line: int) -> bool:
        """Look at a line that nobody owns; True where a report begins."""
        found = _OPENING.fullmatch(line.rstrip())
        if found:
            self._path, self._lines, self._from = found["path"], [], log_line
        return found is not None

    def take(self, line: str, log_line: int) -> bool:
        """Take a line of the open report; False where it is over and the line is anybody's."""
        del log_line
        if not self._path:
            return False
        if len(self._lines) < MAX_LINES and _GOES_ON.match(line):
            self._lines.append(line[:MAX_KEPT_LINE])
            return True
        self.end()
        return False

    def end(self) -> None:
        """See ``ReportParser``."""
        if not self._path:
            return
        detail = read_block(self._lines, roots=self._roots)
        path = project_path(self._path, roots=self._roots) or self._path
        failure = detail.failure(path, LogStatus.ERROR, log_line=self._from, file=path, by_pytest=True)
        self._at = self._from + len(self._lines)
        self._hand_on([failure], start=self._from, errors=1)
        self._reset()
