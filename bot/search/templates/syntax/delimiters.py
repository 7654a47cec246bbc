"""Syntax errors of delimiters and quotes: one missing, one too many, one of the wrong kind."""

import re
from collections.abc import Callable, Iterator

from bot.search.templates.syntax.text import Near, Variant

_CLOSER = {"(": ")", "[": "]", "{": "}"}
_OPENER = {closer: opener for opener, closer in _CLOSER.items()}
_LINES_ON = 5  # lines after an opening delimiter on which it may have been meant to close
_NEVER = re.compile(r"'([(\[{])' was never closed")
_UNMATCHED = re.compile(r"unmatched '([)\]}])'")
_MIXED = re.compile(r"closing parenthesis '([)\]}])' does not match opening parenthesis '([(\[{])'")
_WORD = re.compile(r"[^\s\"'()\[\]{},=:]{1,200}\Z")
_TAIL = re.compile(r"[\s)\]},:]*$")


def _unclosed(near: Near) -> Iterator[Variant]:
    """A delimiter that never closes, or closes what nobody opened."""
    if match := _NEVER.search(near.message):
        yield from _close(near, match.group(1))
    elif match := _UNMATCHED.search(near.message):
        yield from _open(near, match.group(1))
    elif match := _MIXED.search(near.message):
        closer, opener = match.groups()
        yield from _rematched(near, closer, opener)


def _close(near: Near, opener: str) -> Iterator[Variant]:
    closer = _CLOSER[opener]
    why = f"close the delimiter with `{closer}`"
    for index in range(near.index, min(near.index + _LINES_ON, len(near.lines))):
        pieces = near.pieces(index)
        if not pieces:
            if near.body(index).strip():
                continue  # a comment
            break
        further = 0.04 * (index - near.index)
        if pieces[-1].code == ":":
            at = pieces[-1].start
            yield near.with_span(index, (at, at), closer, 1.0 - further, why)
        end = pieces[-1].end
        last = 0.97 if pieces[-1].code not in ":," else 0.6
        yield near.with_span(index, (end, end), closer, last - further, why)
        if index == near.index:
            for piece in pieces:
                if piece.start > near.column and piece.ends_value and piece.end != end:
                    yield near.with_span(index, (piece.end, piece.end), closer, 0.7, why)
    yield near.with_span(near.index, (near.column, near.column + 1), "", 0.55, f"drop `{opener}`")


def _open(near: Near, closer: str) -> Iterator[Variant]:
    index, column = near.index, near.column
    yield near.with_span(index, (column, column + 1), "", 0.95, f"drop `{closer}`")
    opener = _OPENER[closer]
    pieces = [piece for piece in near.pieces(index) if piece.start < column]
    for rank, piece in enumerate(pieces):
        value = piece.begins_value and piece.code not in {"return", "if", "while", "elif", "for", "in", "not"}
        if value:
            weight = 0.75 if rank and pieces[rank - 1].code in {"=", "return", "if", "in", "while"} else 0.6
            yield near.with_span(index, (piece.start, piece.start), opener, weight, f"add `{opener}`")
            if piece.kind == "name":
                yield near.with_span(index, (piece.end, piece.end), opener, 0.65, f"add `{opener}`")


def _rematched(near: Near, closer: str, opener: str) -> Iterator[Variant]:
    index, column = near.index, near.column
    right = _CLOSER[opener]
    yield near.with_span(index, (column, column + 1), right, 0.95, f"close with `{right}`")
    yield near.with_span(index, (column, column), right, 0.9, f"add `{right}`")
    yield near.with_span(index, (column, column + 1), "", 0.55, f"drop `{closer}`")
    for piece in near.pieces(index):
        if piece.code == opener and piece.start < column:
            other = _OPENER[closer]
            yield near.with_span(index, (piece.start, piece.end), other, 0.8, f"open with `{other}`")
            yield near.with_span(index, (piece.start, piece.end), "", 0.5, f"drop `{opener}`")
        elif piece.ends_value and piece.end < column:
            yield near.with_span(index, (piece.end, piece.end), right, 0.7, f"add `{right}`")


def _quotes(near: Near) -> Iterator[Variant]:
    """A text that does not end, or ends where it should not."""
    unended = "unterminated" in near.message or "EOL while scanning" in near.message
    if "triple-quoted" in near.message or not unended:
        return
    index = near.index
    body = near.body(index)
    column = next((at for at in range(near.column, len(body)) if body[at] in "'\""), -1)
    if column < 0:
        return
    quote = body[column]
    other = "'" if quote == '"' else '"'
    yield from _ended(near, index, column, quote)
    closing, before = body.rfind(other), body.rfind(other, 0, column)
    if closing > column:
        yield near.with_span(index, (closing, closing + 1), quote, 0.99, "end the text as it begins")
        yield near.with_span(index, (column, column + 1), other, 0.97, "begin the text as it ends")
    elif before >= 0:
        yield near.with_span(index, (column, column + 1), other, 0.98, "end the text as it begins")
        yield near.with_span(index, (before, before + 1), quote, 0.96, "begin the text as it ends")
    yield near.with_span(index, (column, column + 1), "", 0.6, "drop the quote")
    if word := _WORD.search(body, 0, column):
        yield near.with_span(index, (word.start(), word.start()), quote, 0.7, "begin the text")
    places = [place for place, character in enumerate(body) if character == quote]
    if len(places) >= 3:
        first, *inner, last = places
        swapped = body[:first] + other + body[first + 1 : last] + other + body[last + 1 :]
        yield near.with_line(index, swapped, 0.95 if other not in body else 0.4)
        for place in inner:
            yield near.with_span(index, (place, place), "\\", 0.9, "escape the quote inside the text")


def _ended(near: Near, index: int, column: int, quote: str) -> Iterator[Variant]:
    """The quote at the line's end, before the delimiters there, or at the end of a word."""
    body = near.body(index)
    tail = _TAIL.search(body)
    start = max(column + 1, tail.start() if tail else len(body))
    for at in range(start, len(body) + 1):
        weight = 0.97 if at == start else 0.94 if at == len(body) else 0.93
        yield near.with_span(index, (at, at), quote, weight, "end the text")
    for match in re.finditer(r"[\s,)\]}:]", body[column + 1 : start]):
        at = column + 1 + match.start()
        yield near.with_span(index, (at, at), quote, 0.6, "end the text")


def _inner_quotes(near: Near) -> Iterator[Variant]:
    """``f"{d["k"]}"``: an f-string's own quotes inside its braces, an error before Python 3.12."""
    for index, share in near.suspects:
        body = near.body(index)
        for quote, other in (('"', "'"), ("'", '"')):
            start = max(body.find(f"f{quote}"), body.find(f"F{quote}"))
            last = body.rfind(quote)
            if start >= 0 and last > start + 2 and quote in body[start + 2 : last]:
                inner = body[start + 2 : last].replace(quote, other)
                yield near.with_span(index, (start + 2, last), inner, 0.85 * share, "use other quotes inside")


BRACKETS: tuple[Callable[[Near], Iterator[Variant]], ...] = (_unclosed, _quotes, _inner_quotes)
