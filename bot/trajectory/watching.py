"""Writes down what the progress reports: the stages with their seconds, and how far a search has come."""

from bot.ports import Clock, Progress, Trajectory

# A search announces itself for each of its batches, of which there are hundreds.
SAME_STAGE_S = 5.0


class WatchedProgress:
    """``ports.Progress`` that passes on to ``inner`` what it hears, and notes it in ``trajectory``.

    A stage that goes on is noted once in ``SAME_STAGE_S`` seconds at most.
    """

    def __init__(self, inner: Progress, trajectory: Trajectory, clock: Clock) -> None:
        self._inner = inner
        self._trajectory = trajectory
        self._clock = clock
        self._stage = ""
        self._noted_at = 0.0
        self._attempts = 0

    def stage(self, name: str, detail: str = "") -> None:
        """See ``ports.Progress``."""
        now = self._clock()
        if name != self._stage or now - self._noted_at >= SAME_STAGE_S:
            self._trajectory.note("stage", name=name, detail=detail, attempts=self._attempts)
            self._stage, self._noted_at = name, now
        self._inner.stage(name, detail)

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """See ``ports.Progress``."""
        self._attempts = self._attempts if attempts is None else attempts
        self._inner.tick(attempts=attempts, detail=detail)
