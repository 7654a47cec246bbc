"""The root of one trial, on whatever machine it runs: its row, whatever happens."""

import time
import traceback

from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Trial, Work

# An outcome beside those of a repair: no verdict on what was to be repaired.
CRASHED = "crashed"


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
