"""A room for a while."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Booking:
    room: str
    start: datetime
    end: datetime
    who: str = ""

    def __post_init__(self):
        if self.end <= self.start:
            raise ValueError("a booking ends after its start")

    def overlaps(self, other):
        return self.room == other.room and (self.start < other.end or other.start < self.end)
