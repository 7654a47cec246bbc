"""A week's entries."""

from collections import defaultdict


class Sheet:
    def __init__(self, weekly_hours=38.5):
        self.weekly_hours = weekly_hours
        self.entries = []

    def add(self, entry):
        self.entries.append(entry)

    def by_day(self):
        days = defaultdict(float)
        for entry in self.entries:
            days[entry.start.date().isoformat()] += entry.hours
        return dict(days)

    def overtime(self):
        return max(0, sum(entry.hours for entry in self.entries) - self.weekly_hours)

    def longest_day(self):
        days = self.by_day()
        return max(days, key=days.get) if days else None
