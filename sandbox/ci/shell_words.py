"""Splits a shell's script into words and separators, as a POSIX shell does, within linear time.

Quotes are taken off, comments, redirections and here-documents are left out. What a substitution
(``$(…)``, backticks) would give is not known: it stays in its word as it is written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BLANK = re.compile(r"[^\S\n]+|\\\r?\n")
_COMMENT = re.compile(r"#[^\n]*")
_SEPARATOR = re.compile(r"\n|&&|\|\||;;|\|&|[;|&()]")
_HERE = re.compile(r"\d?<<-?[ \t]*(['\"]?)(\w+)\1")
_REDIRECTION = re.compile(r"(?:\d|&)?>{1,2}\|?[ \t]*|\d?<{1,3}[ \t]*")
_TARGET = re.compile(r"&[\d-]|[^\s;|&()'\"]+|'[^']*'|\"[^\"]*\"")
# Within a word: what is quoted, what is escaped, and the rest.
_QUOTED = re.compile(r"'([^']*)'|\"((?:\\.|[^\"\\])*)\"", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PLAIN = re.compile(r"[^\s'\"\\;|&()`$]+|.", re.DOTALL)
_IN_DOUBLE = re.compile(r"\\([\"\\$`])|\\\n")
_INSIDE = re.compile(r"[()]|'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.", re.DOTALL)
_BACKTICKS = re.compile(r"`[^`]*`")


@dataclass(frozen=True, slots=True)
class Word:
    """A word without its quotes; ``quoted`` is whether any part of it was quoted."""

    text: str
    quoted: bool


def tokens(script: str) -> Iterator[Word | str]:
    """The words of ``script`` and its separators: line ends, ``;``, ``&&``, ``|``, parentheses and such."""
    reading = _Reading(script)
    while reading.at < len(script):
        token = reading.next()
        if token is not None:
            yield token


class _Reading:
    def __init__(self, script: str) -> None:
        self.script, self.at = script, 0
        self._documents: list[str] = []
        self._closed = True  # False once a substitution or a here-document has no end

    def next(self) -> Word | str | None:
        """The token at the place that is reached; None for what is left out."""
        if self._take(_BLANK) or self._take(_COMMENT):
            return None
        if found := self._take(_HERE):
            self._documents.append(found[2])
            return None
        if self._take(_REDIRECTION):
            self._take(_TARGET)
            return None
        if found := self._take(_SEPARATOR):
            if found[0] == "\n":
                self._skip_documents()
            return found[0]
        return self._word()

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.script, self.at)
        if found:
            self.at = found.end()
        return found

    def _skip_documents(self) -> None:
        """Go on behind the here-documents that the line before has begun."""
        for name in self._documents if self._closed else ():
            end = re.compile(rf"^[ \t]*{name}[ \t\r]*$", re.MULTILINE).search(self.script, self.at)
            if end is None:
                self._closed = False
                break
            self.at = end.end()
        self._documents.clear()

    def _word(self) -> Word:
        parts: list[str] = []
        quoted = False
        while self.at < len(self.script) and not self._ends():
            if found := self._take(_QUOTED):
                quoted = True
                parts.append(found[1] if found[1] is not None else _IN_DOUBLE.sub(r"\1", found[2]))
            elif found := self._take(_ESCAPED):
                parts.append("" if found[1] in "\n\r" else found[1])
            elif substitution := self._substitution():
                parts.append(substitution)
            elif found := self._take(_PLAIN):
                parts.append(found[0])
        return Word("".join(parts), quoted)

    def _ends(self) -> bool:
        return self.script[self.at].isspace() or _SEPARATOR.match(self.script, self.at) is not None

    def _substitution(self) -> str:
        """``$(…)`` or what backticks hold, as it is written; empty where none begins here."""
        if found := self._take(_BACKTICKS):
            return found[0]
        if not self._closed or not self.script.startswith("$(", self.at):
            return ""
        depth = 0
        for found in _INSIDE.finditer(self.script, self.at + 1):
            depth += (found[0] == "(") - (found[0] == ")")
            if depth == 0:
                start, self.at = self.at, found.end()
                return self.script[start : self.at]
        self._closed = False
        return ""
