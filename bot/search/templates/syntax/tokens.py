"""Syntax errors within a line: keywords, operators, commas, single tokens too many or too few.

Delimiters and quotes are in ``delimiters``.
"""

import keyword
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from bot.search.templates.syntax.delimiters import BRACKETS
from bot.search.templates.syntax.text import Near, Piece, Variant

_SIGNS = {"=<": "<=", "=>": ">=", "=!": "!=", "<>": "!=", "=": "=="}
_BEFORE_EQUALS = frozenset({"+", "-", "*", "/", "!", "<", ">", "=", "//", "%"})
_CONDITIONS = frozenset({"if", "elif", "while", "assert", "return", "and", "or", "not"})
_ALIKE = 0.6  # difflib's ratio from which a word may be a keyword's slip
_INSERTED = ((",", 0.5), (":", 0.45), (".", 0.4), ("=", 0.4), (" in ", 0.4), (" = ", 0.35), ("==", 0.35),
             ("*", 0.35))  # fmt: skip
_LINKS = {"for": (" in ", 0.9), "import": (" as ", 0.6), "with": (" as ", 0.8), "except": (" as ", 0.8),
          "from": (" import ", 0.9)}  # fmt: skip


def _keywords(near: Near) -> Iterator[Variant]:
    """A keyword with letters wrong, swapped, missing, or in capitals."""
    for index, share in near.suspects:
        for rank, piece in enumerate(near.pieces(index)):
            if piece.kind != "name" or keyword.iskeyword(piece.code):
                continue
            for word, likeness in _alike(piece.code):
                weight = likeness * share * (1.0 if rank == 0 else 0.9)
                yield near.with_span(index, (piece.start, piece.end), word, weight, f"write `{word}`")


def _alike(code: str) -> Iterator[tuple[str, float]]:
    for word in keyword.kwlist:
        if sorted(word) == sorted(code.lower()) or word.lower() == code.lower():
            yield word, 1.0
        elif len(word) > 2 and (ratio := SequenceMatcher(None, code, word).ratio()) >= _ALIKE:
            yield word, 0.6 + 0.35 * ratio


def _signs(near: Near) -> Iterator[Variant]:
    """An operator with its signs in the wrong order or apart, or an assignment for a comparison."""
    for index, share in near.suspects:
        pieces = near.pieces(index)
        asks = bool(_CONDITIONS & {piece.code for piece in pieces})
        for piece in pieces:
            if piece.code in _SIGNS:
                weight = (0.6 if piece.code == "=" and not asks else 0.97) * share
                yield near.with_span(index, (piece.start, piece.end), _SIGNS[piece.code], weight)
        for first, second in pairwise(pieces):
            if second.code == "=" and first.code in _BEFORE_EQUALS:
                yield near.with_span(index, (first.start, second.end), f"{first.code}=", 0.97 * share)


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
                why = f"add `{word.strip()}`"
                yield near.with_span(index, (left.end, right.start), word, sure * share, why)
        if pieces and pieces[-1].ends_value:
            end = pieces[-1].end
            hint = 0.95 if "forgot a comma" in near.message else 0.75
            yield near.with_span(index, (end, end), ",", hint * share, "add the missing comma")


def _is_word(piece: Piece) -> bool:
    is_keyword = piece.kind == "name" and keyword.iskeyword(piece.code)
    return is_keyword and piece.code not in {"None", "True", "False"}


def _singles(near: Near) -> Iterator[Variant]:
    """One token too many, or one missing, nearest to the compiler's mark."""
    for index, share in near.suspects:
        for piece in near.pieces(index):
            away = 0 if index != near.index else min(abs(piece.start - near.column), 40)
            weight = (0.6 - 0.005 * away) * share
            yield near.with_span(index, (piece.start, piece.end), "", weight, f"drop `{piece.code}`")
            if keyword.iskeyword(piece.code) and piece.start > len(near.indent(index)):
                name = f"{piece.code}_"
                yield near.with_span(index, (piece.start, piece.end), name, 0.5 * share, f"write `{name}`")
            if away <= 20:
                for code, sure in _INSERTED:
                    why, weight = f"insert `{code.strip()}`", sure * share - 0.002 * away
                    yield near.with_span(index, (piece.end, piece.end), code, weight, why)


TOKENS: tuple[Callable[[Near], Iterator[Variant]], ...] = (*BRACKETS, _keywords, _signs, _commas, _singles)
