"""Durations and sizes as people write them: ``90s``, ``10m``, ``512m``, ``2g``, or a plain number.

The same letter may stand for two things: ``m`` is minutes in a duration and mebibytes in a size. Which
one is read is known from the option, never guessed from the text.
"""

import math
import re

_QUANTITY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{0,9})?)\s*([a-zA-Z]*)")
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400}
_BYTES = {"b": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}
_SPELLINGS = {f"{letter}{rest}": letter for letter in "kmgt" for rest in ("", "b", "ib")} | {"b": "b"}
_DURATION_STEPS = (("d", 86_400), ("h", 3600), ("m", 60))


def seconds(text: str) -> float:
    """The seconds that ``text`` means: a plain number, or one with ms, s, m (or min), h or d.

    Raises:
        ValueError: it is neither.
    """
    number, unit = _split(text)
    if unit and unit not in _SECONDS:
        raise ValueError(f"{unit} is no unit of time")
    return number * _SECONDS[unit or "s"]


def size_bytes(text: str, *, plain: int) -> int:
    """The bytes that ``text`` means: a number with b, k, m, g or t, each 1024 of the one before.

    A number without a unit counts units of ``plain`` bytes. ``2g``, ``2GB`` and ``2GiB`` are the same.

    Raises:
        ValueError: it is no size, or no whole number of bytes.
    """
    number, unit = _split(text)
    if unit and unit not in _SPELLINGS:
        raise ValueError(f"{unit} is no unit of size")
    total = number * (_BYTES[_SPELLINGS[unit]] if unit else plain)
    if total != math.floor(total):
        raise ValueError("not a whole number of bytes")
    return int(total)


def show_seconds(value: float) -> str:
    """``value`` seconds in the largest unit that keeps them whole: 300 is ``5m``, 90 is ``90s``."""
    for unit, length in _DURATION_STEPS:
        if value >= length and value % length == 0:
            return f"{value / length:.0f}{unit}"
    return f"{value:.15g}s"


def show_bytes(value: int) -> str:
    """``value`` bytes in the largest unit that keeps them whole: ``2g``, ``512m``, ``1000000``."""
    for unit in ("t", "g", "m", "k"):
        if value and value % _BYTES[unit] == 0:
            return f"{value // _BYTES[unit]}{unit}"
    return str(value)


def _split(text: str) -> tuple[float, str]:
    match = _QUANTITY.fullmatch(text.strip())
    if match is None:
        raise ValueError("not a number with a unit")
    return float(match[1]), match[2].lower()
