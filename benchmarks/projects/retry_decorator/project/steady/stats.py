"""Counts of calls, failures and retries by function."""

from collections import Counter


class Stats:
    def __init__(self):
        self.calls = Counter()
        self.failures = Counter()

    def call(self, function):
        self.calls[function.__name__] += 1

    def failure(self, function):
        self.failures[function.__name__] += 1

    def rate(self, name):
        return self.failures[name] / self.calls[name] if self.calls[name] else 0.0
