"""Find interpreters that died outside of a pytest session: of unittest's test the line before names it."""

import re

from bot.cilog.report_parser import ReportParser
from bot.cilog.tracebacks.crash import FATAL, Crash, crash_of

_RUNNING = re.compile(r"(?P<name>\S+) \((?P<owner>[^()\s]+)\)(?: .*)? \.\.\. ")


class CrashParser(ReportParser):
    """The state: the crash whose stack is being read."""

    running = True

    def _reset(self) -> None:
        self._crash: Crash | None = None

    def opens(self, line: str, log_line: int) -> bool:
        """Look at a line that nobody owns; True where a report of a crash begins."""
        self._crash = crash_of(line, log_line=log_line, roots=self._roots)
        if self._crash is None:
            return False
        self._at = log_line
        found = _RUNNING.match(line.partition(FATAL)[0])
        if found:
            name, owner = found["name"], found["owner"]
            self._crash.test = owner if owner.endswith(f".{name}") else f"{owner}.{name}"
        return True

    def take(self, line: str, log_line: int) -> bool:
        """Take a line of the open report; False where it is over and the line is anybody's."""
        if self._crash is None:
            return False
        if self._crash.take(line):
            self._at = log_line
            return True
        self.end()
        return False

    def end(self) -> None:
        """See ``ReportParser``."""
        crash, self._crash = self._crash, None
        if crash is None or not crash.test:
            return
        self._hand_on([crash.failure(by_pytest=False)], start=crash.log_line, finished=False)
