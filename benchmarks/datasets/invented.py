"""Tasks that are made up and take no repair: what a run of them costs is the harness' own.

Their rows depend on their names alone, so that two runs can be held against each other byte for byte.
"""

import hashlib
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Bare, Trial

GROUPS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Invented(Bare):
    """The task number ``number`` (``tasks.Task``)."""

    number: int

    @property
    def name(self) -> str:
        """Its number, as long as that of others."""
        return f"invented/{self.number:06d}"

    @property
    def group(self) -> str:
        """One of a few."""
        return f"kind {self.number % GROUPS}"

    def lay_out(self, directory: Path) -> Path:
        """An empty directory."""
        directory.mkdir(parents=True)
        return directory


@dataclass(frozen=True, slots=True, kw_only=True)
class Pretence:
    """``tasks.Work`` that waits for ``seconds``, and makes up a row as large as a repair's."""

    seconds: float = 0.0

    def __call__(self, trial: Trial) -> Row:
        """See ``tasks.Work``."""
        time.sleep(self.seconds)
        digest = hashlib.sha256(f"{trial.task.name} {trial.sample}".encode()).digest()
        plausible = digest[0] < 160
        attempts = 1 + digest[1]
        return {
            "outcome": "patched" if plausible else "no_patch",
            "reason": "made up",
            "first": {"attempts": attempts, "turn": 0, "seconds": digest[2] / 10} if plausible else None,
            "attempts": attempts + digest[3],
            "seconds": 26.0,
            "stages": {"search": 20.0, "validate": 6.0},
            "result": {"diff": digest.hex() * 40},
            "plausible": plausible,
            "correct": plausible and digest[4] < 200,
        }
