"""What is measured: tasks, and the judges who know more about them than the repair does."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from benchmarks.runs.runfile import Row
from bot.config.settings import Settings
from sandbox.snapshot import Snapshot


# An outcome beside those of a repair: no verdict on what was to be repaired.
CRASHED = "crashed"


class Task(Protocol):
    """Something to repair; ``group`` is what the reports sort it under. Has to be picklable, and small."""

    @property
    def name(self) -> str:
        """Unique in its benchmark."""
        ...

    @property
    def group(self) -> str:
        """A bug type, a library, a part of a collection."""
        ...

    @property
    def reference(self) -> Mapping[str, str]:
        """The files of the known repair by path, whole; shown to nothing that repairs. Empty if unknown."""
        ...

    @property
    def judging(self) -> Mapping[str, str]:
        """Test files, whole, by path, that are laid over the project to judge a patch.

        Empty where the tests that the repair was given are those that judge.
        """
        ...

    def lay_out(self, directory: Path) -> Path:
        """Write the project that is to be repaired, and say where it is."""
        ...


class Bare:
    """A task whose repair nobody knows, and which the tests that the repair was given judge."""

    __slots__ = ()

    @property
    def reference(self) -> Mapping[str, str]:
        """See ``Task``."""
        return {}

    @property
    def judging(self) -> Mapping[str, str]:
        """See ``Task``."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One try at a task; ``sample`` distinguishes several at the same task, from 0."""

    task: Task
    sample: int = 0

    @property
    def key(self) -> Key:
        """What distinguishes its row from all others of the run."""
        return Key(task=self.task.name, sample=self.sample)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Key:
    """What distinguishes a row from all others of its run."""

    task: str
    sample: int

    @classmethod
    def of(cls, row: Row) -> Key:
        """The key of ``row``; runs from before there were samples have one of each task."""
        return cls(task=row["task"], sample=row.get("sample", 0))


class Work(Protocol):
    """What is done to a trial. Picklable: it may happen in another process, or on another machine."""

    def __call__(self, trial: Trial) -> Row:
        """The row of ``trial``, without its key; an exception is a fault of ours and ends nothing else."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """What the held-out judge says: None where it cannot judge. ``detail`` goes into the row."""

    correct: bool | None
    detail: Mapping[str, Any] = field(default_factory=dict)


class Grader(Protocol):
    """A judge that the repair knew nothing of."""

    def __call__(
        self, task: Task, patched: Mapping[str, str], snapshot: Snapshot, settings: Settings
    ) -> Grade:
        """Judge the texts ``patched`` by path, laid over the project ``snapshot``, in a fresh sandbox."""
        ...


def guarded(work: Work, trial: Trial) -> Row:
    """The row of ``trial``; an error of ours is a row as well, so that the others still run."""
    started = time.perf_counter()
    try:
        row = work(trial)
    except Exception as error:  # noqa: BLE001 - a trial's root: what ends it must not end the others
        row = lost(f"{type(error).__name__}: {error}", seconds=time.perf_counter() - started)
        row = {**row, "traceback": traceback.format_exc()[-4000:]}
    return {"task": trial.task.name, "sample": trial.sample, "group": trial.task.group, **row}


def lost(reason: str, *, seconds: float) -> Row:
    """The row of a trial that ended by no fault of what was to be repaired."""
    return {
        "outcome": CRASHED,
        "reason": reason[:500],
        "plausible": False,
        "correct": False,
        "seconds": round(seconds, 3),
    }
