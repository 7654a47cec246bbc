"""The listeners of ``bot.ports`` without screen and time: progress that remembers, a clock that is set."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class FakeProgress:
    """``ports.Progress`` that remembers; ``on_stage`` and ``on_tick`` may raise."""

    on_stage: Callable[[str], None] | None = None
    on_tick: Callable[[int], None] | None = None
    stages: list[tuple[str, str]] = field(default_factory=list)
    ticks: list[tuple[int, str]] = field(default_factory=list)

    def stage(self, name: str, detail: str = "") -> None:
        """See ``ports.Progress``."""
        self.stages.append((name, detail))
        if self.on_stage:
            self.on_stage(name)

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """See ``ports.Progress``."""
        self.ticks.append((attempts, detail))
        if self.on_tick and attempts is not None:
            self.on_tick(attempts)

    @property
    def names(self) -> list[str]:
        """The stages' names in order."""
        return [name for name, _ in self.stages]


@dataclass
class FakeClock:
    """``ports.Clock`` that goes on by ``step`` seconds with each look at it."""

    step: float = 0.0
    now: float = 0.0

    def __call__(self) -> float:
        """See ``ports.Clock``."""
        self.now += self.step
        return self.now
