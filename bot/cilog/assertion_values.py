"""Find the two values in what assertion methods say: unittest's, numpy's, the mock library's, doctest's.

Reads sentences such as ``1 != 2`` or ``x: array(…)`` below ``y: array(…)``. The texts are ``repr``s, not
Python; where a sentence can be split in more than one way the answer is None, never a guess. ``assert``
statements are `comparison`'s business.
"""

import re
from collections.abc import Callable, Sequence

from bot.cilog.comparison import MAX_CHARACTERS, outside, read_comparison
from sandbox.reports import Comparison

# What unittest says when an assertion fails, and the operator that should have held. Longer ones first.
_SENTENCES = (
    (" unexpectedly found in ", "not in"),
    (" not found in ", "in"),
    (" is not an instance of ", "isinstance"),
    (" is an instance of ", "not isinstance"),
    (" not less than or equal to ", "<="),
    (" not greater than or equal to ", ">="),
    (" not less than ", "<"),
    (" not greater than ", ">"),
    (" is not ", "is"),
    (" != ", "=="),
    (" == ", "!="),
)
_WITHIN = re.compile(r" (?:within|with) .{1,200}? (?:places|delta) \(")
_KINDS = re.compile(r"(?:Lists|Tuples|Sequences|Sets|Dicts) differ: ")
_TRUTH = re.compile(r"(?P<value>.+) is not (?P<wanted>true|false)(?: : .*)?")
_PAIRS = (
    (re.compile(r" *(?:x|ACTUAL): (.*)"), re.compile(r" *(?:y|DESIRED): (.*)")),
    (re.compile(r" *Actual: (.*)"), re.compile(r" *Expected: (.*)")),
    (re.compile(r" *Got: *(.*)"), re.compile(r" *(?:Expected|Want): *(.*)")),
)
_NEXT = re.compile(
    r" *(?:x|y|ACTUAL|DESIRED|Actual|Expected|Got|Want|Mismatched elements|Max \w+ \w+):(?: |$)"
)


def read_asserted(message: Sequence[str]) -> Comparison | None:
    """The two values that the lines of an assertion error's message compare, or None."""
    first = message[0] if message else ""
    if len(first) > MAX_CHARACTERS:
        return None
    return (
        next((found for line in message[:20] if (found := read_comparison(line))), None)
        or _pair(message)
        or _sentence(first)
    )


def _sentence(text: str) -> Comparison | None:
    words = text[found.end() :] if (found := _KINDS.match(text)) else text
    truth = _TRUTH.fullmatch(words)
    if truth:
        return Comparison(operator="is", left=truth["value"], right=truth["wanted"].capitalize())
    for sentence, operator in _SENTENCES:
        places = _places(words, sentence)
        if not places:
            continue
        if len(places) > 1:
            return None
        left, right = words[: places[0]], words[places[0] + len(sentence) :]
        # The text that a test gave as msg stands behind the values.
        ends = _places(right, " : ")
        right = right[: ends[0]] if ends else right
        right = right[: found.start()] if (found := _WITHIN.search(right)) else right
        if not left.strip() or not right.strip():
            return None
        return Comparison(operator=operator, left=left.strip(), right=right.strip())
    return None


def _places(text: str, words: str) -> list[int]:
    """Where ``words``, which begin and end with a space, stand outside the values' own texts."""

    def length(at: int) -> int:
        return len(words) - 2 if text.startswith(words, at) else 0

    return outside(text, length) if words in text else []


def _pair(message: Sequence[str]) -> Comparison | None:
    """Two values on lines of their own, each with its name before it."""
    for actual, expected in _PAIRS:
        left, right = _named(message, actual.fullmatch), _named(message, expected.fullmatch)
        if left is not None and right is not None:
            return Comparison(operator="==", left=left, right=right)
    return None


def _named(message: Sequence[str], match: Callable[[str], re.Match[str] | None]) -> str | None:
    """What follows a name, through the lines that do not bring another name."""
    for number, line in enumerate(message[:200]):
        found = match(line) if len(line) <= MAX_CHARACTERS else None
        if found is None:
            continue
        value = [found[1]]
        for other in message[number + 1 : number + 40]:
            if _NEXT.match(other) or not other.strip() or not other.startswith(" "):
                break
            value.append(other.strip())
        text = "\n".join(value).strip()
        return text[:MAX_CHARACTERS] or None
    return None
