"""The text of a file that is loaded, and where another text differs from it: by bytes, as few as possible.

Lines are what stands between line feeds. A list of them would be thousands of objects, and each page with one
of them that is used between two forks takes longer than the comparison of a file's bytes.
"""

from __future__ import annotations

import os
import re
from array import array
from typing import Callable, List, Tuple

BOM = b"\xef\xbb\xbf"
COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263; in one of the first two lines
UTF_8 = (b"utf-8", b"utf8")


class NotUtf8(Exception):
    """The file says another encoding, or has one; the text says which of these."""


class Text:
    """The bytes ``raw`` of a file, which are UTF-8."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self._starts = array("L", [0])
        end = raw.find(b"\n")
        while end >= 0:
            self._starts.append(end + 1)
            end = raw.find(b"\n", end + 1)

    def lines(self) -> List[str]:
        """Its lines."""
        return self.raw.decode().split("\n")

    def changed_region(self, new: bytes) -> Tuple[int, int, int]:
        """The smallest region that differs: its first line, its end here, its end in ``new``."""
        old = self.raw
        shorter = min(len(old), len(new))
        prefix = _alike(shorter, lambda i, j: old[i:j] == new[i:j])
        rest = shorter - prefix
        suffix = _alike(
            rest, lambda i, j: old[len(old) - j : len(old) - i] == new[len(new) - j : len(new) - i]
        )
        first = old.count(b"\n", 0, prefix)
        counts = len(self._starts), new.count(b"\n") + 1
        starts = [len(text) - suffix for text in (old, new)]
        whole = all(not at or text[at - 1 : at] == b"\n" for at, text in zip(starts, (old, new)))
        same = old.count(b"\n", starts[0]) + whole
        same = min(same, min(counts) - first)
        return first, counts[0] - same, counts[1] - same

    def part(self, new: bytes, first: int, end: int) -> str:
        """The lines of ``new`` from ``first`` to ``end`` here, where these are not in what differs.

        Raises:
            NotUtf8: they are not.
        """
        stop = len(new)
        if end < len(self._starts):
            stop -= len(self.raw) - self._starts[end] + 1
        try:
            return new[self._starts[first] : stop].decode()
        except UnicodeDecodeError:
            raise NotUtf8("not UTF-8") from None


def read(path: str) -> bytes:
    """The bytes of a file.

    Raises:
        OSError: it cannot be read.
        NotUtf8: it names another encoding, which is for the interpreter to read.
    """
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        raw = os.read(fd, os.fstat(fd).st_size + 1)
    finally:
        os.close(fd)
    first = raw.find(b"\n") + 1 or len(raw)
    heads = (raw[:first], raw[first : raw.find(b"\n", first) + 1 or len(raw)])
    cookies = [match.group(1) for match in map(COOKIE.match, heads) if match]
    if raw.startswith(BOM) or any(cookie.lower().replace(b"_", b"-") not in UTF_8 for cookie in cookies):
        raise NotUtf8("the file names its encoding")
    return raw


def _alike(size: int, are_equal: Callable[[int, int], bool]) -> int:
    """How many of ``size`` bytes are alike, where ``are_equal`` compares those from one place to another."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if are_equal(low, middle):
            low = middle
        else:
            high = middle - 1
    return low
