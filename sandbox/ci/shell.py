"""Splits the script of a step into simple commands, each with its working directory and its variables.

This is no shell: what a shell would expand stays as it is, except variables that the step itself sets. What
stands below an ``if`` that is known not to hold is left out.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sandbox.ci.commands import Command
from sandbox.ci.conditions import Conditions
from sandbox.ci.shell_words import Word, tokens

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
