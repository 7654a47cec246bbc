"""Read a JUnit XML report, as pytest, unittest-xml-reporting, nose and Bazel write it.

The XML is hostile: expat reads it as a stream, a document type or an entity of its own makes the report
unreadable, and depth, counts and texts have limits. A report that ends too soon gives what stood before.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from xml.parsers import expat

from bot.cilog.collector import Collector
from bot.cilog.model import LogFailure, LogReading, LogSession, LogStatus
from bot.cilog.pytest_sessions.block import read_block, read_raised
from bot.internal_errors import guarded
from sandbox.reports import Frame

HEAD = 4_096
"""Bytes at a stream's beginning by which a report is distinguished from a log."""

MAX_DEPTH = 50
MAX_TEXT = 200_000
"""Characters of one failure's text."""

MAX_MESSAGE = 2_000
MAX_ATTRIBUTE = 4_096

_ROOT = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}\?>\s*)?"
    rb"(?:<!--(?:(?!-->).){0,2000}-->\s*)*+"  # a comment ends where it first can: many are read in one way
    rb"<(?:testsuites?)[\s>/]",
    re.DOTALL,
)
_NOT_COLLECTED = ("collection failure", "test collection failure")


class _RefusedError(Exception):
    """The document holds what no report needs and an attack does."""


@dataclass(slots=True)
class _Case:
    """A test case whose end was not seen yet."""

    attributes: dict[str, str]
    log_line: int
    by_pytest: bool
    kind: str = ""
    outcome: dict[str, str] = field(default_factory=dict)
    text: list[str] = field(default_factory=list)
    skipped: bool = False


def is_report(head: bytes) -> bool:
    """Whether a stream that begins so is a JUnit report."""
    return _ROOT.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def read_report(pieces: Iterable[bytes]) -> LogReading:
    """The failing tests of a report, however it is cut into pieces."""
    report = _Report()
    parser = expat.ParserCreate("utf-8")  # whatever the report declares
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, given: report.start(name, given, parser.CurrentLineNumber)
    parser.EndElementHandler = report.end
    parser.CharacterDataHandler = report.characters
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    broken = True
    with guarded("the log's JUnit report"), suppress(expat.ExpatError, _RefusedError):
        for piece in pieces:
            parser.Parse(piece, False)
        parser.Parse(b"", True)
        broken = False
    return report.reading(broken=broken, lines=parser.CurrentLineNumber)


def _refuse(*_arguments: object) -> None:
    raise _RefusedError


class _Report:
    """What the elements seen so far say."""

    def __init__(self) -> None:
        self._collector = Collector()
        self._failing: list[LogFailure] = []
        self._case: _Case | None = None
        self._inside = ""
        self._by_pytest = False
        self._depth = 0
        self._kept = 0
        self._tests = 0
        self._skipped = 0

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _RefusedError
        if name == "testsuite":
            self._by_pytest = attributes.get("name") == "pytest"
        elif name == "testcase":
            self._case = _Case(attributes=attributes, log_line=line, by_pytest=self._by_pytest)
            self._tests += 1
        elif self._case is not None and name in {"failure", "error"}:
            # A test that failed and whose teardown raised has both: the failure counts.
            if self._case.kind != "failure":
                self._case.kind, self._case.outcome = name, attributes
                self._case.text = []
                self._inside, self._kept = name, 0
        elif self._case is not None and name == "skipped":
            self._case.skipped = True

    def end(self, name: str) -> None:
        self._depth -= 1
        if name == self._inside:
            self._inside = ""
        elif name == "testcase" and self._case is not None:
            self._skipped += self._case.skipped
            if self._case.kind:
                self._failing.append(_failure(self._case))
            self._case = None

    def characters(self, text: str) -> None:
        if self._inside and self._case is not None and self._kept < MAX_TEXT:
            self._case.text.append(text)
            self._kept += len(text)

    def reading(self, *, broken: bool, lines: int) -> LogReading:
        failed = sum(one.status is LogStatus.FAILED for one in self._failing)
        session = LogSession(
            log_line=1,
            end_log_line=lines,
            finished=not broken,
            passed=max(0, self._tests - len(self._failing) - self._skipped),
            failed=failed,
            errors=len(self._failing) - failed,
        )
        self._collector.session(session, self._failing)
        return self._collector.reading(log_lines=lines)


def _failure(case: _Case) -> LogFailure:
    message = case.outcome.get("message", "")[:MAX_MESSAGE]
    text = "".join(case.text)[:MAX_TEXT]
    detail = read_block(text.split("\n"))
    short = read_raised(message)
    given = case.attributes.get("file", "")[:MAX_ATTRIBUTE]
    kind = case.outcome.get("type", "").rpartition(".")[2]
    found = replace(
        detail,
        exception=detail.exception or short.exception or kind[:MAX_ATTRIBUTE],
        message=detail.message or short.message or message,
    )
    test = _test_of(case, detail.frames, is_module=message.startswith(_NOT_COLLECTED))
    status = LogStatus.FAILED if case.kind == "failure" else LogStatus.ERROR
    return found.failure(test, status, log_line=case.log_line, file=given.replace("\\", "/"))


def _test_of(case: _Case, frames: Sequence[Frame], *, is_module: bool) -> str:
    """A pytest node id where pytest wrote the report or the file is named, else a dotted id."""
    name = case.attributes.get("name", "")[:MAX_ATTRIBUTE]
    owner = case.attributes.get("classname", "")[:MAX_ATTRIBUTE]
    path = case.attributes.get("file", "")[:MAX_ATTRIBUTE].replace("\\", "/")
    dotted = f"{owner}.{name}" if owner else name
    if not path and case.by_pytest:
        path = _path_of(owner or name, frames)
    if is_module:
        return path or dotted
    if not path.endswith(".py"):
        return dotted
    module = _module(path)
    inner = owner.removeprefix(module).strip(".").split(".") if owner.startswith(module) else []
    return "::".join([path, *filter(None, inner), name])


def _path_of(owner: str, frames: Sequence[Frame]) -> str:
    """The file of a module or of a class in it: one a frame names, else by how both are usually named."""
    for frame in frames:
        if frame.path.endswith(".py") and f"{owner}.".startswith(f"{_module(frame.path)}."):
            return frame.path
    parts = list(takewhile(lambda part: not part[:1].isupper(), owner.split(".")))
    return "/".join(parts) + ".py" if all(parts) and parts else ""


def _module(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")
