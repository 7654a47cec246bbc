"""Hostile text as Markdown that GitHub shows and never acts upon.

GitHub links mentions, issue numbers, commits and addresses in any text but code, after Markdown was read: no
backslash keeps it from that. So what is no plain word is shown as code here, and code is fenced by marks that
are longer than any in it. Characters that cannot be seen are named. It knows nothing of patches.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import accumulate

LIMIT = 65_536
"""What GitHub takes as the body of a comment, a review or a pull request, in characters."""

MAX_TEXT = 300
MAX_LISTED = 10
_TICKS = re.compile(r"`+")
_WORD = re.compile(r"[(\"']?[^\W\d_]+(?:['\u2019-][^\W\d_]+)*[.,;:!?\"')]*")
_NUMBER = re.compile(r"\(?\d{1,5}(?:\.\d{1,3})?%?\)?[,;:]?")
# What was written as code already, with the mark behind it, or a word.
_TOKEN = re.compile(r"`([^`]+)`([.,;:!?)]*)(?!\S)|(\S+)")
# Seven letters from a to f are a commit to GitHub, should there be one of that name.
_COMMIT = re.compile(r"[a-f]{7,40}", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[A-Za-z0-9./:?#&=%_~+@-]+")
# Letters, marks and a symbol by their category, and yet blank.
_BLANK = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810)))
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def visible(text: str) -> str:
    r"""``text`` with every character that cannot be seen, or that turns what is around it, by its name.

    Line feeds and tabs stay. A byte that is not UTF-8 is shown as in Python, ``\xff``.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_seen, text))


def is_visible(text: str) -> bool:
    """Whether ``text`` may stand in a comment as it is."""
    return visible(text) == text


def one_line(text: str, limit: int = MAX_TEXT) -> str:
    """``text`` on one line, visible, and shortened to ``limit`` characters."""
    line = " ".join(visible(" ".join(text[: 20 * limit].split())).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def code(text: str, limit: int = MAX_TEXT) -> str:
    """``text`` on one line as a code span."""
    line = one_line(text, limit)
    if not line:
        return "(empty)"
    ticks = "`" * (_longest(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def cell(text: str) -> str:
    """``text`` as a code span within a table."""
    # A pipe behind a backslash is read in two ways: no escape is right for both.
    return re.sub(r"(?<!\\)\|", r"\\|", re.sub(r"(?<=\\)\|", "¦", code(text)))


def prose(text: str, limit: int = 1000) -> str:
    """``text`` on one line as prose: words stay words, all else becomes code."""
    parts: list[str] = []
    odd: list[str] = []
    for span, mark, word in _TOKEN.findall(one_line(text, limit)):
        if not span and not _is_plain(word, first=not parts and not odd):
            odd.append(word)
            continue
        if odd:
            parts.append(code(" ".join(odd), limit))
            odd = []
        parts.append(code(span, limit) + mark if span else word)
    return " ".join([*parts, code(" ".join(odd), limit)] if odd else parts)


def sentence(text: str, limit: int = 1000) -> str:
    """``prose`` that begins and ends as a sentence does."""
    words = prose(text, limit)
    ending = "" if words[-1:] in {"", ".", "!", "?"} else "."
    return words[:1].upper() + words[1:] + ending


def fence(text: str, language: str = "", *, limit: int = 20_000) -> str:
    """``text`` in a code fence that nothing in it closes, cut between lines to ``limit`` characters.

    What was left out is said below the fence.
    """
    lines = visible(text).removesuffix("\n").split("\n")
    kept = sum(size <= limit for size in accumulate(len(line) + 1 for line in lines))
    body = "\n".join(lines[:kept])
    ticks = "`" * max(3, _longest(body) + 1)
    note = f"\n\n({plural(len(lines) - kept, 'more line')}, too long to be shown here)"
    return f"{ticks}{language}\n{body}\n{ticks}" + (note if kept < len(lines) else "")


def link(text: str, address: str) -> str:
    """A link with a text of ours; an address that is none is shown as code."""
    return f"[{text}]({address})" if _ADDRESS.fullmatch(address) else f"{text} ({code(address)})"


def listed(texts: Iterable[str]) -> str:
    """``texts`` as a list of code spans; the first ones, and how many there are beyond them."""
    every = list(texts)
    lines = [f"- {code(text)}" for text in every[:MAX_LISTED]]
    return "\n".join([*lines, f"- and {len(every) - MAX_LISTED} more"] if len(every) > MAX_LISTED else lines)


def plural(count: int, noun: str) -> str:
    """``1 test``, ``2 tests``, ``1,200 tests``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _seen(char: str) -> str:
    if char in "\n\t" or (unicodedata.category(char) not in _UNSEEN and char not in _BLANK):
        return char
    number = ord(char)
    if number < 0x20:
        return chr(0x2400 + number)
    if 0xDC80 <= number <= 0xDCFF:
        return f"\\x{number - 0xDC00:02x}"
    return f"⟨U+{number:04X}⟩"


def _is_plain(word: str, *, first: bool) -> bool:
    if number := _NUMBER.fullmatch(word.removesuffix(".")):
        # A number with a point or a parenthesis behind it would begin a list.
        begins = number[0] != word or word.rstrip(",;:").endswith(")")
        return not first or word.startswith("(") or not begins
    return bool(_WORD.fullmatch(word)) and not _COMMIT.search(word)


def _longest(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)
