"""Syntax errors of another dialect: Python 2, typographic characters, a stray line continuation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bot.search.direct.text import Near, Variant

_PRINT = re.compile(r"^(\s*(?:\w[^#'\"]*:\s+)?)print\s+(?![=(+\-*/.])(.+?)(\s*#.*)?$")
_PRINT_TO = re.compile(r"^>>\s*([\w.]+)\s*,\s*(.*)$")
_EXCEPT = re.compile(r"^(\s*except\s+)(\w[\w.]*|\([^)]*\))\s*,\s*(\w+)\s*:(.*)$")
_RAISE = re.compile(r"^(\s*raise\s+\w[\w.]*)\s*,\s*(.+)$")
_EXEC = re.compile(r"^(\s*)exec\s+([^(].*)$")
_BACKTICKS = re.compile(r"`([^`]+)`")
_OCTAL = re.compile(r"(?<![\w.])0+([0-7]+)(?![\w.])")
_LONG = re.compile(r"(?<![\w.])(\d+)[lL](?!\w)")
_RAW_UNICODE = re.compile(r"\b[uU][rR](?=['\"])")
_CHARACTERS = str.maketrans({
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'", "«": '"', "»": '"', "–": "-", "—": "-",  # noqa: RUF001
    "−": "-", "×": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "…": "...", "，": ",", "：": ":",  # noqa: RUF001
    "；": ";", "（": "(", "）": ")", "［": "[", "］": "]", "＝": "=", "\u00a0": " ", "\u200b": "",  # noqa: RUF001
    "\u3000": " ", "\u2028": "", "\u2009": " ", "\u202f": " ", "\ufeff": "", "´": "'", "′": "'",  # noqa: RUF001
})  # fmt: skip


def _modern(line: str) -> str:
    """A line of Python 2 as Python 3 writes it."""
    if match := _PRINT.match(line):
        line = f"{match.group(1)}print({_printed(match.group(2))}){match.group(3) or ''}"
    if match := _EXCEPT.match(line):
        line = f"{match.group(1)}{match.group(2)} as {match.group(3)}:{match.group(4)}"
    if match := _RAISE.match(line):
        line = f"{match.group(1)}({match.group(2)})"
    if match := _EXEC.match(line):
        line = f"{match.group(1)}exec({match.group(2)})"
    line = _BACKTICKS.sub(r"repr(\1)", line)
    return _RAW_UNICODE.sub("r", _LONG.sub(r"\1", line))


def _printed(arguments: str) -> str:
    if match := _PRINT_TO.match(arguments):
        return f"{match.group(2)}, file={match.group(1)}"
    return f"{arguments.rstrip(' ,')}, end=' '" if arguments.rstrip().endswith(",") else arguments


def _python2(near: Near) -> Iterator[Variant]:
    """The whole file's old statements at once, then the one line's."""
    changed: dict[int, str | None] = {
        index: new
        for index in range(len(near.lines))
        if near.is_legible(index) and (new := _modern(near.body(index))) != near.body(index)
    }
    if near.index in changed:
        yield near.with_lines(changed, 1.0, "write it as Python 3 does")
        line = changed[near.index]
        yield near.with_line(near.index, line or "", 0.98)
    body = near.body(near.index)
    if match := _EXCEPT.match(body):
        both = f"{match.group(1)}({match.group(2)}, {match.group(3)}):{match.group(4)}"
        yield near.with_line(near.index, both, 0.95)
    octal = _OCTAL.sub(r"0o\1", body)
    if octal != body:
        yield near.with_line(near.index, octal, 0.9)
        yield near.with_line(near.index, _OCTAL.sub(r"\1", body), 0.8)


def _characters(near: Near) -> Iterator[Variant]:
    """Quotes and signs as word processors write them."""
    changed: dict[int, str | None] = {}
    for index in range(len(near.lines)):
        body = near.body(index)
        if not body.isascii() and (plain := body.translate(_CHARACTERS)) != body:
            changed[index] = plain
    if near.index in changed:
        yield near.with_lines({near.index: changed[near.index]}, 0.99, "write plain characters")
        yield near.with_lines(changed, 0.97, "write plain characters")


def _continuation(near: Near) -> Iterator[Variant]:
    """A backslash that something follows, or that ends the file."""
    if "line continuation" not in near.message and "unexpected EOF" not in near.message:
        return
    body = near.body(near.index)
    at = body.rfind("\\")
    if at >= 0:
        yield near.with_line(near.index, body[: at + 1], 0.95 if not body[at + 1 :].strip() else 0.6)
        yield near.with_span(near.index, (at, at + 1), "", 0.8, "drop the backslash")
        yield near.with_span(near.index, (at, at + 1), "/", 0.7, "divide with `/`")


DIALECTS: tuple[Callable[[Near], Iterator[Variant]], ...] = (_python2, _characters, _continuation)
