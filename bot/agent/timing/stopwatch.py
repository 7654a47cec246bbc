"""How long a repair has taken."""

from dataclasses import dataclass, field

from bot.ports import Clock


@dataclass(slots=True, kw_only=True)
class Stopwatch:
    """Seconds spent on a repair across processes; ``earlier`` are those of the processes before."""

    clock: Clock
    earlier: float = 0.0
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    @property
    def elapsed(self) -> float:
        """Seconds so far."""
        return self.earlier + self.clock() - self.started
