"""Hold what one pytest session printed so far, and where in its output the reader is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from bot.cilog.model import LogSession, LogStatus
from bot.cilog.pytest_sessions.summary import Final, SummaryEntry
from bot.cilog.tracebacks.crash import Crash

SECTIONS = {"FAILURES": LogStatus.FAILED, "ERRORS": LogStatus.ERROR}
OTHER = re.compile(
    r"XFAILURES|X?PASSES|warnings summary.*|slowest .*durations.*|tests coverage|rerun test summary info"
)
ENDING = re.compile(r"coverage: |generated |benchmark|live log |snapshot report|JSON report")
"""Titles in a thin rule that stand below the last block, where no test's output does."""

_PREFIXES = ("ERROR collecting ", "ERROR at setup of ", "ERROR at teardown of ", "[doctest] ")


@dataclass(slots=True)
class Block:
    """One failure block as it was printed, without captured output."""

    title: str
    status: LogStatus
    log_line: int = 0
    lines: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The title without what pytest puts before the test's name."""
        prefix = next((prefix for prefix in _PREFIXES if self.title.startswith(prefix)), "")
        return self.title[len(prefix) :]


@dataclass(slots=True)
class PytestSession:
    """What one pytest session printed so far. ``explicit`` means that its opening line was seen."""

    explicit: bool
    log_line: int = 0
    end_log_line: int = 0
    roots: list[str] = field(default_factory=list)
    names: Sequence[str] = ()
    python: str = ""
    seed: str = ""
    crashes: list[Crash] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    groups: list[list[SummaryEntry]] = field(default_factory=list)
    seen: list[SummaryEntry] = field(default_factory=list)
    crash_lines: list[str] = field(default_factory=list)
    final: Final | None = None
    covered: tuple[int, int, int] = (0, 0, 0)

    @property
    def known(self) -> tuple[str, ...]:
        """The roots that the session names, and the names that the project's directory may have."""
        return (*self.roots, *self.names)

    def finish(self, final: Final) -> None:
        """Take a final line: it covers what was printed above it, and supersedes an earlier one."""
        self.final = final
        self.covered = (len(self.blocks), len(self.groups), len(self.groups[-1]) if self.groups else 0)

    def absorb(self, later: PytestSession) -> None:
        """Take over what a continuation of this session printed."""
        self.blocks += later.blocks
        self.groups += later.groups
        self.seen += later.seen
        self.crash_lines += later.crash_lines
        self.crashes += later.crashes
        self.end_log_line = later.end_log_line
        if later.final:
            self.finish(later.final)


class Zone(Enum):
    """Where in a session's output the reader is."""

    RUN = auto()  # header, progress, and whatever the tests print uncaptured
    REPORT = auto()  # between a section's header and its first block
    BLOCK = auto()
    CAPTURED = auto()
    SUMMARY = auto()
    OTHER = auto()  # a section that names no failure
    DONE = auto()


@dataclass(slots=True)
class Level:
    """An open session, with the sessions that opened and ended inside it."""

    session: PytestSession
    zone: Zone = Zone.RUN
    section: LogStatus | None = None
    inner: list[PytestSession] = field(default_factory=list)


def summed(session: PytestSession) -> LogSession:
    """The session's counts and header."""
    final = session.final or Final()
    return LogSession(
        log_line=session.log_line,
        end_log_line=session.end_log_line,
        finished=session.final is not None,
        passed=final.passed,
        failed=final.failed,
        errors=final.errors,
        root=session.roots[0] if session.roots else "",
        python=session.python,
        seed=session.seed,
    )
