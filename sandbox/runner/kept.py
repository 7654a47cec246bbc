"""What is kept of a stream that may have no end: its last bytes, or its first ones."""

from __future__ import annotations


class Tail:
    """Keeps the last ``limit`` bytes of a stream and counts the rest."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.total = 0
        self._data = b""

    def feed(self, chunk: bytes) -> None:
        """Add ``chunk``."""
        self.total += len(chunk)
        self._data = (self._data + chunk)[-self.limit :] if self.limit else b""

    @property
    def data(self) -> bytes:
        """What was kept."""
        return self._data

    @property
    def truncated(self) -> bool:
        """Whether anything was dropped."""
        return self.total > len(self._data)


class Head(Tail):
    """Keeps the first ``limit`` bytes instead of the last."""

    def feed(self, chunk: bytes) -> None:
        """Add ``chunk``."""
        self.total += len(chunk)
        self._data += chunk[: max(0, self.limit - len(self._data))]
