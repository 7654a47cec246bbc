"""Syntax errors of another dialect: Python 2, typographic characters, a stray line continuation."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate

from bot.search.templates.text import Near, Variant

_PRINT = re.compile(r"^(\s*(?:\w[^#'\"]*:\s+)?)print\s+(?![=(+\-*/.])(.+?)(\s*#.*)?$")
_PRINT_TO = re.compile(r"^>>\s*([\w.]+)\s*(?:,\s*(.*))?$")
_EXCEPT = re.compile(r"^(\s*except\s+)(\w[\w.]*|\([^)]*\))\s*,\s*(\w+)\s*:(.*)$")
_RAISE = re.compile(r"^(\s*raise\s+\w[\w.]*)\s*,\s*(.+)$")
_EXEC = re.compile(r"^(\s*)exec\s+([^(].*?)(?:\s+in\s+(\w.*))?$")
# Texts and comments, where nothing is code; then what is written otherwise today.
_QUOTED = r"(#.*|\"\"\".*|'''.*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
_OLD = re.compile(_QUOTED + r"|`([^`]+)`|(?<![\w.])(\d+)[lL](?!\w)|\b[uU]([rR])(?=['\"])")
_OCTAL = re.compile(_QUOTED + r"|(?<![\w.])0+([0-7]+)(?![\w.])")
_LONG_TEXT = re.compile(
    r"\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)|\'\'\'(?:\\.|[^\\])*?(?:\'\'\'|\Z)|#[^\r\n]*"
    r"|\"(?:\\.|[^\"\\\r\n])*\"|'(?:\\.|[^'\\\r\n])*'",
    re.DOTALL,
)
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
        spaces = f", {match.group(3)}" if match.group(3) else ""
        line = f"{match.group(1)}exec({match.group(2)}{spaces})"
    return _OLD.sub(_today, line)


def _today(match: re.Match[str]) -> str:
    quoted, shown, number, raw = match.groups()
    return quoted or (f"repr({shown})" if shown else number or raw)


def _octal(line: str, prefix: str) -> str:
    return _OCTAL.sub(lambda match: match.group(1) or prefix + match.group(2), line)


def _printed(arguments: str) -> str:
    if match := _PRINT_TO.match(arguments):
        return f"{match.group(2)}, file={match.group(1)}" if match.group(2) else f"file={match.group(1)}"
    return f"{arguments.rstrip(' ,')}, end=' '" if arguments.rstrip().endswith(",") else arguments


def _python2(near: Near) -> Iterator[Variant]:
    """The whole file's old statements at once, then the one line's."""
    if _modern_line(near, near.index) != near.body(near.index):
        texts = _in_long_texts(near)
        changed: dict[int, str | None] = {
            index: new
            for index in range(len(near.lines))
            if index not in texts and (new := _modern_line(near, index)) != near.body(index)
        }
        yield near.with_lines(changed, 1.0, "write it as Python 3 does")
        yield near.with_line(near.index, _modern_line(near, near.index), 0.98)
    body = near.body(near.index)
    if match := _EXCEPT.match(body):
        both = f"{match.group(1)}({match.group(2)}, {match.group(3)}):{match.group(4)}"
        yield near.with_line(near.index, both, 0.95)
    octal = _octal(body, "0o")
    if octal != body:
        yield near.with_line(near.index, octal, 0.9)
        yield near.with_line(near.index, _octal(body, ""), 0.8)


def _modern_line(near: Near, index: int) -> str:
    body, code = near.body(index), near.code(index)
    return _modern(code) + body[len(code) :] if near.is_legible(index) else body


def _in_long_texts(near: Near) -> set[int]:
    """The lines that begin inside a text of several lines: what they hold is no code."""
    code, found = "".join(near.lines), set[int]()
    starts = [0, *accumulate(map(len, near.lines))]
    for match in _LONG_TEXT.finditer(code):
        first, last = (bisect_right(starts, place) for place in match.span())
        found.update(range(first, last))
    return found


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
