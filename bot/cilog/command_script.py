"""Take the script of a step apart into simple commands, each with the folder and the variables it runs with.

No shell: what a shell would expand is left as it is, except variables that the step itself sets.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

MAX_SCRIPT = 20_000
"""Characters of a script that are read."""

MAX_QUOTED_LINES = 100
"""Lines that one open quote may go on for."""

MAX_DEPTH = 3
"""How many scripts within scripts (``sh -c "…"``) are looked into."""

_SEPARATORS = {"&&", "||", ";", "|", "&", "(", ")", ";;", "\n"}
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_SHELLS = {"sh", "bash", "dash", "zsh", "/bin/sh", "/bin/bash"}
_REDIRECTION = re.compile(r"(?<=\s)(?:\d|&)?>{1,2}\s*(?:&\d|[^\s;&|]+)|(?<=\s)<\s*[^\s;&|<]+")
_KEYWORDS = {"if", "then", "else", "elif", "do", "while", "until", "!", "{", "set", "eval"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleCommand:
    """One command of a script; ``folder`` is relative to where the script starts, unless it is absolute."""

    words: tuple[str, ...]
    folder: str = "."
    environment: tuple[tuple[str, str], ...] = ()


def simple_commands(
    script: str, *, variables: Mapping[str, str] | None = None, folder: str = ".", depth: int = 0
) -> Iterator[SimpleCommand]:
    """The commands of ``script`` in the order in which they stand; what cannot be read is left out."""
    known = dict(variables or {})
    exported: dict[str, str] = {}
    for words in _commands(script[:MAX_SCRIPT], known):
        while words and words[0] in _KEYWORDS:
            words.pop(0)
        if not words:
            continue
        if words[0] in {"cd", "pushd", "Set-Location"} and len(words) > 1:
            folder = posixpath.normpath(posixpath.join(folder, words[1].replace("\\", "/")))
        elif words[0] == "export" or all(_ASSIGNMENT.fullmatch(word) for word in words):
            for word in words:
                if found := _ASSIGNMENT.fullmatch(word):
                    known[found[1]] = exported[found[1]] = found[2]
        else:
            yield SimpleCommand(words=tuple(words), folder=folder, environment=tuple(exported.items()))
            if depth < MAX_DEPTH and (inner := _inner_script(words)):
                yield from simple_commands(inner, variables=known, folder=folder, depth=depth + 1)


def _inner_script(words: list[str]) -> str:
    """The script that a shell among ``words`` is given by ``-c``: ``docker run image sh -c "…"``."""
    for number, word in enumerate(words[:-2]):
        if word in _SHELLS and words[number + 1] in {"-c", "-lc", "-ec", "-exc"}:
            return words[number + 2]
    return ""


def _commands(script: str, variables: Mapping[str, str]) -> Iterator[list[str]]:
    for line in _lines(script):
        words: list[str] = []
        for word in _words(line):
            if word in _SEPARATORS:
                if words:
                    yield words
                words = []
                continue
            expanded = _VARIABLE.sub(lambda m: variables.get(m[1] or m[2], m[0]), word)
            # A variable may hold a whole command, as in ``$RUN_TESTS tests/``.
            parts = expanded.split() if expanded != word and not words else [expanded]
            words += [part for part in parts if part]
        if words:
            yield words


def _words(line: str) -> Iterable[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="();&|")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    try:
        return list(lexer)
    except ValueError:  # quotes that do not match, as in a script that the log has cut
        return line.split()


def _lines(script: str) -> Iterator[str]:
    """The script's lines, those joined that a backslash or an open quote continues."""
    waiting, joined = "", 0
    for line in script.splitlines():
        text = f"{waiting}{line}"
        joined += 1
        if text.rstrip().endswith("\\"):
            waiting = text.rstrip()[:-1] + " "
        elif joined < MAX_QUOTED_LINES and _open_quote(text):
            waiting = text + "\n"
        else:
            waiting, joined = "", 0
            yield _REDIRECTION.sub(" ", text)
    if waiting:
        yield waiting


def _open_quote(text: str) -> bool:
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return True
    return False
