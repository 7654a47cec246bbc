"""Splits the script of a step into simple commands, each with its working directory and its variables.

This is no shell: what a shell would expand stays as it is, except variables that the step itself sets. What
stands below an ``if`` that is known not to hold is left out. Words and separators are found as a POSIX shell
finds them, within linear time: quotes are taken off, comments, redirections and here-documents left out. What
a substitution (``$(…)``, backticks) would give is not known: it stays in its word as it is written.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sandbox.ci.commands import Command
from sandbox.ci.conditions import Conditions

MAX_SCRIPT = 20_000
"""Characters of a script that are read."""

MAX_DEPTH = 3
"""How many scripts within scripts (``sh -c "…"``) are looked into."""

MAX_EXPORTED = 100
"""Variables that a script sets for its commands."""

MAX_VALUE = 5_000
"""Characters of a word with its variables replaced."""

_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
# The arguments of a script, ``"$@"`` or ``${@:-tests}``: a step has none, so that it is what stands for them.
_ARGUMENTS = re.compile(r"\$(?:\{[@*](?::?-([^}]*))?\}|[@*])")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_SHELLS = {"sh", "bash", "dash", "zsh", "/bin/sh", "/bin/bash"}
_KEYWORDS = {"if", "then", "else", "elif", "do", "while", "until", "!", "{", "set", "eval"}


@dataclass(slots=True)
class _Place:
    """Where a shell is, and what it has set."""

    directory: str
    known: dict[str, str]
    exported: dict[str, str] = field(default_factory=dict)
    before: str = ""

    def copy(self) -> _Place:
        return _Place(self.directory, dict(self.known), dict(self.exported), self.before)

    def move(self, directory: str) -> None:
        """Follow ``cd``; ``-`` goes back."""
        if directory == "-":
            self.before, self.directory = self.directory, self.before or self.directory
            return
        path = posixpath.join(self.directory, directory.replace("\\", "/"))
        self.before, self.directory = self.directory, posixpath.normpath(path)


def simple_commands(
    script: str, *, variables: Mapping[str, str] | None = None, directory: str = ".", depth: int = 0
) -> Iterator[Command]:
    """The commands of ``script`` in the order in which they stand; what cannot be read is left out."""
    place = _Place(directory, dict(variables or {}))
    around: list[_Place] = []
    conditions = Conditions()
    words: list[str] = []
    for part in tokens(script[:MAX_SCRIPT]):
        if isinstance(part, Word):
            words += _expanded(part, place.known, is_first=not words)
            continue
        if conditions.passes(words, joined=part in {"&&", "||"}, known=place.known):
            yield from _command(words, place, depth)
        words = []
        if part == "(" and len(around) < MAX_DEPTH:  # what a subshell does ends with it
            around.append(place.copy())
        elif part == ")" and around:
            place = around.pop()
    if conditions.passes(words, joined=False, known=place.known):
        yield from _command(words, place, depth)


def _expanded(word: Word, known: Mapping[str, str], *, is_first: bool) -> list[str]:
    """The words that ``word`` is with its variables replaced: one, or several where it is not quoted."""
    if "$" not in word.text:
        return [word.text]
    if found := _ARGUMENTS.fullmatch(word.text):
        return (found[1] or "").split()
    text = _VARIABLE.sub(lambda found: known.get(found[1] or found[2], found[0]), word.text)[:MAX_VALUE]
    # A variable may hold a whole command, as in ``$RUN_TESTS tests/``, or several words.
    is_several = text != word.text and (is_first or not word.quoted)
    if not is_several or _ASSIGNMENT.match(word.text) or "$(" in text or "`" in text:
        return [text] if text else []
    return text.split()


def _command(words: list[str], place: _Place, depth: int) -> Iterator[Command]:
    """The command of ``words``; one that moves or sets variables changes ``place``."""
    start = next((at for at, word in enumerate(words) if word not in _KEYWORDS), len(words))
    words = words[start:]
    if not words:
        return
    if words[0] in {"cd", "pushd", "Set-Location"} and len(words) > 1:
        place.move(words[1])
    elif words[0] == "popd":
        place.move("-")
    elif words[0] == "export" or all(_ASSIGNMENT.fullmatch(word) for word in words):
        for word in words:
            if found := _ASSIGNMENT.fullmatch(word):
                # What a variable held before, and is not known, is nothing.
                value = re.sub(rf"\$\{{?{found[1]}\b\}}?", "", found[2])
                place.known[found[1]] = value
                if len(place.exported) < MAX_EXPORTED:
                    place.exported[found[1]] = value
    else:
        environment, directory = tuple(place.exported.items()), place.directory
        yield Command(words=tuple(words), directory=directory, environment=environment)
        if depth < MAX_DEPTH and (inner := _inner_script(words)):
            yield from simple_commands(inner, variables=place.known, directory=directory, depth=depth + 1)


def _inner_script(words: list[str]) -> str:
    """The script that a shell among ``words`` is given by ``-c``: ``docker run image sh -c "…"``."""
    for number, word in enumerate(words[:-2]):
        if word in _SHELLS and words[number + 1] in {"-c", "-lc", "-ec", "-exc"}:
            return words[number + 2]
    return ""


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
