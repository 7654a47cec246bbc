"""A clock that moves only when someone sleeps, and what was slept."""

import math

from bot.backends.retrying import RetryPatience


class Patience:
    """``left`` are the seconds that the run has at the start."""

    def __init__(self, left: float = math.inf) -> None:
        self.now = 1000.0
        self.slept: list[float] = []
        self._end = self.now + left

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def remaining(self) -> float:
        return self._end - self.now

    def asking(self, retries: int = 2) -> RetryPatience:
        return RetryPatience(retries=retries, clock=self.clock, sleep=self.sleep, remaining=self.remaining)
