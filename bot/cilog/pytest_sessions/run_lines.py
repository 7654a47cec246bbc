"""Read the lines of a pytest session while its tests run: header, progress, crashes.

All else that stands there is what the tests print uncaptured.
"""

import re
from collections.abc import Callable

from bot.cilog.pytest_sessions.session import PytestSession
from bot.cilog.pytest_sessions.summary import MAX_HEADER, progress
from bot.cilog.tracebacks.crash import Crash, begins, crash_of

COST = 200
"""Characters that an object counts for, beside the text that it holds."""

MAX_CRASHES = 20
CRASH_COST = 10_000

_HEADER = ("rootdir: ", "platform ", "Using --random", "random seed: ")
_PLATFORM = re.compile(r"platform \S+ -- Python (?P<python>[\w.+]+).*?, pytest-[\w.]+")
_SEED = re.compile(r"(?:Using --randomly-seed=|Using --random-order-seed=|random seed: )(?P<seed>\S+)")
_ROOT = re.compile(r"rootdir: (?P<root>.+?)(?:, (?:inifile|configfile|testpaths|plugins).*)?")


class RunLines:
    """The state: the crash whose stack is being read. ``keep`` says whether so much more may be kept."""

    def __init__(self, keep: Callable[[int], bool]) -> None:
        self.crash: Crash | None = None
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
        elif line.startswith(_HEADER):
            _read_header(line[:MAX_HEADER].rstrip(), session)
        elif begins(line):
            crash = crash_of(line, log_line=log_line, roots=session.known)
            if crash and len(session.crashes) < MAX_CRASHES and self._keep(CRASH_COST):
                session.crashes.append(crash)
                self.crash = crash


def _read_header(line: str, session: PytestSession) -> None:
    """Take what the line says into the session; a value once known stays, for a test may print another."""
    if not session.roots and (found := _ROOT.fullmatch(line)):
        session.roots = [found["root"].strip()]
    elif not session.python and (found := _PLATFORM.match(line)):
        session.python = found["python"]
    elif not session.seed and (found := _SEED.match(line)):
        session.seed = found["seed"]
