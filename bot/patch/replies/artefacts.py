"""What models copy into code from the way it was shown to them: line numbers, odd blanks and quotes.

It takes off only what stands on every line that is not blank, so that code which merely looks so is kept.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

# "12| code" as excerpts are shown; a bar behind a number does not begin a line of Python.
_BAR = re.compile(r"[ \t]*(\d{1,6})[ \t]?[|│] ?(.*)", re.DOTALL)
# These do stand in Python ("1: 'a',"), so the numbers have to count up as well.
_COUNTED = re.compile(r"[ \t]*[Ll]?(?:ine )?(\d{1,6})(?:[:.)] ?|\t| )(.*)", re.DOTALL)
_ODD = str.maketrans(
    {"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u200b": "", "\ufeff": "", "\u2018": "'", "\u2019": "'"}
    | {"\u201c": '"', "\u201d": '"', "\u2212": "-"}
)


def without_numbers(lines: Sequence[str]) -> list[str]:
    """``lines`` without the line numbers before them; as they are where not every line has one."""
    for pattern, counted in ((_BAR, False), (_COUNTED, True)):
        matches = [pattern.fullmatch(line) for line in lines if line.strip()]
        found = [match for match in matches if match]
        if not found or len(found) < len(matches):
            continue
        numbers = [int(match[1]) for match in found]
        if counted and (len(numbers) < 2 or any(b != a + 1 for a, b in pairwise(numbers))):
            continue
        bare = iter(match[2] for match in found)
        return [next(bare) if line.strip() else "" for line in lines]
    return list(lines)


def line_number(text: str) -> int | None:
    """The number that stands before a single line as excerpts show it."""
    match = _BAR.fullmatch(text)
    return int(match[1]) if match else None


def plain_characters(text: str) -> str:
    """``text`` with typographic quotes and blanks as a keyboard has them."""
    return text.translate(_ODD)


def squeezed(line: str) -> str:
    """``line`` without blanks and with one kind of quotes: what is left when its looks do not count."""
    return "".join(plain_characters(line).split()).replace("'", '"')
