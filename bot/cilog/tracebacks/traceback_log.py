"""Find tracebacks that stand in a log outside of any test's report: a script's, a tool's, a logged one.

Takes the frames, the exception's line, and the chain that goes on below; the further lines of a message are
not distinguished from the output that follows, and are left.
"""

import re
from collections.abc import Sequence

from bot.cilog.model import LogTraceback
from bot.cilog.report_parser import ReportParser
from bot.cilog.tracebacks.native import CAUSE, CONTEXT, HEADERS, MAX_KEPT_LINE, read_traceback

MAX_LINES = 3_000
"""Lines of one traceback; a longer one keeps its beginning and is read no further."""

_TYPE = re.compile(r"[^\W\d][\w.]*(?:\.<locals>\.[\w.]+)?(?::.*)?")


class TracebackParser(ReportParser):
    """The state: the lines of the traceback that is open, without what stands before each."""

    running = True

    def _reset(self) -> None:
        self._lines: list[str] = []
        self._prefix = ""
        self._from = 0
        self._said = False  # an exception's line was seen: only a chain goes on
        self._grouped = False
        self._blank = 0

    def opens(self, line: str, log_line: int) -> bool:
        """Look at a line that nobody owns and that holds a traceback's header; True where one begins."""
        header = next((header for header in reversed(HEADERS) if line.rstrip().endswith(header)), "")
        if not header:
            return False
        before = line.rstrip()[: -len(header)]
        grouped = before.endswith("+ ")
        before = before.removesuffix("  + ") if grouped else before
        # A logger's own words may stand before the header, and do not before the lines below it.
        self._prefix = before if not before.strip() or before.endswith(("| ", "> ")) else ""
        self._lines = [line.rstrip()[len(before) :]]
        self._from, self._at = log_line, log_line
        self._grouped = grouped
        return True

    def take(self, line: str, log_line: int) -> bool:
        """Take a line of the open traceback; False where it is over and the line is anybody's."""
        if not self._lines:
            return False
        text = line.removeprefix(self._prefix) if line.strip() else ""
        if len(self._lines) >= MAX_LINES or not self._goes_on(text):
            self.end()
            return False
        self._lines.append(text[:MAX_KEPT_LINE])
        self._at = log_line
        return True

    def syntax_error(self, lines: Sequence[str], log_line: int) -> None:
        """Take a syntax error of a main program, which has no header: its place and source stand above it."""
        if not lines[-1].startswith(("SyntaxError: ", "IndentationError: ", "TabError: ")):
            return
        at = next((n for n in reversed(range(len(lines))) if lines[n].startswith('  File "')), None)
        if at is not None:
            self._lines = list(lines[at:])
            self._from, self._at = log_line - (len(lines) - 1 - at), log_line
            self.end()

    def _goes_on(self, text: str) -> bool:
        if not text.strip():
            self._blank += 1
            return self._blank < 3 and (self._said or self._grouped or self._blank == 1)
        if text.startswith((CAUSE, CONTEXT)):
            self._said = False
        elif text in HEADERS or text.startswith("  + Exception Group "):
            if self._said:
                return False
            self._grouped = text not in HEADERS[:1]
            self._said = False
        elif text.startswith(("  | ", "  +-", "    |", "    +", "  |")) and self._grouped:
            pass
        elif self._said or self._grouped:
            return False
        elif text.startswith(("  ", "\t")):
            pass
        elif _TYPE.fullmatch(text[:2_000]) and self._blank == 0:
            self._said = True
        else:
            return False
        self._blank = 0
        return True

    def end(self) -> None:
        """See ``ReportParser``."""
        found = read_traceback(self._lines, roots=self._roots)
        if found.exception:
            traceback = LogTraceback(
                exception=found.exception,
                message=found.message.split("\n", 1)[0],
                log_line=self._from,
                end_log_line=self._at,
                frames=found.frames,
                related=found.related,
            )
            self._collector.traceback(traceback)
        self._reset()
