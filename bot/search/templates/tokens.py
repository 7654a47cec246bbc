"""Syntax errors within a line: keywords, operators, commas, single tokens too many or too few.

Delimiters and quotes are in ``delimiters``, older Python and foreign characters in ``dialects``.
"""

import keyword
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from bot.search.templates.delimiters import BRACKETS
from bot.search.templates.dialects import DIALECTS
from bot.search.templates.text import Near, Piece, Variant

_FOREIGN_WORDS = {
    "func": "def", "function": "def", "fn": "def", "define": "def", "fun": "def", "elseif": "elif",
    "elsif": "elif", "catch": "except", "throw": "raise", "foreach": "for", "include": "import",
    "require": "import", "do": "while", "switch": "match", "var": "", "let": "", "const": "", "new": "",
}  # fmt: skip
_SIGNS = {
    "=<": "<=", "=>": ">=", "=!": "!=", "<>": "!=", "===": "==", "!==": "!=", "&&": "and", "||": "or",
    "!": "not ", "++": "+= 1", "--": "-= 1", ":=": "=", "->": ":", ";": ":", "=": "==",
}  # fmt: skip
_CONDITIONS = frozenset({"if", "elif", "while", "assert", "return", "and", "or", "not"})
_ALIKE = 0.6  # difflib's ratio from which a word may be a keyword's slip
_INSERTED = (
    (",", 0.5),
    (":", 0.45),
    (".", 0.4),
    ("=", 0.4),
    (" in ", 0.4),
    (" = ", 0.35),
    ("==", 0.35),
    ("*", 0.35),
)
_LINKS = {"for": (" in ", 0.9), "import": (" as ", 0.6), "with": (" as ", 0.8), "except": (" as ", 0.8),
          "from": (" import ", 0.9)}  # fmt: skip


def _keywords(near: Near) -> Iterator[Variant]:
    """A keyword with letters wrong, swapped, missing, or in capitals."""
    for index, share in near.suspects:
        for rank, piece in enumerate(near.pieces(index)):
            if piece.kind != "name" or keyword.iskeyword(piece.code):
                continue
            if piece.code in _FOREIGN_WORDS:
                word = _FOREIGN_WORDS[piece.code]
                end = piece.end if word else piece.end + 1
                yield near.with_span(index, (piece.start, end), word, 0.98 * share)
            for word, likeness in _alike(piece.code):
                weight = likeness * share * (1.0 if rank == 0 else 0.9)
                yield near.with_span(index, (piece.start, piece.end), word, weight, f"write `{word}`")
        yield from _glued(near, index, share)


def _alike(code: str) -> Iterator[tuple[str, float]]:
    for word in keyword.kwlist:
        if sorted(word) == sorted(code.lower()) or word.lower() == code.lower():
            yield word, 1.0
        elif len(word) > 2 and (ratio := SequenceMatcher(None, code, word).ratio()) >= _ALIKE:
            yield word, 0.6 + 0.35 * ratio


def _glued(near: Near, index: int, share: float) -> Iterator[Variant]:
    """``returnx``, ``defmain``: the space after the keyword is missing."""
    pieces = near.pieces(index)
    for piece in pieces[:1]:
        for word in (
            "return",
            "def",
            "class",
            "import",
            "from",
            "if",
            "elif",
            "while",
            "for",
            "raise",
            "del",
        ):
            if piece.kind == "name" and piece.code.startswith(word) and piece.code != word:
                at = piece.start + len(word)
                yield near.with_span(index, (at, at), " ", 0.8 * share, f"write `{word}` apart")


def _signs(near: Near) -> Iterator[Variant]:
    """An operator of another language, its signs in the wrong order, or an assignment for a comparison."""
    for index, share in near.suspects:
        pieces = near.pieces(index)
        asks = bool(_CONDITIONS & {piece.code for piece in pieces})
        for piece in pieces:
            if piece.code not in _SIGNS:
                continue
            sure = piece.code in {"=<", "=>", "=!", "<>", "===", "!==", "&&", "||"} or (
                piece.code == "=" and asks
            )
            weight = (0.97 if sure else 0.6) * share
            word = _SIGNS[piece.code]
            body = near.body(index)
            if word in {"and", "or"}:
                before, after = body[piece.start - 1 : piece.start], body[piece.end : piece.end + 1]
                word = f"{'' if before.isspace() else ' '}{word}{'' if after.isspace() else ' '}"
            yield near.with_span(index, (piece.start, piece.end), word, weight, f"write `{word.strip()}`")
        body = near.body(index)
        if sum(piece.code in {"&&", "||"} for piece in pieces) > 1:
            line = body.replace("&&", "and").replace("||", "or")
            yield near.with_line(index, line, 0.98 * share)
        yield from _assignment(near, index, pieces, share)


def _assignment(near: Near, index: int, pieces: list[Piece], share: float) -> Iterator[Variant]:
    """``5 = x`` the wrong way round; ``a + = b`` with a space too many."""
    body = near.body(index)
    equals = [piece for piece in pieces if piece.code == "="]
    if len(equals) == 1 and pieces[0].code not in _CONDITIONS:
        indent = near.indent(index)
        left, right = body[len(indent) : equals[0].start].strip(), near.code(index)[equals[0].end :].strip()
        if left and right:
            yield near.with_line(index, f"{indent}{right} = {left}", 0.7 * share)
    for first, second in pairwise(pieces):
        if second.code == "=" and first.code in {"+", "-", "*", "/", "!", "<", ">", "=", "//", "%"}:
            code = f"{first.code}="
            yield near.with_span(index, (first.start, second.end), code, 0.97 * share, f"write `{code}`")


def _commas(near: Near) -> Iterator[Variant]:
    """A comma, or a linking word, missing between two values."""
    for index, share in near.suspects:
        pieces = near.pieces(index)
        first = pieces[0].code if pieces else ""
        depth = 0
        for left, right in pairwise(pieces):
            depth += (left.code in "([{") - (left.code in ")]}")
            apart = left.ends_value and right.begins_value and not _is_word(left) and not _is_word(right)
            if not apart:
                continue
            called = left.end == right.start and right.code in "(["
            weight = (0.9 if depth > 0 else 0.6) * (0.5 if called else 1.0) * share
            yield near.with_span(index, (left.end, left.end), ",", weight, "add the missing comma")
            if first in _LINKS:
                word, sure = _LINKS[first]
                yield near.with_span(
                    index, (left.end, right.start), word, sure * share, f"add `{word.strip()}`"
                )
        if pieces and pieces[-1].ends_value:
            end = pieces[-1].end
            hint = 0.95 if "forgot a comma" in near.message else 0.75
            yield near.with_span(index, (end, end), ",", hint * share, "add the missing comma")


def _is_word(piece: Piece) -> bool:
    return (
        piece.kind == "name" and keyword.iskeyword(piece.code) and piece.code not in {"None", "True", "False"}
    )


def _singles(near: Near) -> Iterator[Variant]:
    """One token too many, or one missing, nearest to the compiler's mark."""
    for index, share in near.suspects:
        for piece in near.pieces(index):
            away = 0 if index != near.index else min(abs(piece.start - near.column), 40)
            weight = (0.6 - 0.005 * away) * share
            yield near.with_span(index, (piece.start, piece.end), "", weight, f"drop `{piece.code}`")
            if keyword.iskeyword(piece.code) and not _is_first(near, index, piece):
                name = f"{piece.code}_"
                yield near.with_span(index, (piece.start, piece.end), name, 0.5 * share, f"write `{name}`")
            if away <= 20:
                for code, sure in _INSERTED:
                    why = f"insert `{code.strip()}`"
                    yield near.with_span(
                        index, (piece.end, piece.end), code, sure * share - 0.002 * away, why
                    )


def _is_first(near: Near, index: int, piece: Piece) -> bool:
    return piece.start == len(near.indent(index))


def _arguments(near: Near) -> Iterator[Variant]:
    """Parameters and arguments in an order that Python does not allow, or given twice."""
    message, index = near.message, near.index
    ordered = "follows keyword argument" in message or "default argument" in message or "default" in message
    repeated = "keyword argument repeated" in message
    if not (ordered or repeated):
        return
    body = near.body(index)
    for start, end in _parenthesised(near, index):
        parts = _split(body[start:end])
        if len(parts) < 2:
            continue
        if ordered:
            plain = [part for part in parts if "=" not in part]
            named = [part for part in parts if "=" in part]
            code = ", ".join(part.strip() for part in (*plain, *named))
            sure = 1.0 if "keyword" in message else 0.8
            yield near.with_span(index, (start, end), code, sure, "put what has no default first")
            last = max((i for i, part in enumerate(parts) if "=" not in part and "*" not in part), default=0)
            given = [part if i != last else f"{part}=None" for i, part in enumerate(parts)]
            if "keyword" not in message:
                yield near.with_span(
                    index, (start, end), ",".join(given), 0.9, "give the parameter a default"
                )
        else:
            for gone in range(len(parts) - 1, -1, -1):
                kept = ",".join(part for i, part in enumerate(parts) if i != gone)
                yield near.with_span(index, (start, end), kept.strip(), 0.8, f"drop `{parts[gone].strip()}`")


def _parenthesised(near: Near, index: int) -> Iterator[tuple[int, int]]:
    """The stretches inside parentheses of a line, inner ones first."""
    opened: list[int] = []
    for piece in near.pieces(index):
        if piece.code == "(":
            opened.append(piece.end)
        elif piece.code == ")" and opened:
            yield opened.pop(), piece.start


def _split(code: str) -> list[str]:
    parts, depth = [""], 0
    for character in code:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip()]


TOKENS: tuple[Callable[[Near], Iterator[Variant]], ...] = (
    *DIALECTS,
    *BRACKETS,
    _keywords,
    _signs,
    _commas,
    _arguments,
    _singles,
)
