"""Find the pytest sessions in a log's lines: an explicit state machine, one line at a time.

What a test prints may look like anything pytest prints (pytest's own plugins print whole sessions on
purpose). Position decides: a session's last final line counts, and covers what stands above it; a session
that opens inside another is dropped when the outer one goes on to end, and kept when it does not, for then
the outer one had crashed. What this cannot distinguish costs a repair time, never its verdict.

Does not decide what kind of job this was, and reads no other test runner.
"""

from collections.abc import Callable, Sequence

from bot.cilog.collector import Collector
from bot.cilog.model import LogStatus
from bot.cilog.pytest_sessions.failures import failures
from bot.cilog.pytest_sessions.run_lines import COST, RunLines
from bot.cilog.pytest_sessions.session import (
    ENDING,
    OTHER,
    SECTIONS,
    Block,
    Level,
    PytestSession,
    Zone,
    summed,
)
from bot.cilog.pytest_sessions.summary import MAX_HEADER, Final, entry, final_line, is_dots, ruler
from bot.cilog.report_parser import ReportParser

MAX_BLOCK_LINES = 4_000
"""Of a longer block the end is kept: that is where the exception stands."""

MAX_KEPT = 32_000_000
"""Characters kept of the open sessions together: a log may be larger than the memory."""

SESSION_COST = 10_000
MAX_DEPTH = 50

_ENTRY_MARKS = frozenset("FES[(")
_RULERS = frozenset("=_-!")
_BARE_FINAL = frozenset("0123456789n")  # "no tests ran" is one, too


class PytestParser(ReportParser):
    """The state: the open sessions, outermost first, and who takes the next line."""

    # The first characters of lines that may mean something while no session is open, or a finished one.
    marks = _RULERS | _BARE_FINAL | _ENTRY_MARKS | frozenset(".FEI")
    # These begin a line of progress, which has its own end, or a summary's.
    _plain = frozenset(".FEsxXfRu,[(")

    def __init__(self, collector: Collector, roots: Sequence[str] = ()) -> None:
        super().__init__(collector, roots)
        self._levels: list[Level] = []
        self._last: PytestSession | None = None  # closed, and perhaps resumed
        self._kept = 0
        self._at = 0
        self._quiet = True  # no session is open, or one that may end without a ruler
        self._owns = False
        self._run = RunLines(self._keep)
        self._take: Callable[[str], None] = self._idle
        self._takers: dict[Zone, Callable[[str], None]] = {
            Zone.RUN: lambda line: self._run.take(line, self._top.session, self._at),
            Zone.REPORT: self._report,
            Zone.BLOCK: self._block_line,
            Zone.SUMMARY: self._entry,
            Zone.DONE: self._done,
        }

    def opens(self, line: str, log_line: int) -> bool:
        """Look at a line that nobody owns; True where a session is open then that owns what follows."""
        if not self._levels and line[-1:] != "]" and line[:1] in self._plain:
            return False
        self._line(line, log_line)
        return self._owns

    def take(self, line: str, log_line: int) -> bool:
        """Take a line of the open session; False where it is over and the line is anybody's."""
        if not self._owns:
            return False
        if line[:1] in _RULERS or self._quiet:
            self._line(line, log_line)
        else:
            self._at = log_line
            self._take(line)
        return True

    def boundary(self, log_line: int) -> None:
        """A step of the job begins or ends here: whatever was open has ended."""
        self._at = log_line
        if self._levels:
            self._close()

    def end(self) -> None:
        """See ``ReportParser``."""
        self._close()
        self._settle()

    def _line(self, line: str, log_line: int) -> None:
        self._at = log_line
        first = line[:1]
        if first in _RULERS and (title := ruler(line)) and self._ruled(first, title):
            self._run.crash = None
            return
        if self._quiet and first in _BARE_FINAL and self._bare(line):
            return
        self._take(line)

    # -- what opens and ends a session -------------------------------------------------------------------

    def _open(self, *, explicit: bool) -> Level:
        if not self._levels or self._top.zone is Zone.DONE:
            self._close()
        elif len(self._levels) >= MAX_DEPTH:
            self._pop()
        session = PytestSession(explicit=explicit, log_line=self._at, names=self._roots)
        self._levels.append(Level(session=session))
        self._enter(Zone.RUN)
        return self._top

    @property
    def _top(self) -> Level:
        return self._levels[-1]

    def _pop(self) -> None:
        """End an inner session: whether it counts depends on how the outer one goes on."""
        ended = self._levels.pop()
        if self._keep(SESSION_COST):
            self._top.inner += [ended.session, *ended.inner]
        self._enter(self._top.zone)

    def _finish(self, final: Final, *, ruled: bool) -> None:
        if not self._levels:
            self._open(explicit=False)
        level = self._top
        level.session.finish(final)
        level.session.end_log_line = self._at
        if len(self._levels) > 1:
            self._pop()
            return
        level.inner.clear()
        if ruled and not level.session.explicit:
            level.session = self._resumed(level.session)
        self._enter(Zone.DONE)

    def _close(self) -> None:
        """Close every open session, in the order in which they began."""
        for level in self._levels:
            for session in (level.session, *level.inner):
                session.end_log_line = session.end_log_line or self._at
                self._settle()
                self._last = session
        self._levels.clear()
        self._kept = 0
        self._run.crash = None
        self._take, self._quiet = self._idle, True
        self._owns = self.running = False

    def _resumed(self, session: PytestSession) -> PytestSession:
        """The session that ``session`` continues: its predecessor, if that had an opening line.

        A quiet session ends without a ruler. One that ends with a ruler and has no opening line is the
        rest of a session in whose middle a test printed a final line.
        """
        if self._last is None or not self._last.explicit:
            return session
        whole, self._last = self._last, None
        whole.absorb(session)
        return whole

    def _settle(self) -> None:
        """Hand the last closed session on: nothing continues it."""
        session, self._last = self._last, None
        if session is not None:
            self._collector.session(summed(session), failures(session))

    def _enter(self, zone: Zone) -> None:
        level = self._top
        level.zone = zone
        self._take = self._takers.get(zone, _ignore)
        self._quiet = not level.session.explicit
        self._owns, self.running = zone is not Zone.DONE, zone is Zone.RUN

    # -- lines -------------------------------------------------------------------------------------------

    def _ruled(self, mark: str, title: str) -> bool:
        """Take a ruler; False where it is only text that looks like one."""
        take = {"=": self._section, "_": self._block, "-": self._captured}.get(mark)
        return take is not None and take(title)

    def _section(self, title: str) -> bool:
        if title == "test session starts":
            self._open(explicit=True)
            return True
        if (final := final_line(title)) is not None:
            self._finish(final, ruled=True)
            return True
        if title in SECTIONS:
            level = self._top if self._levels else self._open(explicit=False)
            level.section = SECTIONS[title]
            self._enter(Zone.REPORT)
            return True
        if title == "short test summary info":
            level = self._top if self._levels else self._open(explicit=False)
            if self._keep(COST):
                level.session.groups.append([])
            self._enter(Zone.SUMMARY)
            return True
        if self._levels and OTHER.fullmatch(title):
            self._enter(Zone.OTHER)
            return True
        return False

    def _block(self, title: str) -> bool:
        if len(self._levels) > 1 and self._top.section is None and self._levels[-2].section is not None:
            # No session prints a block before its report has begun: that one was a test's own words.
            self._levels.pop()
            self._enter(self._top.zone)
        if not self._levels or self._top.section is None or self._top.zone in {Zone.RUN, Zone.OTHER}:
            return False
        if self._top.zone is Zone.DONE and title == "summary":
            return False  # tox's own, below its last session
        level = self._top
        if self._keep(COST + len(title)):
            status = level.section or LogStatus.FAILED
            level.session.blocks.append(Block(title=title, status=status, log_line=self._at))
        self._enter(Zone.BLOCK)
        return True

    def _captured(self, title: str) -> bool:
        if self._levels and self._top.zone is Zone.BLOCK and ENDING.match(title):
            self._enter(Zone.OTHER)
            return True
        if not self._levels or self._top.section is None or not title.startswith("Captured "):
            return False
        if self._top.zone is not Zone.OTHER:
            self._enter(Zone.CAPTURED)
        return True

    def _bare(self, line: str) -> bool:
        final = final_line(line.rstrip()) if " in " in line else None
        if final is not None:
            self._finish(final, ruled=False)
        return final is not None

    # -- lines that are no rulers, by the zone they stand in ---------------------------------------------

    def _idle(self, line: str) -> None:
        if line.endswith("]") and is_dots(line):
            self._open(explicit=False)

    def _done(self, line: str) -> None:
        self._entry(line)
        self._idle(line)

    def _report(self, line: str) -> None:
        if line[:1] not in {"", " ", "E"} and self._keep(COST + len(line)):
            self._top.session.crash_lines.append(line[:MAX_HEADER])

    def _block_line(self, line: str) -> None:
        if not self._keep(len(line) + 50):
            return
        body = self._top.session.blocks[-1].lines
        body.append(line)
        if len(body) > 2 * MAX_BLOCK_LINES:
            del body[:MAX_BLOCK_LINES]
            self._collector.limited = True

    def _entry(self, line: str) -> None:
        groups = self._top.session.groups
        if groups and line[:1] in _ENTRY_MARKS and (found := entry(line)) and self._keep(COST + len(line)):
            groups[-1].append(found)

    def _keep(self, size: int) -> bool:
        """Whether that much more may be kept of the sessions that are open."""
        if self._kept + size > MAX_KEPT:
            self._collector.limited = True
            return False
        self._kept += size
        return True


def _ignore(_line: str) -> None:
    """Captured output, and sections that name no failure: whoever wrote this is not believed."""
