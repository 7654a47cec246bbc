"""Source text as the patch core sees it: lossless decoding, lines, and edits that are given by line number.

Only a line feed ends a line here, as in git: form feeds, lone carriage returns and U+2028 are
ordinary characters. It does not guess encodings and does not know files.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from bot.domain import SpanEdit

Sources = Mapping[str, str]
"""Relative POSIX path → text decoded with :func:`decode`."""

MAX_EDITS = 200
"""More edits than this in one reply are refused: finding the place of each costs a scan of a file."""

# Above this many line pairs, difflib may ignore very frequent lines: hostile texts would cost minutes.
_EXACT_MATCHING_LIMIT = 4_000_000

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def decode(data: bytes) -> str:
    """The text of a file; bytes that are not UTF-8 become lone surrogates, newlines stay."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of a text that :func:`decode` gave.

    Raises:
        UnicodeEncodeError: the text holds a surrogate that no byte stands behind.
    """
    return text.encode("utf-8", "surrogateescape")


def is_encodable(text: str) -> bool:
    """Whether :func:`encode` would succeed, and a file with these bytes would have this text.

    Lone surrogates side by side may be the bytes of a character, which is not to be seen among them.
    """
    try:
        return decode(encode(text)) == text
    except UnicodeEncodeError:
        return False


def shown_surrogates(text: str) -> str:
    """A text as JSON can hold it: bytes that are not UTF-8, and other lone surrogates, are written out."""
    return _SURROGATE.sub(_written_out, text)


def one_line(text: str, *, limit: int = 200) -> str:
    """Hostile ``text`` as the end of a one-line message: printable, and cut to ``limit`` characters."""
    return "".join(char if char.isprintable() else " " for char in text[:limit]).strip()


def split_lines(text: str) -> list[str]:
    r"""The lines of ``text`` with their ends; only ``\n`` ends a line."""
    return _LINE.findall(text)


def unix_newlines(text: str) -> str:
    r"""``text`` with ``\r\n`` turned into ``\n``; a lone carriage return stays."""
    return text.replace("\r\n", "\n")


def dominant_newline(text: str) -> str:
    r"""``"\r\n"`` when most lines end so, else ``"\n"``."""
    crlf = text.count("\r\n")
    return "\r\n" if crlf * 2 > text.count("\n") else "\n"


class LineChange(NamedTuple):
    """Old lines ``[old_start:old_end]`` became new lines ``[new_start:new_end]`` (0-based)."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many first items, and how many of the other ones at the end, two sequences share."""
    limit = min(len(old), len(new))
    head = 0
    while head < limit and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < limit - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


def line_changes(old: list[str], new: list[str]) -> list[LineChange]:
    """The differences between two lists of lines, in order, never touching each other."""
    head, tail = common_ends(old, new)
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = SequenceMatcher(None, left, right, autojunk=len(left) * len(right) > _EXACT_MATCHING_LIMIT)
    return [
        LineChange(head + i1, head + i2, head + j1, head + j2)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def occurrences(needle: Sequence[str], hay: Sequence[str]) -> list[int]:
    """The places in ``hay`` where all of ``needle`` (not empty) follows, in a time linear in both."""
    # a character for each text makes it a search within a string, which the interpreter does without a trap
    codes = {text: chr(number) for number, text in enumerate(dict.fromkeys(needle), 1)}
    wanted, text = "".join(map(codes.__getitem__, needle)), "".join(codes.get(line, "\0") for line in hay)
    found: list[int] = []
    at = text.find(wanted)
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found


class NumberedSource:
    """One file's text, edited by 1-based line numbers in its own newline style.

    New lines are given without or with their ends; either way they get the file's dominant newline, and
    a file whose last line had no newline keeps it so.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.lines = split_lines(text)
        self.newline = dominant_newline(text)
        self._bare: list[str] | None = None
        self._offsets = [0, *accumulate(map(len, self.lines))]

    def __len__(self) -> int:
        return len(self.lines)

    def bare_lines(self) -> list[str]:
        """The lines without their ends."""
        if self._bare is None:
            self._bare = [line.removesuffix("\n").removesuffix("\r") for line in self.lines]
        return self._bare

    def replace(self, start: int, end: int, lines: Iterable[str]) -> SpanEdit:
        """Put ``lines`` in the place of lines ``start`` to ``end``, both included.

        Callers check the range: ``1 <= start <= end <= len(self)``.
        """
        text = self._join(lines)
        if not self.lines[end - 1].endswith("\n"):
            text = text.removesuffix(self.newline)
        first, last = self._offsets[start - 1], self._offsets[end]
        return SpanEdit(path=self.path, start=first, end=last, replacement=text)

    def insert(self, after: int, lines: Iterable[str]) -> SpanEdit:
        """Put ``lines`` behind line ``after`` (0: before the first).

        Callers check the range: ``0 <= after <= len(self)``.
        """
        text = self._join(lines)
        if text and after and not self.lines[after - 1].endswith("\n"):
            text = self.newline + text.removesuffix(self.newline)
        offset = self._offsets[after]
        return SpanEdit(path=self.path, start=offset, end=offset, replacement=text)

    def find(self, wanted: list[str]) -> list[int]:
        """The 0-based line numbers where ``wanted`` (bare lines) stands.

        Lines that differ in trailing whitespace only count when no exact place exists.
        """
        for strip in (str, str.rstrip):
            if found := occurrences(list(map(strip, wanted)), list(map(strip, self.bare_lines()))):
                return found
        return []

    def _join(self, lines: Iterable[str]) -> str:
        parts = (part for line in lines for part in unix_newlines(line).removesuffix("\n").split("\n"))
        return "".join(part.removesuffix("\r") + self.newline for part in parts)


def _written_out(surrogate: re.Match[str]) -> str:
    number = ord(surrogate[0])
    return f"\\x{number - 0xDC00:02x}" if 0xDC80 <= number <= 0xDCFF else f"\\u{number:04x}"
