"""Keeps what was used last, by weight."""

from collections import OrderedDict


class WeightedLRU:
    """Holds values up to a total weight; those not used for longest make room."""

    def __init__(self, limit, weigh=len):
        self.limit = limit
        self._weigh = weigh
        self._entries = OrderedDict()
        self.weight = 0
        self.hits = 0
        self.misses = 0

    def __contains__(self, key):
        return key in self._entries

    def get(self, key, load):
        """The value; what is not here is loaded and kept, if it fits at all."""
        if key in self._entries:
            self.hits += 1
            return self._entries[key]
        self.misses += 1
        value = load(key)
        self.put(key, value)
        return value

    def put(self, key, value):
        weight = self._weigh(value)
        if key in self._entries:
            self.discard(key)
        if weight > self.limit:
            return
        while self.weight + weight > self.limit:
            oldest = next(iter(self._entries))
            self.discard(oldest)
        self._entries[key] = value
        self.weight += weight

    def discard(self, key):
        value = self._entries.pop(key, None)
        if value is not None:
            self.weight -= self._weigh(value)
