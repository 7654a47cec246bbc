"""Read one failure block: which exception, where, through which project frames, comparing what.

A block is the text below ``____ test_name ____`` without the captured output. Every ``--tb`` style that
pytest prints is read with one pass that looks for the marks each style leaves; a block that fits none of
them still gives its first line as the message. The last exception of a chain is the one that counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.cilog.comparison import read_comparison
from bot.cilog.paths import project_path
from sandbox.reports import Comparison, Frame

MAX_MESSAGE = 2_000
"""Characters of a message that are kept."""

MAX_LOCATION = 1_000

_LOCATION = re.compile(
    r"(?P<path>[^\s:](?:[^:]|:(?=[\\/]))*(?:\.\w{1,8}|>)):(?P<line>\d{1,7})(?:: ?(?P<rest>.*))?"
)
_NATIVE = re.compile(r' *File "(?P<path>[^"]+)", line (?P<line>\d{1,7})(?:, in (?P<function>.+))?')
_TYPE = re.compile(r"[A-Za-z_][\w.]*")
_RAISED = re.compile(r"(?P<type>[A-Za-z_][\w.]*)(?:: ?(?P<message>.*))?")
_DEFINITION = re.compile(r"[> ] +(?:async )?def (?P<name>\w+)\(")
_UNEXPECTED = re.compile(r"UNEXPECTED EXCEPTION: (?P<type>[\w.]+)\(")
_CHAIN = (
    "The above exception was the direct cause",
    "During handling of the above exception",
)
_SYNTAX = ("SyntaxError", "IndentationError", "TabError")
_NOISE = ("[gw", "self = ", "Traceback", "file ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """What a block says about its failure."""

    exception: str = ""
    message: str = ""
    frames: tuple[Frame, ...] = ()
    comparison: Comparison | None = None


@dataclass(slots=True)
class _Reading:
    """What one pass over the lines has found since the last exception of a chain began."""

    marked: list[str]
    frames: list[Frame]
    native: list[str]
    crash: str = ""
    function: str = ""
    plain: str = ""
    quoted: Frame | None = None


def read_block(lines: Sequence[str], *, roots: Iterable[str] = ()) -> Detail:
    """The detail of one failure block."""
    known = tuple(roots)
    reading = _Reading(marked=[], frames=[], native=[])
    for line in lines:
        if line.startswith(_CHAIN):
            reading = _Reading(marked=[], frames=[], native=[])
        else:
            _take(reading, line, known)
    return _doctest(lines, reading) or _detail(reading)


def read_raised(text: str) -> Detail:
    """The detail in a one-line message such as ``ValueError: boom`` or ``assert 1 == 2``."""
    if not text:
        return Detail()
    return _raised([text])


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
    if line[:1] in " >" and not reading.native and 'File "' not in line:
        if not reading.function and "def " in line and len(line) <= MAX_LOCATION:
            definition = _DEFINITION.match(line)
            reading.function = definition["name"] if definition else ""
        return
    if reading.native and not reading.marked:
        reading.native.append(line)
    if len(line) > MAX_LOCATION:
        return
    inner = line.lstrip(" |+-")
    if inner.startswith('File "'):
        _take_native(reading, inner, roots, nested=line.startswith("    |"))
    elif line.startswith("_ _ _"):
        reading.function = ""
    elif line[:1] not in " >" and (found := _LOCATION.fullmatch(line)):
        _take_location(reading, found, roots)
    elif inner and not reading.plain and not line.startswith((*_NOISE, " ", ">")):
        reading.plain = line


def _take_marked(reading: _Reading, text: str, roots: tuple[str, ...]) -> None:
    reading.marked.append(text)
    found = _NATIVE.match(text) if len(text) <= MAX_LOCATION else None
    path = project_path(found["path"], roots=roots) if found else None
    if found and path is not None:
        # A syntax error stands in no frame: its message names the place.
        reading.quoted = Frame(path=path, line=int(found["line"]), function="")


def _take_native(reading: _Reading, line: str, roots: tuple[str, ...], *, nested: bool) -> None:
    found = _NATIVE.match(line)
    if found is None:
        return
    # A member of an exception group is shown below the group, whose own message was seen already.
    if not (nested and reading.native):
        reading.native = [line]
    path = project_path(found["path"], roots=roots)
    if path is not None:
        reading.frames.append(
            Frame(path=path, line=int(found["line"]), function=(found["function"] or "").strip())
        )


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
    reading.function = ""


def _detail(reading: _Reading) -> Detail:
    frames = tuple(reading.frames)
    if reading.marked:
        raised = _raised(_dedent(reading.marked))
        crash = reading.crash if _TYPE.fullmatch(reading.crash) else ""
        if crash and raised.exception.rpartition(".")[2] != crash:
            text = "\n".join(_dedent(reading.marked))
            raised = replace(raised, exception=crash, message=text[:MAX_MESSAGE])
        if raised.exception.startswith(_SYNTAX) and reading.quoted:
            frames = (*frames, reading.quoted)
        return replace(raised, frames=frames)
    if reading.native:
        return replace(_raised(_native_message(reading.native)), frames=frames)
    if reading.crash:
        return replace(_raised([reading.crash]), frames=frames)
    return Detail(message=reading.plain[:MAX_MESSAGE], frames=frames)


def _raised(texts: Sequence[str]) -> Detail:
    """Read ``Type: message`` with the lines that follow, or an ``assert`` without its type."""
    syntax = next((n for n, text in enumerate(texts) if text.startswith(_SYNTAX)), 0)
    texts = texts[syntax:] if texts and texts[0].lstrip().startswith("File ") else texts
    first = texts[0] if texts else ""
    asserted = next(
        (text for text in texts if text.removeprefix("AssertionError: ").startswith("assert ")), ""
    )
    found = _RAISED.fullmatch(first)
    if first.startswith("assert "):
        exception, head = "AssertionError", first
    elif found:
        exception, head = found["type"], found["message"] or ""
    else:
        exception, head = "", first
    message = "\n".join((head, *texts[1:])).rstrip()[:MAX_MESSAGE]
    comparison = read_comparison(asserted) if exception in {"AssertionError", ""} else None
    return Detail(exception=exception, message=message, comparison=comparison)


def _dedent(marked: Sequence[str]) -> list[str]:
    """The marked lines without the indent of the first: pytest aligns them with the source above."""
    indent = len(marked[0]) - len(marked[0].lstrip())
    return [line[indent:] if not line[:indent].strip() else line.lstrip() for line in marked]


def _native_message(lines: Sequence[str]) -> list[str]:
    """What follows the last frame and its source lines in an interpreter's own traceback."""
    for number, line in enumerate(lines[1:], start=1):
        text = line.lstrip(" |")
        if text and (not line.startswith(" ") or (line.startswith("  | ") and not line.startswith("  |  "))):
            rest = [other for other in lines[number + 1 :] if "| " not in other and "+-" not in other]
            return [text, *(rest if not line.startswith("  | ") else ())]
    return []


def _doctest(lines: Sequence[str], reading: _Reading) -> Detail | None:
    """A failed doctest: what was expected against what was printed."""
    last = reading.crash
    if last == "UnexpectedException":
        types = [found["type"] for line in lines if (found := _UNEXPECTED.match(line))]
        raised = _raised(_native_message(reading.native))
        message = raised.message.split("\n", 1)[0]
        return replace(
            raised,
            exception=types[-1] if types else raised.exception,
            message=message,
            frames=tuple(reading.frames),
        )
    if last != "DocTestFailure" or "Expected:" not in lines or "Got:" not in lines:
        return None
    expected, got = lines.index("Expected:"), len(lines) - 1 - lines[::-1].index("Got:")
    if expected > got:
        return None
    want = [line.strip() for line in lines[expected + 1 : got]]
    have = [line.strip() for line in lines[got + 1 :]]
    have = have[: have.index("")] if "" in have else have
    return Detail(
        exception="DocTestFailure",
        message="\n".join(["Expected:", *want, "Got:", *have])[:MAX_MESSAGE],
        frames=tuple(reading.frames),
        comparison=Comparison(
            operator="==", left="\n".join(have)[:MAX_MESSAGE], right="\n".join(want)[:MAX_MESSAGE]
        ),
    )
