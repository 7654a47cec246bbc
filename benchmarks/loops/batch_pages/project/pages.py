"""Fetch a long list page by page."""


class Source:
    """A server that gives at most ``limit`` entries at a time."""

    def __init__(self, entries, limit):
        self.entries = entries
        self.limit = limit
        self.calls = 0

    def fetch(self, offset):
        """The entries from ``offset`` on, as many as a page holds."""
        self.calls += 1
        return self.entries[offset : offset + self.limit]


def fetch_all(source):
    """All entries of ``source``, in their order."""
    found = []
    offset = 0
    while True:
        page = source.fetch(offset)
        found.extend(page)
        if len(page) < source.limit:
            return found
        offset = len(page)


def count(source):
    """How many entries there are."""
    return len(fetch_all(source))
