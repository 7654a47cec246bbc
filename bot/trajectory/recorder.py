"""Records one run from its settings to its result: opens the file, watches the progress, keeps a few."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot import __version__
from bot.agent.model.prompts import prompts_version
from bot.config.settings import Settings
from bot.config.sources import effective, settings_digest
from bot.delivery.json_report import plain_data
from bot.errors import MachineError
from bot.ports import Clock, Progress, Trajectory
from bot.result import RepairResult
from bot.scrub import Scrubber
from bot.trajectory import store
from bot.trajectory.writer import TrajectoryWriter

# A search announces itself for each of its batches, of which there are hundreds.
SAME_STAGE_S = 5.0


class WatchedProgress:
    """``ports.Progress`` that passes on to ``inner`` what it hears, and notes it in ``trajectory``.

    A stage that goes on is noted once in ``SAME_STAGE_S`` seconds at most.
    """

    def __init__(self, inner: Progress, trajectory: Trajectory, clock: Clock) -> None:
        self._inner, self._trajectory, self._clock = inner, trajectory, clock
        self._stage, self._noted_at, self._attempts = "", 0.0, 0

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorder:
    """A run that is being recorded: what it reports its progress to, and its events."""

    progress: Progress
    trajectory: Trajectory

    def finish(self, result: RepairResult) -> None:
        """Note the answer; nothing comes after it."""
        self.trajectory.note("result", **plain_data(result))


@contextmanager
def recorded(settings: Settings, run: str, progress: Progress) -> Iterator[Recorder]:
    """Record ``run`` in the file that ``settings`` name, or in one of those that are kept.

    Raises:
        ConfigurationError: the file that was named cannot be written, or is something else.
        MachineError: nothing can be written to the state directory.
    """
    clock, now = time.monotonic, datetime.now(UTC)
    if not settings.trajectory:
        _prepare(settings.state_directory)
        store.prune(settings.state_directory, keep=store.KEPT - 1)
        path = store.path_of(settings.state_directory, run, now, resume=settings.resume)
    else:
        path = Path(settings.trajectory)
    writer = TrajectoryWriter(
        path,
        header=_header(settings, run, now),
        clock=clock,
        scrub=Scrubber(settings.confidential),
        resume=settings.resume,
        warn=lambda text: progress.stage("trajectory", text),
    )
    with writer:
        yield Recorder(progress=WatchedProgress(progress, writer, clock), trajectory=writer)


def _header(settings: Settings, run: str, now: datetime) -> dict[str, object]:
    chosen = {option.option.name: option.value for option in effective(settings)}
    return {
        "regreen": __version__,
        "run": run,
        "started": now.isoformat(timespec="seconds"),
        "project": settings.project.name,
        "strategy": settings.strategy,
        "models": [name.strip() for name in settings.model.split(",") if name.strip()],
        "prompts": prompts_version() if settings.strategy != "search" else "",
        "settings": {name: value for name, value in chosen.items() if value not in {None, ""}},
        "settings_digest": settings_digest(settings)[:16],
    }


def _prepare(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o700)
    except OSError as error:
        raise MachineError(
            f"cannot keep trajectories in {directory}: {error.strerror}: "
            "set XDG_STATE_HOME to a directory of yours"
        ) from error
