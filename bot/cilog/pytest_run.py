"""Read the lines of a pytest session while its tests run: header, progress, crashes, pytest's own troubles.

All else that stands there is what the tests print uncaptured.
"""

from collections.abc import Callable

from bot.cilog.collector import Collector
from bot.cilog.crash import Crash, begins, crash_of
from bot.cilog.gather import Gather
from bot.cilog.pytest_header import HEADER, read_header
from bot.cilog.session import PytestSession
from bot.cilog.summary import progress

COST = 200
"""Characters that an object counts for, beside the text that it holds."""

MAX_CRASHES = 20
CRASH_COST = 10_000
TROUBLE = (
    "Segmentation fault",
    "ERROR: not found: ",
    "ERROR: file or directory not found: ",
    "ERROR: usage: ",
)
"""How lines begin in which pytest or the shell says why no test ran, or none to its end."""

_INTERNAL = "INTERNALERROR> "


class RunLines:
    """The state: the crash whose stack is being read. ``keep`` says whether so much more may be kept."""

    def __init__(self, collector: Collector, gather: Gather, keep: Callable[[int], bool]) -> None:
        self.crash: Crash | None = None
        self._collector = collector
        self._gather = gather
        self._keep = keep

    def take(self, line: str, session: PytestSession, log_line: int) -> None:
        """Take a line that the open session printed."""
        if self.crash and not self.crash.take(line):
            self.crash = None
        if ("FAILED" in line or "ERROR" in line) and (found := progress(line)):
            if self._keep(COST + len(line)):
                session.seen.append(found)
        elif line[-2:] == "%]":
            pass  # a test that passed: there may be a million of these
        elif line.startswith(HEADER) or line[-1:] == "]":
            read_header(line, session)
        elif not self.trouble(line) and begins(line):
            self._begin(line, session, log_line)

    def trouble(self, line: str) -> bool:
        """Note a line on pytest's own failure; whether it is one."""
        if line.startswith(_INTERNAL):
            self._gather.internal(line)
        elif line.startswith(TROUBLE):
            self._collector.note(line)
        else:
            return False
        return True

    def _begin(self, line: str, session: PytestSession, log_line: int) -> None:
        found = crash_of(line, log_line=log_line, roots=session.known)
        if found and len(session.crashes) < MAX_CRASHES and self._keep(CRASH_COST):
            session.crashes.append(found)
            self.crash = found
