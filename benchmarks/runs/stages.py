"""Seconds by stage of a repair, heard from its progress."""

import time
from collections import defaultdict
from collections.abc import Mapping

from bot.ports import Clock

# Before the repair says what it does: the project is read, its environment found.
FIRST = "start"


class StageClock:
    """``ports.Progress`` that takes times: a stage lasts until the next one begins."""

    def __init__(self, clock: Clock = time.perf_counter) -> None:
        self._clock = clock
        self._stage = FIRST
        self._since = clock()
        self._seconds: dict[str, float] = defaultdict(float)

    def stage(self, name: str, detail: str = "") -> None:
        """See ``ports.Progress``."""
        del detail
        now = self._clock()
        self._seconds[self._stage] += now - self._since
        self._stage, self._since = name, now

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """See ``ports.Progress``."""

    def stop(self) -> Mapping[str, float]:
        """Seconds by stage, in the order in which each was first seen, up to now."""
        self.stage(self._stage)
        return {name: round(seconds, 3) for name, seconds in self._seconds.items()}
