"""Keeps which environment and command were chosen for a project, by what its files declare."""

import hashlib
import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.environments.ways import Way
from sandbox.environment.plans.plan import BuildPlan

KEPT_S = 30 * 24 * 3600
MAX_KEPT = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A choice: the plan's name, the requirements that were added to it, and the command."""

    plan: str
    added: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One small file a choice below ``directory``; a damaged one counts as none."""

    directory: Path

    @staticmethod
    def key(plans: Sequence[BuildPlan], ways: Sequence[Way], sandbox: str) -> str:
        """Names the situation in which a choice was made: other plans or commands are another one."""
        inputs = [sandbox, *(plan.digest() for plan in plans), *(way.text for way in ways)]
        inputs += [test for way in ways for test in way.tests]
        return hashlib.sha256("\0".join(inputs).encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def find(self, key: str) -> Remembered | None:
        """The choice for ``key``; None where there is none, or none that can be read."""
        path = self.directory / f"{key}.json"
        try:
            held = json.loads(path.read_text("utf-8"))
            os.utime(path)
            added = tuple(str(name) for name in held["added"])
            return Remembered(plan=str(held["plan"]), added=added, text=str(held["text"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, key: str, choice: Remembered) -> None:
        """Remember ``choice``; where the disk refuses, the next run chooses anew."""
        with suppress(OSError):
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = self.directory / f"{key}.{os.getpid()}.draft"
            draft.write_text(json.dumps(asdict(choice)), "utf-8")
            draft.replace(self.directory / f"{key}.json")
            self._prune()

    def _prune(self) -> None:
        found = sorted(self.directory.glob("*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for number, path in enumerate(found):
            if number >= MAX_KEPT or time.time() - path.stat().st_mtime > KEPT_S:
                path.unlink(missing_ok=True)
