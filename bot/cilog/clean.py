"""Turn the bytes of a CI log into plain lines of text, in bounded memory.

Removes what the place that stored the log added (BOM, timestamps, ``gh run view --log`` columns, the names
of containers) and what a terminal would have swallowed (escape sequences, text that a carriage return
rewrote). It does not interpret a line, and it keeps every line: nothing here decides what matters.

Work is done on blocks of about a hundred kilobytes, each pass only where its trigger byte occurs, because a
log may have a hundred megabytes and few of them hold an escape.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter

MAX_LINE_BYTES = 64 * 1024
"""A longer line is cut here: no line that pytest means to be read is this long."""

BLOCK_BYTES = 128 * 1024
"""A block and what is made of it fit into a processor's cache, and few hold characters of a wide text."""

_BOM = b"\xef\xbb\xbf"
_STAMP = rb"20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d) ?"
# Some hosts print the time in brackets, or a day and an hour without the T.
_BRACKETED = rb"\[" + _STAMP.removesuffix(rb" ?") + rb"\] ?"
_STAMPED = re.compile(rb"\n(?:\xef\xbb\xbf)?" + _STAMP)
_STAMPED_TEXT = re.compile(r"\A\ufeff?" + _STAMP.decode())
_GITHUB = re.compile(rb"20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{7}Z ")
# A stamp has 28 characters; a line without text may have lost the space behind it.
_STAMP_END, _BEHIND = itemgetter(slice(27, 29)), itemgetter(slice(29, None))
_STAMP_ENDS = frozenset({"Z ", "Z"})
_IN_BRACKETS = re.compile(rb"\n" + _BRACKETED)
_COLUMNS = re.compile(rb"\n(?:[^\t\n]{1,300}\t){2}(?:\xef\xbb\xbf)?" + _STAMP)
# docker compose puts the container's name before each line, numbered as in web_1 or app-web-1; act the job's.
_CONTAINER = re.compile(rb"\n(?:[a-zA-Z0-9][\w.-]{0,60}[_-]\d{1,3} {1,40}|\[[^\]\n]{1,100}\] {1,10})\| ?")
# docker build puts the number of the step and the seconds since its start.
_BUILD = re.compile(rb"\n#\d{1,4} \d{1,6}\.\d{1,3} ?")
_ESCAPE = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    rb"|[\]P^_X][^\x07\x1b\n]*(?:\x07|\x1b\\)?"  # OSC and other strings: titles, links
    rb"|[ -/]*[0-~]|)"
)
_MARKS = ("##[", "::error", "::warning", "::notice")
_MARKER = re.compile(r"##\[(?:group|endgroup|section|command|error|warning|notice|debug)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """Some whole lines of a log: ``first`` is the 1-based number of the first.

    ``text`` is all of them with their ends, to be searched: characters outside of ASCII are replaced.
    ``marked`` holds the indices of the lines that begin with a workflow command such as ``##[error]`` or
    ``::warning``, which is still part of them.
    """

    first: int
    text: str
    lines: list[str]
    marked: list[int]


def searchable(text: str) -> str:
    """The text with every character outside of ASCII replaced by one that is: it is searched much faster."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")


def unmarked(line: str) -> str:
    """The line without a leading marker such as ``##[group]``."""
    found = _MARKER.match(line)
    return line[found.end() :] if found else line


def blocks(stream: Iterable[bytes]) -> Iterator[TextBlock]:
    """The log in blocks of about BLOCK_BYTES; any bytes do, however they are cut into pieces."""
    first, strip, github, building = 1, _STAMPED, False, False
    for number, block in enumerate(_whole_lines(_pieces(stream))):
        raw = block.removeprefix(_BOM) if number == 0 else block
        if number == 0:
            strip = _prefix_of(b"\n" + raw[:BLOCK_BYTES])
            github = strip is _STAMPED and _GITHUB.match(raw) is not None
        # The first step of a docker build has this number; the lines of the later ones look like comments.
        building = building or (github and b"Z #1 [" in raw)
        found = (_github_lines(raw) if github and not building else None) or _clean(strip, raw).split("\n")
        text = searchable("\n".join(found))
        # The runner has turned every command that was printed into a marker.
        marks = _MARKS[:1] if github else _MARKS
        marked: list[int] = []
        if any(mark in text for mark in marks):  # most blocks have none
            marked = [index for index, line in enumerate(found) if line.startswith(marks)]
        yield TextBlock(first=first, text=text, lines=found, marked=marked)
        first += len(found)


def _github_lines(raw: bytes) -> list[str] | None:
    """The lines of a block whose stamps all have the same width, or None where there is more to remove."""
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").removesuffix(b"\r")
    if b"\r" in raw or b"\0" in raw or b"  | " in raw:
        return None
    text = (_ESCAPE.sub(b"", raw) if b"\x1b" in raw else raw).decode("utf-8", "replace")
    found = text.split("\n")
    if _STAMP_ENDS.issuperset(map(_STAMP_END, found)):
        return list(map(_BEHIND, found))
    return [_STAMPED_TEXT.sub("", line, count=1) for line in found]


def _prefix_of(head: bytes) -> re.Pattern[bytes]:
    """The pattern of what stands before every line, judged by the beginning of the log."""
    return next((pattern for pattern in (_COLUMNS, _IN_BRACKETS) if pattern.match(head)), _STAMPED)


def _pieces(stream: Iterable[bytes]) -> Iterator[bytes]:
    for piece in stream:
        for start in range(0, len(piece), BLOCK_BYTES):
            yield piece[start : start + BLOCK_BYTES]


def _whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Blocks that end where a line ends, none of their lines longer than MAX_LINE_BYTES."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size < BLOCK_BYTES:
            continue
        block = b"".join(waiting)
        head, newline, tail = block.rpartition(b"\n")
        if newline:
            yield _shorten(head)
        # One byte more than is kept stands for the rest of a long line, so that memory stays bounded.
        waiting = [tail[: MAX_LINE_BYTES + 1]]
        size = len(waiting[0])
    block = b"".join(waiting)
    if block:
        yield _shorten(block.removesuffix(b"\n"))


def _shorten(block: bytes) -> bytes:
    half = MAX_LINE_BYTES // 2
    if all(block.find(b"\n", at, at + half) != -1 for at in range(0, len(block) - half, half)):
        return block  # no half of a longest line without an end: no line is too long
    return b"\n".join(line[:MAX_LINE_BYTES] for line in block.split(b"\n"))


def _clean(strip: re.Pattern[bytes], raw: bytes) -> str:
    """The text of a block without what ``strip`` finds before its lines, and all else that is not its own."""
    # Every pattern starts with a newline: a literal first byte lets the engine skip to it.
    raw = strip.sub(b"\n", b"\n" + raw)
    if b"  | " in raw:
        raw = _CONTAINER.sub(b"\n", raw)
    if b"\n#" in raw:
        raw = _BUILD.sub(b"\n", raw)
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").removesuffix(b"\r")
        if b"\r" in raw:
            raw = b"\n".join(line.rstrip(b"\r").rpartition(b"\r")[2] for line in raw.split(b"\n"))
    if b"\x1b" in raw:
        raw = _ESCAPE.sub(b"", raw)
    text = raw.decode("utf-8", "replace")
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text[1:]
