"""Find unittest's reports in a log's lines; nose's, Django's and trial's look the same.

A report has no opening line: it is the blocks of the failing tests one after another, a line that counts the
tests, and the result. The counts decide which blocks are believed: a test may print what looks like one.
"""

import re
from collections.abc import Sequence
from enum import Enum, auto

from bot.cilog.collector import Collector
from bot.cilog.model import LogFailure, LogStatus
from bot.cilog.report_parser import ReportParser
from bot.cilog.runners.unittest_block import (
    MAX_TITLE,
    PRINTED,
    UnittestBlock,
    believed,
    is_title,
    prints,
    read_unittest_block,
)

MAX_BLOCK_LINES = 4_000
"""Lines of one block that are kept: a report's message may have as many lines as it likes."""

MAX_BLOCKS = 10_000
MAX_KEPT = 32_000_000
"""Characters kept of one report."""

MAX_WAIT = 50
"""Lines that may stand between the count of the tests and the result, where two streams are mixed."""

_DOUBLE = re.compile(r"={70,80}")
_SINGLE = re.compile(r"-{70,80}")
_RAN = re.compile(r"Ran (?P<count>\d{1,9}) tests? in [\d.]+s(?:econds)?")
_RESULT = re.compile(r"(?P<word>OK|FAILED|PASSED|NO TESTS RAN)(?: \((?P<counts>[^()]*)\))?")
_COUNT = re.compile(r"(?P<name>[A-Za-z_ ]+)=(?P<count>\d{1,9})")
_PROGRESS = re.compile(r"(?P<test>\S+ \([^()\s]+\))(?: .*)? \.\.\. (?:FAIL|ERROR)$")
_RUNNING = re.compile(r"[.FEsxu]+$|.* \.\.\. (?:ok|FAIL|ERROR|skipped .*)$")
_SESSION_START = "test session starts"


class _Zone(Enum):
    OUT = auto()
    HEAD = auto()  # a double rule was seen: a title may follow
    TITLE = auto()  # the title, and the test's description
    BODY = auto()
    FOOT = auto()  # a single rule was seen in a body: the count may follow
    RAN = auto()  # the count was seen: the result may follow
    AFTER = auto()  # the result was seen: where a block follows at once, a test had printed it


class UnittestParser(ReportParser):
    """The state: the blocks of the report that is open, and what the last line was."""

    marks = frozenset("=RS.FE")

    def __init__(self, collector: Collector, roots: Sequence[str] = ()) -> None:
        super().__init__(collector, roots)
        self._mirrored = False  # what tests had printed follows, after a report with --buffer
        self._said: set[str] = set()

    def _reset(self) -> None:
        self._zone = _Zone.OUT
        self._blocks: list[UnittestBlock] = []
        self._ruled = ""
        self._printing = False
        self._started = 0
        self._ran: int | None = None
        self._waited = 0
        self._kept = 0
        self._blank = False
        self._after: re.Match[str] | None = None

    def progress(self, line: str) -> None:
        """Look at a line that may say which test has just failed, as ``-v`` does."""
        if len(self._said) < MAX_BLOCKS and (found := _PROGRESS.match(line[:MAX_TITLE])):
            self._said.add(found["test"])

    def opens(self, line: str, log_line: int) -> bool:
        """Look at a line that nobody owns; True where a report begins."""
        if line[:1] not in "=R":
            if line in PRINTED:
                self._mirrored = True
            elif self._mirrored and _RUNNING.match(line[:MAX_TITLE]):
                self._mirrored = False
            return False
        if self._mirrored:
            return False
        if self._ran_line(line, log_line):
            return True
        if not _DOUBLE.fullmatch(line):
            return False
        self._started = self._started or log_line
        self._zone, self._ruled, self._at = _Zone.HEAD, line, log_line
        return True

    def take(self, line: str, log_line: int) -> bool:
        """Take a line of the open report; False where it is over and the line is anybody's."""
        self._at = log_line
        if self._zone is _Zone.OUT:
            return False
        if line[:1] != "=":
            self._blank = not line.strip()
        if line.startswith("=") and _SESSION_START in line:
            self._close(None)
            return False
        if self._zone is _Zone.HEAD:
            return self._head(line, log_line)
        if self._zone is _Zone.RAN:
            return self._result(line)
        if self._zone is _Zone.AFTER:
            return self._goes_on(line)
        self._inside(line, log_line)
        return True

    def _inside(self, line: str, log_line: int) -> None:
        if _DOUBLE.fullmatch(line):
            self._zone, self._ruled = _Zone.HEAD, line
        elif self._zone is _Zone.TITLE:
            if _SINGLE.fullmatch(line):
                self._zone, self._ruled = _Zone.FOOT, ""
            else:
                self._body(line)
        elif _SINGLE.fullmatch(line):
            self._unruled()
            self._zone, self._ruled = _Zone.FOOT, line
        elif self._zone is _Zone.FOOT and self._ran_line(line, log_line):
            pass
        else:
            self._unruled()
            self._zone = _Zone.BODY
            self._body(line)

    def _unruled(self) -> None:
        """Give a rule that no count follows to the block in which it stands."""
        if self._zone is _Zone.FOOT and self._ruled:
            self._body(self._ruled)

    def boundary(self, log_line: int) -> None:
        """A step of the job begins or ends here: whatever was open has ended."""
        self._at = log_line
        if self._zone is not _Zone.OUT:
            self._close(self._after)
        self._mirrored = False

    def end(self) -> None:
        """See ``ReportParser``."""
        self.boundary(self._at)

    def _head(self, line: str, log_line: int) -> bool:
        if not is_title(line):
            if not self._blocks:
                self._reset()
                return False
            self._body(self._ruled)
            self._body(line)
            self._zone = _Zone.BODY
            return True
        if len(self._blocks) < MAX_BLOCKS and self._kept < MAX_KEPT:
            printing, blank = self._printing, self._blank
            block = UnittestBlock(title=line, log_line=log_line, after_output=printing, after_blank=blank)
            self._blocks.append(block)
        else:
            self._collector.limited = True
        self._zone = _Zone.TITLE
        return True

    def _goes_on(self, line: str) -> bool:
        """Whether the report goes on below a result: another run would have shown its progress first."""
        if not line.strip():
            return True
        if self._blocks and (_DOUBLE.fullmatch(line) or _SINGLE.fullmatch(line)):
            self._zone, self._ruled = (_Zone.HEAD if line.startswith("=") else _Zone.FOOT), line
            return True
        self._close(self._after)
        return False

    def _body(self, line: str) -> None:
        block = self._blocks[-1]
        self._printing = self._printing or prints(line)
        if len(block.lines) < MAX_BLOCK_LINES and self._kept < MAX_KEPT:
            block.lines.append(line)
            self._kept += len(line) + 50
        else:
            self._collector.limited = True

    def _ran_line(self, line: str, log_line: int) -> bool:
        found = _RAN.fullmatch(line.rstrip()) if line.startswith("Ran ") else None
        if found:
            self._started = self._started or log_line
            self._zone, self._ran, self._waited, self._at = _Zone.RAN, int(found["count"]), 0, log_line
        return found is not None

    def _result(self, line: str) -> bool:
        found = _RESULT.fullmatch(line.rstrip()) if line[:1] in "OFPN" else None
        if found:
            if found["word"] != "FAILED" and self._blocks:
                # No failing test's block stands before a good result: a test printed this one.
                self._zone = _Zone.BODY
                return True
            self._zone, self._after = _Zone.AFTER, found
            return True
        self._waited += bool(line.strip())
        if self._waited > MAX_WAIT or _DOUBLE.fullmatch(line):
            self._close(None)
            return False
        return True

    def _close(self, result: re.Match[str] | None) -> None:
        counts = _counts(result["counts"] or "") if result else {}
        finished = result is not None or self._ran is not None
        chosen = believed(self._blocks, counts, self._said) if result else self._blocks
        failing: dict[str, LogFailure] = {}
        for block in chosen:
            failure = read_unittest_block(block, roots=self._roots)
            failing.setdefault(failure.test, failure)
        total = self._ran or 0
        failed = counts.get("failures", 0) + counts.get("unexpected successes", 0)
        skipped = counts.get("skipped", 0) + counts.get("SKIP", 0) + counts.get("skips", 0)
        expected = counts.get("expected failures", 0)
        passed = counts.get("successes", total - failed - counts.get("errors", 0) - skipped - expected)
        if result is None:
            failed = sum(one.status is LogStatus.FAILED for one in failing.values())
            counts["errors"] = len(failing) - failed
            passed = 0
        if finished or failing:
            self._hand_on(
                failing.values(),
                start=self._started,
                finished=finished,
                passed=max(0, passed),
                failed=failed,
                errors=counts.get("errors", 0),
            )
        self._reset()


def _counts(text: str) -> dict[str, int]:
    return {found["name"].strip(): int(found["count"]) for found in _COUNT.finditer(text[:1_000])}
