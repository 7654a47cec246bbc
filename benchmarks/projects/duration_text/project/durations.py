"""Durations as people write them: 1h 30m, 2d, 45 s."""

import re

SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_PIECE = re.compile(r"\s*(\d+)\s*([dhms])", re.IGNORECASE)


def parse(text):
    """Seconds; each unit may stand there once, larger ones first."""
    text = text.strip()
    if text.isdigit():
        return text
    total, end, smallest = 0, 0, None
    for match in _PIECE.finditer(text):
        if match.start() != end:
            break
        size = SECONDS[match[2].lower()]
        if smallest is not None and size >= smallest:
            raise ValueError(f"units are out of order: {text!r}")
        total += int(match[1]) * size
        smallest, end = size, match.end()
    if not end or end != len(text):
        raise ValueError(f"no duration: {text!r}")
    return total


def format_duration(seconds):
    if seconds == 0:
        return "0s"
    pieces = []
    for unit, size in SECONDS.items():
        count, seconds = divmod(seconds, size)
        if count:
            pieces.append(f"{count}{unit}")
    return " ".join(pieces)


def total(texts):
    seconds = 0
    for text in texts:
        seconds += parse(text)
    return format_duration(seconds)
