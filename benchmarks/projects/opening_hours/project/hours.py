"""Opening hours as spans of minutes since midnight."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Span:
    start: int
    end: int

    def __post_init__(self):
        if not 0 <= self.start < self.end <= 24 * 60:
            raise ValueError(f"no span within a day: {self.start} to {self.end}")

    @classmethod
    def parse(cls, text):
        """Reads '9:00-12:30'."""
        start, end = (_minutes(part) for part in text.split("-"))
        return cls(start, end)

    def __str__(self):
        return f"{_clock(self.start)}-{_clock(self.end)}"


def _minutes(clock):
    hours, minutes = clock.strip().split(":")
    return int(hours) * 60 + int(minutes)


def _clock(minutes):
    return f"{minutes // 60}:{minutes % 60:02}"


def merged(spans):
    """The same time in as few spans as possible, in order."""
    result = []
    for span in sorted(spans):
        if result and span.start < result[-1].end:
            result[-1] = Span(result[-1].start, span.end)
        else:
            result.append(span)
    return result


def gaps(spans):
    """The spans between the first opening and the last closing in which it is closed."""
    whole = merged(spans)
    return [Span(before.end, after.start) for before, after in zip(whole, whole[1:])]


def is_open(spans, clock):
    now = _minutes(clock)
    return any(span.start <= now < span.end for span in spans)
