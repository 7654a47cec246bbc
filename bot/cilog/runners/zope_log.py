"""Find the reports of zope.testrunner: a block for each failing test as it fails, a count for each layer."""

import re
from collections.abc import Sequence

from bot.cilog.report_parser import ReportParser
from bot.cilog.runners.unittest_block import MAX_TITLE, UnittestBlock, believed, read_unittest_block

MAX_LINES = 4_000
MAX_BLOCKS = 5_000
MAX_KEPT = 32_000_000
"""Characters kept of the blocks of one layer."""


_TITLE = re.compile(r"(?P<kind>Failure|Error) in test (?P<name>\S.*)")
_RAN = re.compile(
    r"  Ran (?P<tests>\d{1,9}) tests with (?P<failures>\d{1,9}) failures, (?P<errors>\d{1,9}) errors"
    r"(?:,| and) (?P<skipped>\d{1,9}) skipped in .*"
)


class ZopeParser(ReportParser):
    """The state: the blocks of the layer whose count has not come yet."""

    marks = frozenset("FE")

    def _reset(self) -> None:
        self._blocks: list[UnittestBlock] = []
        self._open = False
        self._kept = 0

    def opens(self, line: str, log_line: int) -> bool:
        """Look at a line that nobody owns; True where a block begins."""
        self._at = log_line
        if line.startswith(("Failure in test ", "Error in test ")) and (
            found := _TITLE.fullmatch(line[:MAX_TITLE])
        ):
            kind = "FAIL" if found["kind"] == "Failure" else "ERROR"
            if len(self._blocks) < MAX_BLOCKS and self._kept < MAX_KEPT:
                self._blocks.append(UnittestBlock(title=f"{kind}: {found['name']}", log_line=log_line))
                self._open = True
        return self._open

    def take(self, line: str, log_line: int) -> bool:
        """Take a line of the open block; False where it is over and the line is anybody's."""
        if not self._open:
            return False
        self._at = log_line
        body = self._blocks[-1].lines
        if line.startswith("  Ran ") and (found := _RAN.fullmatch(line.rstrip()[:MAX_TITLE])):
            counts = {name: int(found[name]) for name in ("failures", "errors")}
            self._close(believed(self._blocks, counts, ()), found)
            return True
        ended = _TITLE.match(line[:MAX_TITLE])
        # A block is a traceback and two empty lines.
        if (
            ended
            or len(body) >= MAX_LINES
            or (body[-2:] == ["", ""] and line)
            or (not body and "(most" not in line)
        ):
            self._open = False
            return False
        self._kept += len(line) + 50
        if self._kept > MAX_KEPT:
            self._collector.limited = True
            self._open = False
            return False
        body.append(line)
        return True

    def end(self) -> None:
        """See ``ReportParser``."""
        if self._blocks:
            self._close(self._blocks, None)

    def _close(self, blocks: Sequence[UnittestBlock], ran: re.Match[str] | None) -> None:
        failures = (read_unittest_block(block, roots=self._roots) for block in blocks)
        failing = {one.test: one for one in failures}
        failed, errors = (int(ran["failures"]), int(ran["errors"])) if ran else (len(failing), 0)
        tests, skipped = (int(ran["tests"]), int(ran["skipped"])) if ran else (0, 0)
        if failing:
            self._hand_on(
                failing.values(),
                start=self._blocks[0].log_line,
                finished=ran is not None,
                passed=max(0, tests - failed - errors - skipped),
                failed=failed,
                errors=errors,
            )
        self._reset()
