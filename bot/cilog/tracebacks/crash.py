"""Read how an interpreter died: faulthandler's report, and what pytest-timeout prints before it kills.

Both show a stack for each thread. The test that ran is the one that the line before names, else the innermost
frame of the crashed thread that looks like a test's.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.cilog.model import Detail, LogFailure, LogStatus
from bot.cilog.paths import project_path
from bot.cilog.tracebacks.native import MAX_LINE
from sandbox.reports import Frame

MAX_STACK = 2_000
"""Lines of one thread's stack that are read."""

FATAL = "Fatal Python error: "

_TIMEOUT = "++++++ Timeout ++++++"
_WATCHDOG = re.compile(r"(?P<before>.*?)(?P<reason>Timeout \(\d+:\d\d:\d\d(?:\.\d+)?\)!)")
_FRAME = re.compile(r' *File "(?P<path>[^"]+)", line (?P<line>\d{1,7}),? in (?P<function>.+)')
_TEST = re.compile(r"(?:\[gw\d+\] )?(?P<test>\S.*?\.py::.+)")


@dataclass(slots=True)
class Crash:
    """A crash as far as it was read. ``take`` its lines until it refuses one."""

    reason: str
    test: str
    log_line: int
    timeout: bool = False
    stack: list[Frame] = field(default_factory=list)
    _roots: tuple[str, ...] = ()
    _reading: bool = False
    _innermost_first: bool = True
    _lines: int = 0

    def take(self, line: str) -> bool:
        """Whether the line belongs to the report."""
        self._lines += 1
        if self._lines > MAX_STACK * 10:
            return False
        text = line.strip()
        if not text or line.startswith(("  ", "Extension modules:", "Python runtime state:", "<Cannot show")):
            self._frame(line)
            return True
        if text.endswith("(most recent call first):"):
            # Other threads come first in the report; the crashed one is called current.
            self._reading = text.startswith("Current thread") or (self.timeout and not self.stack)
            return True
        if self.timeout and text.startswith("~~~~~"):
            self._reading, self._innermost_first = "MainThread" in text, False
            return True
        return self.timeout and _before_timeout(text) is not None

    def _frame(self, line: str) -> None:
        found = _FRAME.match(line) if self._reading and len(line) <= MAX_LINE else None
        path = project_path(found["path"], roots=self._roots) if found else None
        if found and path is not None and len(self.stack) < MAX_STACK:
            self.stack.append(Frame(path=path, line=int(found["line"]), function=found["function"].strip()))

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The project's frames of the thread that crashed, outermost first, up from the test."""
        frames = self.stack[::-1] if self._innermost_first else self.stack
        at = next((n for n, frame in enumerate(frames) if _is_test(frame)), 0)
        return tuple(frames[at:])

    @property
    def name(self) -> str:
        """The id of the test that ran, or an empty text."""
        if self.test:
            return self.test
        frame = next((frame for frame in self.frames if _is_test(frame)), None)
        return f"{frame.path}::{frame.function}" if frame else ""

    def failure(self, *, file: str = "", by_pytest: bool = True) -> LogFailure:
        """The test that ran, as a failing one; ``file`` is its own, where it is known."""
        said = Detail(message=self.reason, frames=self.frames)
        status, at = LogStatus.CRASHED, self.log_line
        return said.failure(self.name, status, log_line=at, file=file, by_pytest=by_pytest)


def begins(line: str) -> bool:
    """Whether a report of a crash may begin with this line: a cheap question."""
    return FATAL in line or ("Timeout" in line and (line.endswith(")!") or " Timeout ++++++" in line))


def crash_of(line: str, *, log_line: int, roots: Iterable[str] = ()) -> Crash | None:
    """The crash whose report begins with this line, or None."""
    if len(line) > 2 * MAX_LINE:
        return None
    before, fatal, reason = line.partition(FATAL)
    if fatal:
        return Crash(reason=f"{FATAL}{reason}", test=_running(before), log_line=log_line, _roots=tuple(roots))
    text = line.rstrip()
    found = _WATCHDOG.fullmatch(text)
    said = found["before"] if found else _before_timeout(text)
    if said is None:
        return None
    return Crash(
        reason=found["reason"] if found else "Timeout",
        test=_running(said),
        log_line=log_line,
        timeout=True,
        _roots=tuple(roots),
    )


def _running(before: str) -> str:
    """The test that a line names before the crash; empty where it names none."""
    found = _TEST.fullmatch(before.rstrip(" "))
    return found["test"] if found else ""


def _before_timeout(text: str) -> str | None:
    """What stands before pytest-timeout's ruler; None where ``text`` does not end in one."""
    before, ruler, after = text.partition(_TIMEOUT)
    return before.rstrip("+") if ruler and not after.strip("+") else None


def _is_test(frame: Frame) -> bool:
    name = frame.path.rpartition("/")[2]
    return frame.function.startswith("test") and (name.startswith("test") or name.endswith("_test.py"))
