"""Find the pytest sessions in a log's lines: an explicit state machine, one line at a time.

What a test prints may look like anything pytest prints (pytest's own plugins print whole sessions on
purpose). Position decides: a session's last final line counts, and covers what stands above it; a session
that opens inside another is dropped when the outer one goes on to end, and kept when it does not, for then
the outer one had crashed. What this cannot tell apart costs a repair time, never its verdict.

Does not decide what kind of job this was, and reads no other test runner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sized
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import BinaryIO

from bot.cilog.clean import lines
from bot.cilog.gather import Gather
from bot.cilog.model import LogReading, LogStatus
from bot.cilog.session import Block, Session
from bot.cilog.summary import MAX_HEADER, Final, entry, final_line, is_dots, progress, ruler

MAX_BLOCK_LINES = 4_000
"""Of a longer block the end is kept: that is where the exception stands."""

MAX_SESSION_ITEMS = 20_000
MAX_DEPTH = 50

_SECTIONS = {"FAILURES": LogStatus.FAILED, "ERRORS": LogStatus.ERROR}
_OTHER = re.compile(
    r"XFAILURES|PASSES|XPASSES|warnings summary.*|slowest .*durations.*|tests coverage|rerun test summary info",
)
_COLLECTED = re.compile(
    r"(?:collecting \.\.\. ?)?collected (\d{1,9}) items?|\d+ workers? \[(\d{1,9}) items?\]"
)
_TROUBLE = (
    "Segmentation fault",
    "ImportError while loading conftest ",
    "ERROR: not found: ",
    "ERROR: file or directory not found: ",
)
_RULERS = frozenset("=_-!")
_BARE_FINAL = frozenset("0123456789n")  # "no tests ran" is one, too


class _Zone(Enum):
    """Where in a session's output the reader is."""

    RUN = auto()  # header, progress, and whatever the tests print uncaptured
    REPORT = auto()  # between a section's header and its first block
    BLOCK = auto()
    CAPTURED = auto()
    SUMMARY = auto()
    OTHER = auto()  # a section that names no failure
    DONE = auto()


@dataclass(slots=True)
class _Level:
    """An open session, with the sessions that opened and ended inside it."""

    session: Session
    zone: _Zone = _Zone.RUN
    section: LogStatus | None = None
    inner: list[Session] = field(default_factory=list)


def read_log(stream: Iterable[bytes] | BinaryIO) -> LogReading:
    """Read every pytest session in a log. Any bytes do: what is not understood is not a failure."""
    machine = _Machine()
    machine.read(lines(stream))
    return machine.end()


class _Machine:
    """The state: the open sessions, outermost first, and the block that takes the next lines, if any."""

    def __init__(self) -> None:
        self._levels: list[_Level] = []
        self._body: list[str] | None = None
        self._quiet = True  # no session is open, or one that may end without a ruler
        self._gather = Gather()

    def read(self, source: Iterable[str]) -> None:
        """Take every line of the log."""
        for line in source:
            first = line[:1]
            if first in _RULERS and line and (title := ruler(line)) and self._ruled(first, title):
                continue
            if self._quiet and first in _BARE_FINAL and self._bare(line):
                continue
            if self._body is None:
                self._plain(line)
                continue
            self._body.append(line)
            if len(self._body) > 2 * MAX_BLOCK_LINES:
                del self._body[:MAX_BLOCK_LINES]
                self._gather.limited = True

    def end(self) -> LogReading:
        """Close what is open, and say what was read."""
        last = [self._top.session, *self._top.inner][-1] if self._levels else None
        unfinished = last is not None and last.final is None
        self._close()
        return self._gather.reading(unfinished=unfinished)

    # -- what opens and ends a session -------------------------------------------------------------------

    def _open(self, *, explicit: bool) -> _Level:
        if not self._levels or self._top.zone is _Zone.DONE:
            self._close()
        elif len(self._levels) >= MAX_DEPTH:
            self._pop()
        self._levels.append(_Level(session=Session(explicit=explicit)))
        self._enter(_Zone.RUN)
        return self._top

    @property
    def _top(self) -> _Level:
        return self._levels[-1]

    def _pop(self) -> None:
        """End an inner session: whether it counts depends on how the outer one goes on."""
        ended = self._levels.pop()
        self._top.inner += [ended.session, *ended.inner]
        self._enter(self._top.zone)

    def _finish(self, final: Final, *, ruled: bool) -> None:
        if not self._levels:
            self._open(explicit=False)
        level = self._top
        level.session.finish(final)
        if len(self._levels) > 1:
            self._pop()
            return
        level.inner.clear()
        if ruled and not level.session.explicit:
            level.session = self._gather.resume(level.session)
        self._enter(_Zone.DONE)

    def _close(self) -> None:
        """Close every open session, in the order in which they began."""
        for level in self._levels:
            self._gather.add(level.session)
            for session in level.inner:
                self._gather.add(session)
        self._levels.clear()
        self._body, self._quiet = None, True

    def _enter(self, zone: _Zone) -> None:
        level = self._top
        level.zone = zone
        blocks = level.session.blocks
        self._body = blocks[-1].lines if zone is _Zone.BLOCK and blocks else None
        self._quiet = not level.session.explicit

    # -- lines -------------------------------------------------------------------------------------------

    def _ruled(self, mark: str, title: str) -> bool:
        """Take a ruler; False where it is only text that looks like one."""
        if mark == "=":
            return self._section(title)
        if mark == "_":
            return self._block(title)
        if mark == "-":
            return self._captured(title)
        if self._levels and self._top.zone is not _Zone.CAPTURED and "stopping after" not in title:
            self._gather.note(title)
        return False

    def _section(self, title: str) -> bool:
        if title == "test session starts":
            self._open(explicit=True)
            return True
        if (final := final_line(title)) is not None:
            self._finish(final, ruled=True)
            return True
        if title in _SECTIONS:
            level = self._top if self._levels else self._open(explicit=False)
            level.section = _SECTIONS[title]
            self._enter(_Zone.REPORT)
            return True
        if title == "short test summary info":
            level = self._top if self._levels else self._open(explicit=False)
            if self._has_room(level.session.groups):
                level.session.groups.append([])
            self._enter(_Zone.SUMMARY)
            return True
        if self._levels and _OTHER.fullmatch(title):
            self._enter(_Zone.OTHER)
            return True
        return False

    def _block(self, title: str) -> bool:
        if len(self._levels) > 1 and self._top.section is None and self._levels[-2].section is not None:
            # No session prints a block before its report has begun: this one was a test's own words.
            self._levels.pop()
            self._enter(self._top.zone)
        if not self._levels or self._top.section is None or self._top.zone in {_Zone.RUN, _Zone.OTHER}:
            return False
        level = self._top
        if self._has_room(level.session.blocks):
            level.session.blocks.append(Block(title=title, status=level.section or LogStatus.FAILED))
        self._enter(_Zone.BLOCK)
        return True

    def _captured(self, title: str) -> bool:
        if not self._levels or self._top.section is None or not title.startswith("Captured "):
            return False
        if self._top.zone is not _Zone.OTHER:
            self._enter(_Zone.CAPTURED)
        return True

    def _bare(self, line: str) -> bool:
        final = final_line(line.rstrip())
        if final is not None:
            self._finish(final, ruled=False)
        return final is not None

    def _plain(self, line: str) -> None:
        """Take a line that is no ruler and belongs to no block."""
        zone = self._top.zone if self._levels else _Zone.DONE
        if zone in {_Zone.SUMMARY, _Zone.DONE}:
            self._entry(line)
        if zone in {_Zone.RUN, _Zone.DONE}:
            self._live(line, zone)
        elif (
            zone is _Zone.REPORT
            and line[:1] not in {"", " ", "E"}
            and self._has_room(self._top.session.crash_lines)
        ):
            self._top.session.crash_lines.append(line[:MAX_HEADER])

    def _entry(self, line: str) -> None:
        groups = self._top.session.groups if self._levels else []
        if (
            groups
            and line[:1] in {"F", "E", "S", "[", "("}
            and (found := entry(line))
            and self._has_room(groups[-1])
        ):
            groups[-1].append(found)

    def _live(self, line: str, zone: _Zone) -> None:
        if len(line) > MAX_HEADER:
            return
        if zone is _Zone.DONE and line[:1] in ".FEsxXf" and line.endswith("]") and is_dots(line):
            self._open(explicit=False)
        elif line.startswith("INTERNALERROR> "):
            self._gather.internal_error(line)
        elif line.startswith(_TROUBLE):
            self._gather.note(line)
        elif "Fatal Python error: " in line:
            before, _, reason = line.partition("Fatal Python error: ")
            self._gather.note(
                f"Fatal Python error: {reason}" + (f" in {before.strip()}" if "::" in before else "")
            )
        elif zone is _Zone.RUN:
            self._running(line)

    def _running(self, line: str) -> None:
        session = self._top.session
        if (
            ("FAILED" in line or "ERROR" in line)
            and (found := progress(line))
            and self._has_room(session.seen)
        ):
            session.seen.append(found)
        elif line.startswith("rootdir: ") and not session.roots:
            session.roots.append(line[len("rootdir: ") :].partition(",")[0].strip())
        elif " item" in line or "[" in line:
            found_count = _COLLECTED.match(line)
            if found_count and session.collected is None:
                session.collected = int(found_count[1] or found_count[2])

    def _has_room(self, items: Sized) -> bool:
        if len(items) < MAX_SESSION_ITEMS:
            return True
        self._gather.limited = True
        return False
