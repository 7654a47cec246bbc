"""What is kept of a stream that may have no end: its last bytes, or its first ones."""

from __future__ import annotations

from collections import deque


class Tail:
    """Keeps the last ``limit`` bytes of a stream and counts the rest."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.total = 0
        self._chunks: deque[bytes] = deque()
        self._held = 0  # bytes in the chunks: no more of them than it takes

    def feed(self, chunk: bytes) -> None:
        """Add ``chunk``."""
        self.total += len(chunk)
        self._held += len(chunk)
        self._chunks.append(chunk)
        while self._chunks and self._held - len(self._chunks[0]) >= self.limit:
            self._held -= len(self._chunks.popleft())

    @property
    def data(self) -> bytes:
        """What was kept."""
        return b"".join(self._chunks)[-self.limit :] if self.limit else b""

    @property
    def truncated(self) -> bool:
        """Whether anything was dropped."""
        return self.total > self.limit


class Head(Tail):
    """Keeps the first ``limit`` bytes instead of the last."""

    def feed(self, chunk: bytes) -> None:
        """Add ``chunk``."""
        self.total += len(chunk)
        if self._held < self.limit:
            self._chunks.append(chunk[: self.limit - self._held])
            self._held += len(self._chunks[-1])
