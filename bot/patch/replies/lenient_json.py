"""JSON as models write it: read with the slips that leave its meaning clear.

Forgiven are comments, trailing and missing commas, other quotes, raw newlines and unescaped quotes in texts,
names without quotes, Python's constants, closing delimiters that are missing at the end. Where the end is
missing within a text, :data:`CUT` stands in its place: what it would have said is not guessed. The time is
linear in the text.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

MAX_NESTED = 40

_BLANK = re.compile(r"(?:[\s\ufeff\u00a0]++|//[^\n]*+|#[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_BARE = re.compile(r"[A-Za-z_][\w.-]*+|[-+]?[0-9][0-9.eE+-]*+")
_OPENINGS = ('"""', "'''", '"', "'", "`", "\u201c")
_CLOSING = {"\u201c": "\u201d"}
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
# The second half of a character that JSON writes as two.
_LOW = re.compile(r"\\u([dD][c-fC-F][0-9A-Fa-f]{2})")
_UNICODE = re.compile(r"u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}")
# Where a text lacks its end, the next of the fields that are asked for shows where that was.
_NEXT_FIELD = re.compile(
    r'"(?:explanation|edits|op|path|start|end|after|lines|find|replace)"\s*:', re.IGNORECASE
)
_LAST_COMMA = re.compile(r"[ \t]*,?\s*\Z")
_INNER = re.compile(r"[\\\"'`\u201d]")


class Cut:
    """The type of :data:`CUT`."""


CUT: Final = Cut()
"""Stands for a text whose end is missing."""


class _Unreadable(Exception):
    """Here stands nothing that JSON could have."""


def loads(text: str) -> object:
    """The value that ``text`` begins with; what stands behind it is passed over.

    Raises:
        ValueError: no object or list begins there, or it is not clear what is meant.
    """
    reader = _Reader(text)
    reader.skip()
    if reader.peek() not in {"{", "["}:
        raise ValueError("no object and no list")
    try:
        return reader.value(0)
    except _Unreadable as error:
        raise ValueError(str(error)) from None


def object_in(reply: str) -> Mapping[str, Any]:
    """The first object of a ``reply``, whatever words stand before it; empty where there is none."""
    start = reply.find("{")
    try:
        value = loads(reply[start:]) if start >= 0 else None
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip(self) -> None:
        self.at = self._behind_blanks(self.at)

    def _behind_blanks(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        return match.end() if match else at

    def value(self, depth: int) -> object:
        if depth > MAX_NESTED:
            raise _Unreadable("nested too deeply")
        opening = self.peek()
        if opening == "{":
            return self._object(depth)
        if opening == "[":
            return self._list(depth)
        if not opening:
            return CUT
        return self._text() if self.text.startswith(_OPENINGS, self.at) else self._bare()

    def _object(self, depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        self.at += 1
        while not self._ends("}"):
            name = self._text(ends=":=") if self.text.startswith(_OPENINGS, self.at) else self._bare()
            self.skip()
            if self.peek() not in {":", "="}:
                if not self.peek():
                    found["cut"] = CUT
                    return found
                raise _Unreadable(f"no colon behind {str(name)[:40]!r}")
            self.at += 1
            self.skip()
            found[name if isinstance(name, str) else str(name)] = self.value(depth + 1)
        return found

    def _list(self, depth: int) -> list[object]:
        found: list[object] = []
        self.at += 1
        while not self._ends("]"):
            found.append(self.value(depth + 1))
        return found

    def _ends(self, closing: str) -> bool:
        """Go on to the next entry; whether there is none. The other delimiter ends what lacks its own."""
        self.skip()
        while self.peek() in {",", ";"}:
            self.at += 1
            self.skip()
        if not self.peek():
            return True
        if self.peek() in {"}", "]"}:
            self.at += self.peek() == closing
            return True
        return False

    def _bare(self) -> object:
        match = _BARE.match(self.text, self.at)
        if match is None:
            raise _Unreadable(f"unexpected {self.peek()!r}")
        self.at = match.end()
        word = match[0]
        if word.lower() in _CONSTANTS:
            return _CONSTANTS[word.lower()]
        try:
            return json.loads(word.lstrip("+"))
        except ValueError:
            return word

    def _text(self, ends: str = ",};") -> str | Cut:
        opening = next(mark for mark in _OPENINGS if self.text.startswith(mark, self.at))
        closing = _CLOSING.get(opening, opening)
        self.at += len(opening)
        pieces: list[str] = []
        while (inner := _INNER.search(self.text, self.at)) is not None:
            pieces.append(self.text[self.at : inner.start()])
            self.at = inner.end()
            if inner[0] == "\\":
                pieces.append(self._escape())
            elif "\n" in pieces[-1] and self._is_next_field(inner.start(), pieces[-1]):
                self.at = inner.start()
                return _LAST_COMMA.sub("", "".join(pieces))
            elif self.text.startswith(closing, inner.start()) and self._closes(
                inner.start() + len(closing), ends
            ):
                self.at = inner.start() + len(closing)
                return "".join(pieces)
            else:
                pieces.append(inner[0])
        self.at = len(self.text)
        return CUT

    def _is_next_field(self, at: int, before: str) -> bool:
        blank = not before.rpartition("\n")[2].strip()
        return blank and _NEXT_FIELD.match(self.text, at) is not None

    def _escape(self) -> str:
        if (code := _UNICODE.match(self.text, self.at)) is not None:
            self.at = code.end()
            first = chr(int(code[0][1:], 16))
            second = _LOW.match(self.text, self.at) if "\ud800" <= first <= "\udbff" else None
            if second is None:
                return first
            self.at = second.end()
            return (first + chr(int(second[1], 16))).encode("utf-16", "surrogatepass").decode("utf-16")
        letter = self.peek()
        self.at += 1
        return _SIMPLE_ESCAPES.get(letter, letter if letter in {'"', "'", "`", "/", "\\"} else f"\\{letter}")

    def _closes(self, at: int, ends: str) -> bool:
        """Whether a quote before ``at`` ends its text: what follows is what can stand behind a text.

        ``ends`` are the characters that can, apart from those of a list.
        """
        following = self._behind_blanks(at)
        mark = self.text[following : following + 1]
        if not mark or mark in ends:
            return True
        if mark == "]":
            # within code, as in d["x"], something goes on behind the bracket
            end = self._behind_blanks(following + 1)
            return self.text[end : end + 1] in {"", ",", "}", "]", "`"} or "\n" in self.text[following:end]
        # a missing comma: the next text begins on a line of its own
        return "\n" in self.text[at:following] and self.text.startswith(_OPENINGS, following)
