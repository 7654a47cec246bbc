"""Read one failure block: which exception, where, through which project frames.

A block is the text below ``____ test_name ____`` without the captured output. Every ``--tb`` style that
pytest prints is read with one pass that looks for the marks each style leaves; a block that fits none of
them still gives its first line as the message. The last exception of a chain is the one that counts.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bot.cilog.model import Detail, Raised
from bot.cilog.paths import project_path
from bot.cilog.tracebacks.native import MAX_FRAMES, MAX_MESSAGE, MAX_RELATED, SYNTAX, read_traceback
from sandbox.reports import Frame

MAX_LOCATION = 1_000

_LOCATION = re.compile(
    r"(?P<path>[^\s:](?:[^:]|:(?=[\\/]))*(?:\.\w{1,8}|>)):(?P<line>\d{1,7})(?:: ?(?P<rest>.*))?"
)
_NATIVE = re.compile(r' *File "(?P<path>[^"]+)", line (?P<line>\d{1,7})(?:, in (?P<function>.+))?')
_TYPE = re.compile(r"[A-Za-z_][\w.]*")
_RAISED = re.compile(r"(?P<type>[A-Za-z_][\w.]*)(?:: ?(?P<message>.*))?")
_DEFINITION = re.compile(r"[> ] +(?:async )?def (?P<name>\w+)\(")
_UNEXPECTED = re.compile(r"UNEXPECTED EXCEPTION: (?P<type>[\w.]+)\(")
_CHAIN = ("The above exception was the direct cause", "During handling of the above exception")
_NOISE = ("[gw", "self = ", "Traceback", "file ", "cls = ")


@dataclass(slots=True)
class _Reading:
    """What one pass over the lines has found since the last exception of a chain began."""

    marked: list[str] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    crash: str = ""
    function: str = ""
    plain: str = ""
    quoted: Frame | None = None


def read_block(lines: Sequence[str], *, roots: Iterable[str] = ()) -> Detail:
    """The detail of one failure block."""
    known = tuple(roots)
    reading = _Reading()
    related: list[Raised] = []
    for line in lines:
        if line.startswith(_CHAIN):
            earlier = _detail(reading)
            related.append(Raised(exception=earlier.exception, message=earlier.message))
            reading = _Reading()
        else:
            _take(reading, line, known)
    detail = _raised_in_doctest(lines, reading, known) or _native(lines, reading, known) or _detail(reading)
    return detail if detail.related else replace(detail, related=tuple(related[:MAX_RELATED]))


def read_raised(text: str) -> Detail:
    """The detail in a one-line message such as ``ValueError: boom`` or ``assert 1 == 2``."""
    return _raised([text]) if text else Detail()


def read_location(line: str, *, roots: Iterable[str] = ()) -> tuple[Frame, str] | None:
    """The project frame and the rest of a line such as ``path:3: ValueError: boom``, as in ``--tb=line``."""
    found = _LOCATION.fullmatch(line) if len(line) <= MAX_LOCATION else None
    path = project_path(found["path"], roots=roots) if found else None
    if found is None or path is None:
        return None
    return Frame(path=path, line=int(found["line"]), function=""), found["rest"] or ""


def _take(reading: _Reading, line: str, roots: tuple[str, ...]) -> None:
    if line.startswith("E ") or line == "E":
        _take_marked(reading, line[1:], roots)
        return
    if line[:1] in " >":
        if not reading.function and "def " in line and len(line) <= MAX_LOCATION:
            definition = _DEFINITION.match(line)
            reading.function = definition["name"] if definition else ""
        return
    if len(line) > MAX_LOCATION:
        return
    if line.startswith("_ _ _"):
        reading.function = ""
    elif found := _LOCATION.fullmatch(line):
        _take_location(reading, found, roots)
    elif line and not reading.plain and not line.startswith(_NOISE):
        reading.plain = line


def _take_marked(reading: _Reading, text: str, roots: tuple[str, ...]) -> None:
    reading.marked.append(text)
    found = _NATIVE.match(text) if len(text) <= MAX_LOCATION else None
    path = project_path(found["path"], roots=roots) if found else None
    if found and path is not None:
        # A syntax error stands in no frame: its message names the place.
        reading.quoted = Frame(path=path, line=int(found["line"]), function="")


def _take_location(reading: _Reading, found: re.Match[str], roots: tuple[str, ...]) -> None:
    rest = found["rest"] or ""
    inside = rest.removeprefix("in ") if rest.startswith("in ") else ""
    if rest and not inside:
        reading.crash = rest
    path = project_path(found["path"], roots=roots)
    if path is not None:
        function = inside or reading.function
        frame = Frame(path=path, line=int(found["line"]), function="" if function == "<module>" else function)
        # The long style shows the crash line of a comprehension twice: as "in f" and as the raising entry.
        if not reading.frames or (reading.frames[-1].path, reading.frames[-1].line) != (path, frame.line):
            reading.frames.append(frame)
            del reading.frames[:-MAX_FRAMES]
    reading.function = ""


def _detail(reading: _Reading) -> Detail:
    frames = tuple(reading.frames)
    if reading.marked:
        raised = _raised(_dedent(reading.marked))
        crash = reading.crash if _TYPE.fullmatch(reading.crash) else ""
        if crash and raised.exception.rpartition(".")[2] != crash:
            text = "\n".join(_dedent(reading.marked))
            raised = replace(raised, exception=crash, message=text[:MAX_MESSAGE])
        if raised.exception.startswith(SYNTAX) and reading.quoted:
            frames = (*frames, reading.quoted)
        return replace(raised, frames=frames)
    if reading.crash:
        return replace(_raised([reading.crash]), frames=frames)
    return Detail(message=reading.plain[:MAX_MESSAGE], frames=frames)


def _raised(texts: Sequence[str]) -> Detail:
    """Read ``Type: message`` with the lines that follow, or an ``assert`` without its type."""
    syntax = next((n for n, text in enumerate(texts) if text.startswith(SYNTAX)), 0)
    texts = texts[syntax:] if texts and texts[0].lstrip().startswith("File ") else texts
    first = texts[0] if texts else ""
    found = _RAISED.fullmatch(first)
    if first.startswith("assert "):
        exception, head = "AssertionError", first
    elif found:
        exception, head = found["type"], found["message"] or ""
    else:
        exception, head = "", first
    return Detail(exception=exception, message="\n".join((head, *texts[1:])).rstrip()[:MAX_MESSAGE])


def _dedent(marked: Sequence[str]) -> list[str]:
    """The marked lines without the indent of the first: pytest aligns them with the source above."""
    indent = len(marked[0]) - len(marked[0].lstrip())
    return [line[indent:] if not line[:indent].strip() else line.lstrip() for line in marked]


def _native(lines: Sequence[str], reading: _Reading, roots: tuple[str, ...]) -> Detail | None:
    """The interpreter's own traceback: ``--tb=native``, an exception group, a doctest's exception."""
    if reading.marked or not any("Traceback (most recent call last):" in line for line in lines):
        return None
    found = read_traceback(lines, roots=roots)
    return found if found.exception or found.frames else None


def _raised_in_doctest(lines: Sequence[str], reading: _Reading, roots: tuple[str, ...]) -> Detail | None:
    """A doctest that raised an exception."""
    if reading.crash != "UnexpectedException":
        return None
    types = [found["type"] for line in lines if (found := _UNEXPECTED.match(line))]
    raised = read_traceback(lines, roots=roots)
    return Detail(
        exception=types[-1] if types else raised.exception,
        message=raised.message.split("\n", 1)[0],
        frames=(*raised.frames, *reading.frames),
    )
