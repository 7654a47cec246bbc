"""How long to wait between attempts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """`first` seconds, then `factor` times as long each time, never longer than `longest`."""

    first: float = 1.0
    factor: float = 2.0
    longest: float = 60.0
    attempts: int = 5

    def delay(self, failures):
        """Seconds to wait after so many failures (1 is the first)."""
        if failures < 1:
            raise ValueError("nothing has failed yet")
        wait = self.first * self.factor ** (failures - 1)
        return min(wait, self.longest)

    def delays(self):
        for failures in range(1, self.attempts):
            yield self.delay(failures)
