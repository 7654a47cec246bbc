"""The five fields of a crontab line."""

from dataclasses import dataclass
from datetime import datetime, timedelta

LIMITS = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12), "weekday": (0, 6)}


def expand(text, low, high):
    """The numbers that a field such as '1-5,10,*/15' stands for."""
    numbers = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        step = int(step) if step else 1
        if span == "*":
            first, last = low, high
        elif "-" in span:
            first, last = (int(end) for end in span.split("-"))
        else:
            first = int(span)
            last = high if "/" in part else first
        if step < 1 or not low <= first <= last <= high:
            raise ValueError(f"not within {low} to {high}: {part}")
        numbers.update(range(first, last + 1, step))
    return numbers


@dataclass(frozen=True)
class Schedule:
    minute: frozenset
    hour: frozenset
    day: frozenset
    month: frozenset
    weekday: frozenset

    @classmethod
    def parse(cls, line):
        texts = line.split()
        if len(texts) != len(LIMITS):
            raise ValueError(f"five fields, please: {line!r}")
        return cls(*(frozenset(expand(text, *LIMITS[name])) for text, name in zip(texts, LIMITS)))

    def matches(self, moment):
        return (
            moment.minute in self.minute
            and moment.hour in self.hour
            and moment.day in self.day
            and moment.month in self.month
            and moment.isoweekday() % 7 in self.weekday
        )

    def next_after(self, moment, limit=timedelta(days=366)):
        following = moment.replace(second=0, microsecond=0)
        end = moment + limit
        while following <= end:
            following += timedelta(minutes=1)
            if self.matches(following):
                return following
        return None


def next_run(line, moment):
    return Schedule.parse(line).next_after(datetime.fromisoformat(moment))
