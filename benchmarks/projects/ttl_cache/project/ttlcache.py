"""A cache whose entries live for a while after they were stored."""

import time


class _Entry:
    __slots__ = ("stored_at", "used_at", "value")

    def __init__(self, value, now):
        self.value = value
        self.stored_at = now
        self.used_at = now


class TTLCache:
    """Entries older than `ttl` seconds are gone; when it is full, the one not used for longest goes."""

    def __init__(self, ttl, max_size=128, clock=time.monotonic):
        self._ttl = ttl
        self._max_size = max_size
        self._clock = clock
        self._entries = {}

    def __len__(self):
        self._drop_expired()
        return len(self._entries)

    def set(self, key, value):
        self._drop_expired()
        if key not in self._entries and len(self._entries) >= self._max_size:
            oldest = min(self._entries, key=lambda each: self._entries[each].used_at)
            del self._entries[oldest]
        self._entries[key] = _Entry(value, self._clock())

    def get(self, key, default=None):
        self._drop_expired()
        entry = self._entries.get(key)
        if entry is None:
            return default
        entry.used_at = self._clock()
        return entry.value

    def _drop_expired(self):
        limit = self._clock() - self._ttl
        for key in [key for key, entry in self._entries.items() if entry.used_at <= limit]:
            del self._entries[key]
