"""Split ``assert left op right``, as pytest prints it, into its two sides.

The sides are ``repr`` texts, not Python: ``<Thing a == b>`` has to count as one word, and a text that pytest
shortened may leave a delimiter open. Where the split is not clear the answer is None, never a guess.
"""

from collections.abc import Callable

from sandbox.reports import Comparison

MAX_CHARACTERS = 4_000

# Longer operators first: "not in" would else be read as the end of a name before "in".
_OPERATORS = ("not in", "is not", "==", "!=", "<=", ">=", "in", "is", "<", ">")
_OPENING = "([{"
_CLOSING = ")]}"


def read_comparison(text: str) -> Comparison | None:
    """The comparison in an ``assert …`` line, or None where there is none or more than one."""
    if len(text) > MAX_CHARACTERS:
        return None
    words = text.removeprefix("AssertionError: ")
    if not words.startswith("assert "):
        return None
    words = words[len("assert ") :]
    found = _operators(words)
    if len(found) != 1:
        return None
    start, operator = found[0]
    left, right = words[:start].strip(), words[start + len(operator) + 1 :].strip()
    if not left or not right or left.startswith("not "):
        return None
    return Comparison(operator=operator, left=left, right=right)


def _operators(text: str) -> list[tuple[int, str]]:
    """Where the operators outside delimiters, quotes and ``<…>`` stand, and which they are."""

    def operator(at: int) -> str:
        if text[at] != " ":
            return ""
        return next((word for word in _OPERATORS if text.startswith(f"{word} ", at + 1)), "")

    return [(at, operator(at)) for at in outside(text, lambda at: len(operator(at)))]


def outside(text: str, length: Callable[[int], int]) -> list[int]:
    """The places outside delimiters, quotes and ``<…>`` where ``length`` finds something in ``repr`` texts.

    ``length`` answers for an index how many characters after the space there were found, or 0; the search
    goes on behind them. Where a ``<`` never closes the answer is empty.
    """
    found: list[int] = []
    depth, at = 0, 0
    while at < len(text):
        character = text[at]
        if character in "'\"" and (at == 0 or not text[at - 1].isalnum() or text[at - 1] in "bruf"):
            at = _after_quote(text, at)
            continue
        if character == "<" and text[at + 1 : at + 2].isalpha():
            at = _after_angle(text, at)
            if at == 0:
                return []
            continue
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth = max(0, depth - 1)
        elif character == " " and depth == 0 and (size := length(at)):
            found.append(at)
            at += size
        at += 1
    return found


def _after_quote(text: str, start: int) -> int:
    """The index after the string literal that opens at ``start``."""
    at = start + 1
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == text[start]:
            return at + 1
        at += 1
    return len(text)


def _after_angle(text: str, start: int) -> int:
    """The index after the ``<…>`` that opens at ``start``; 0 where it never closes.

    The caller gives up then: to try the next ``<`` instead would take a time that grows with the square
    of the text, which a log's author chooses.
    """
    depth = 0
    for at in range(start, len(text)):
        if text[at] == "<":
            depth += 1
        elif text[at] == ">":
            depth -= 1
            if depth == 0:
                return at + 1
    return 0
