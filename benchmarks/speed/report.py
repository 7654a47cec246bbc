"""What was measured, as JSON and as Markdown tables."""

import dataclasses
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.reports.markdown import table
from benchmarks.speed.opening import Opening
from benchmarks.speed.verdicts import Measured

OURS = "Regreen, 1 worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One run of the benchmark; ``tasks`` and ``candidates`` say on how much."""

    tasks: int
    candidates: int
    python: str
    verdicts: Sequence[Measured]
    openings: Sequence[Opening] = ()
    machine: str = field(default_factory=lambda: f"{os.cpu_count()} cores, Linux {platform.release()}")

    @property
    def disagreements(self) -> int:
        """Candidates on which the ways that judged all of them differ."""
        most = max(len(one.verdicts) for one in self.verdicts)
        whole = [one.verdicts for one in self.verdicts if len(one.verdicts) == most]
        return sum(len(set(verdicts)) > 1 for verdicts in zip(*whole, strict=True))

    def as_json(self) -> str:
        """Everything that was measured; the verdicts themselves are left out."""
        plain: dict[str, Any] = {**dataclasses.asdict(self), "disagreements": self.disagreements}
        plain["verdicts"] = [
            {"way": one.way, "count": len(one.verdicts), "seconds": one.seconds} for one in self.verdicts
        ]
        return json.dumps(plain, indent=2) + "\n"

    def as_markdown(self) -> str:
        """The tables."""
        said = (
            f"{self.candidates} candidates of {self.tasks} HumanEvalFix tasks, CPython {self.python}, "
            f"{self.machine}. Verdicts on which two ways differ: {self.disagreements}."
        )
        return f"{said}\n\n{_verdict_table(self.verdicts)}\n\n{_opening_table(self.openings)}\n"


def _verdict_table(verdicts: Sequence[Measured]) -> str:
    rate = next(one.rate for one in verdicts if one.way == OURS)
    head = ("way", "verdicts a second", "ms a verdict", "Regreen with one worker is so many times as fast")
    rows = [
        (one.way, f"{one.rate:.1f}", f"{1000 / one.rate:.2f}", f"{rate / one.rate:.2f}") for one in verdicts
    ]
    return table(head, rows)


def _opening_table(openings: Sequence[Opening]) -> str:
    rows = [(one.name, f"{one.ours_s * 1000:.1f}") for one in openings]
    return table(("sandbox", "ready after, ms"), rows)
