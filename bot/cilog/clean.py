"""Turn the bytes of a CI log into plain lines of text, in bounded memory.

Removes what the place that stored the log added (BOM, timestamps, ``gh run view --log`` columns,
``##[group]`` markers) and what a terminal would have swallowed (escape sequences, text that a carriage
return rewrote). It does not interpret a line, and it keeps every line: nothing here decides what matters.

Work is done on blocks of about a megabyte, each pass only where its trigger byte occurs, because a log may
have a hundred megabytes and few of them hold an escape.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

MAX_LINE_BYTES = 64 * 1024
"""A longer line is cut here: no line that pytest means to be read is this long."""

BLOCK_BYTES = 1024 * 1024

_BOM = b"\xef\xbb\xbf"
_STAMP = rb"20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d{1,9})?Z ?"
_STAMPED = re.compile(rb"\n" + _STAMP)
_COLUMNS = re.compile(rb"\n[^\t\n]{1,300}\t[^\t\n]{1,300}\t(?:\xef\xbb\xbf)?" + _STAMP)
_ESCAPE = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    rb"|[\]P^_X][^\x07\x1b\n]*(?:\x07|\x1b\\)?"  # OSC and other strings: titles, links
    rb"|[ -/]*[0-~]|)",
)
_MARKER = re.compile(r"\n##\[(?:group|endgroup|section|command|error|warning|notice|debug)\]")


def lines(stream: Iterable[bytes] | BinaryIO) -> Iterator[str]:
    """The log's lines, without their ends; any bytes do, however they are cut into pieces."""
    return chain.from_iterable(_text_blocks(stream))


def _text_blocks(stream: Iterable[bytes] | BinaryIO) -> Iterator[list[str]]:
    columns = False
    for number, block in enumerate(_whole_lines(_pieces(stream))):
        raw = block.removeprefix(_BOM) if number == 0 else block
        if number == 0:
            columns = _COLUMNS.match(b"\n" + raw) is not None
        yield _clean(raw, columns=columns)


def _pieces(stream: Iterable[bytes] | BinaryIO) -> Iterator[bytes]:
    read = getattr(stream, "read", None)
    if read is not None:
        while piece := read(BLOCK_BYTES):
            yield piece
        return
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
    found = block.split(b"\n")
    if max(map(len, found)) <= MAX_LINE_BYTES:
        return block
    return b"\n".join(line[:MAX_LINE_BYTES] for line in found)


def _clean(block: bytes, *, columns: bool) -> list[str]:
    # Every pattern starts with a newline: a literal first byte lets the engine skip to it.
    raw = b"\n" + block
    raw = _COLUMNS.sub(b"\n", raw) if columns else raw
    raw = _STAMPED.sub(b"\n", raw)
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").removesuffix(b"\r")
        if b"\r" in raw:
            raw = b"\n".join(line.rstrip(b"\r").rpartition(b"\r")[2] for line in raw.split(b"\n"))
    if b"\x1b" in raw:
        raw = _ESCAPE.sub(b"", raw)
    text = raw.decode("utf-8", "replace")
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if "\n##[" in text:
        text = _MARKER.sub("\n", text)
    return text.split("\n")[1:]
