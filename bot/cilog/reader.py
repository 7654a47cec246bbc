"""Read a whole log: the one place that knows every parser.

A log is taken in blocks. Observers look at a block as a whole (steps, marked errors, environments). Then its
lines go to the report parsers: a line inside a report belongs to the parser that opened it, and to no other,
since what a test prints may look like any report. All other lines are offered, by their first character or by
a mark found in the block, to the parsers that may begin there, and are searched for evidence.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from bot.cilog.clean import TextBlock, blocks, unmarked
from bot.cilog.collector import Collector
from bot.cilog.command.echo import Echoes
from bot.cilog.model import LogReading, LogStep
from bot.cilog.observers.actions import RUN, Actions
from bot.cilog.observers.environments import ToxEnvironments
from bot.cilog.observers.evidence import EvidenceLines
from bot.cilog.observers.installed import InstalledVersions
from bot.cilog.observers.last_lines import LastLines
from bot.cilog.pytest_sessions.conftest_log import ConftestParser
from bot.cilog.pytest_sessions.parser import PytestParser
from bot.cilog.report_parser import ReportParser
from bot.cilog.runners import junit
from bot.cilog.runners.doctest_log import DoctestParser
from bot.cilog.runners.stestr_log import StestrParser
from bot.cilog.runners.unittest_log import UnittestParser
from bot.cilog.runners.zope_log import ZopeParser
from bot.cilog.tracebacks import crash
from bot.cilog.tracebacks.crash_log import CrashParser
from bot.cilog.tracebacks.traceback_log import TracebackParser
from bot.internal_errors import guarded

_PLACES = ("Syncing repository: ", "/home/runner/work/")
_CHECKOUT = re.compile(
    r"Syncing repository: [\w.-]+/(?P<repository>[\w.-]+)|/home/runner/work/(?P<name>[\w.-]+)/(?P=name)\b"
)

_FURTHER = (DoctestParser, ConftestParser, ZopeParser, StestrParser)
"""Besides those of pytest and unittest: they open a report at a line that begins with one of their marks."""

MAX_MARKS = 5_000
"""Tracebacks and crashes that are looked at in one block of the log."""


def read_log(stream: Iterable[bytes]) -> LogReading:
    """Read a log, or a JUnit XML report. Any bytes do: what is not understood is not a failure."""
    head, pieces = _peek(stream)
    if junit.is_report(head):
        return junit.read_report(pieces)
    reader = _Reader()
    for block in blocks(pieces):
        reader.read(block)
    return reader.end()


def _peek(stream: Iterable[bytes]) -> tuple[bytes, Iterable[bytes]]:
    """The beginning of the stream, and all of it."""
    source = iter(stream)
    kept: list[bytes] = []
    while sum(map(len, kept)) < junit.HEAD and (piece := next(source, None)) is not None:
        kept.append(piece)
    return b"".join(kept)[: junit.HEAD], chain(kept, source)


class _Reader:
    """The observers, the parsers, and which of them owns the next line."""

    def __init__(self) -> None:
        self._collector = Collector()
        self._names: list[str] = []
        self._actions = Actions()
        self._environments = ToxEnvironments()
        self._evidence = EvidenceLines()
        self._echoes = Echoes()
        self._installed = InstalledVersions()
        self._last_lines = LastLines()
        self._pytest = PytestParser(self._collector, self._names)
        self._unittest = UnittestParser(self._collector, self._names)
        self._tracebacks = TracebackParser(self._collector, self._names)
        self._crashes = CrashParser(self._collector, self._names)
        others = [make(self._collector, self._names) for make in _FURTHER]
        self._parsers = (self._pytest, self._unittest, *others, self._tracebacks, self._crashes)
        self._by_mark: dict[str, tuple[ReportParser, ...]] = {}
        for parser in (self._unittest, *others, self._pytest):
            for mark in parser.marks:
                self._by_mark[mark] = (*self._by_mark.get(mark, ()), parser)
        self._owner: ReportParser | None = None
        self._log_lines = 0

    def read(self, block: TextBlock) -> None:
        """Take a block of the log."""
        self._log_lines = block.first + len(block.lines) - 1
        if not self._names and any(place in block.text for place in _PLACES):
            found = _CHECKOUT.search(block.text)
            self._names += [found["name"] or found["repository"]] if found else []
        bounds: Sequence[int] = ()
        with guarded("the log's steps"):
            bounds = self._actions.read(block)
        begun = {block.first + index for index in bounds if block.lines[index].startswith(RUN)}
        for index in block.marked:
            block.lines[index] = unmarked(block.lines[index])
        with guarded("the log's last lines"):
            self._last_lines.read(block, self._actions.failed_at)
        with guarded("the log's commands"):
            self._echoes.read(block.lines, first=block.first, steps=begun)
        with guarded("the log's versions"):
            self._installed.read(block)
        with guarded("the log's environments"):
            self._environments.read(block)
        with guarded("the log's parser of unittest"):
            for index in (*_marks(block.text, " ... FAIL"), *_marks(block.text, " ... ERROR")):
                self._unittest.progress(block.lines[index])
        special = self._special(block)
        special.update((index, self._boundary) for index in bounds)
        free = self._walk(block, special)
        with guarded("the log's evidence"):
            self._evidence.read(block, free)

    def _special(self, block: TextBlock) -> dict[int, Callable[[str, int], None]]:
        """The lines of a block that are known by a mark in their middle, and who is to look at them."""
        special: dict[int, Callable[[str, int], None]] = {}
        for index in _marks(block.text, "(most recent call last):"):
            special[index] = partial(self._offer, parser=self._tracebacks)
        for index in _marks(block.text, crash.FATAL):
            special.setdefault(index, self._crash)
        for index in _marks(block.text, "SyntaxError: "):
            special.setdefault(index, partial(self._syntax, block.lines[max(0, index - 6) : index]))
        return special

    def end(self) -> LogReading:
        """Close everything, and say what was read."""
        for parser in self._parsers:
            with guarded(f"the log's {type(parser).__name__}"):
                parser.end()
        steps: tuple[LogStep, ...] = ()
        with guarded("the log's steps"):
            steps = self._actions.steps(self._log_lines)
        reading = self._collector.reading(log_lines=self._log_lines)
        return replace(
            reading,
            steps=steps,
            error_lines=tuple(self._actions.error_lines),
            environments=self._environments.runs,
            evidence=self._evidence.lines,
            shown=tuple(self._echoes.found),
            installed=self._installed.versions,
            python=self._installed.python,
            tail=self._last_lines.lines,
            truncated=reading.truncated or self._actions.limited or self._environments.limited,
        )

    def _walk(self, block: TextBlock, special: dict[int, Callable[[str, int], None]]) -> list[int]:
        """Give each line to a parser; the indices of the lines that may be evidence."""
        free: list[int] = []
        lines, more = enumerate(block.lines), True
        while more:
            # A parser that raises costs the report in which it does: the next line is anybody's.
            with guarded("the log's parsers"):
                self._take(lines, block.first, special, free)
                more = False
            if more:
                self._owner = None
        return free

    def _take(
        self,
        lines: Iterator[tuple[int, str]],
        first: int,
        special: dict[int, Callable[[str, int], None]],
        free: list[int],
    ) -> None:
        by_mark, owner = self._by_mark, self._owner
        for index, line in lines:
            if special and index in special:
                self._owner = owner
                special[index](line, first + index)
                owner = self._owner
                free.append(index)
                continue
            if owner is not None:
                if owner.take(line, first + index):
                    # A line of progress ends in a percentage; there may be a million of them.
                    if owner.running and line[-2:] != "%]":
                        free.append(index)
                    continue
                owner = None
            free.append(index)
            parsers = by_mark.get(line[:1])
            if parsers is not None:
                for parser in parsers:
                    if parser.opens(line, first + index):
                        owner = parser
                        break
        self._owner = owner

    def _boundary(self, _line: str, log_line: int) -> None:
        self._owner = None
        for parser in self._parsers:
            with guarded(f"the log's {type(parser).__name__}"):
                parser.boundary(log_line)

    def _crash(self, line: str, log_line: int) -> None:
        rest = line.partition(crash.FATAL)[2]
        if rest.startswith("=====") and self._pytest.opens(rest, log_line):
            # Two processes wrote at once: a session begins on the line of another one's crash.
            self._owner = self._pytest
        else:
            self._offer(line, log_line, parser=self._crashes)

    def _syntax(self, before: list[str], line: str, log_line: int) -> None:
        if self._owner is None or not self._owner.take(line, log_line):
            self._owner = None
            self._tracebacks.syntax_error([*before, line], log_line)

    def _offer(self, line: str, log_line: int, *, parser: ReportParser) -> None:
        """Give a line to its owner, and where it has none to the parser that its mark names."""
        if self._owner is not None and self._owner.take(line, log_line):
            return
        self._owner = parser if parser.opens(line, log_line) else None


def _marks(text: str, mark: str) -> Iterator[int]:
    """The indices of the lines that hold the mark."""
    index, last, count = 0, 0, 0
    at = text.find(mark)
    while at != -1 and count < MAX_MARKS:
        index += text.count("\n", last, at)
        last = at
        yield index
        count += 1
        at = text.find("\n", at)
        at = text.find(mark, at) if at != -1 else -1
