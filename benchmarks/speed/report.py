"""What was measured, as JSON, as Markdown tables, and as a plot."""

import dataclasses
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.speed.library import OneTest
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
    disagreements: int
    openings: Sequence[Opening] = ()
    library: str = ""
    library_tests: int = 0
    tests: Sequence[OneTest] = ()
    machine: str = field(default_factory=lambda: f"{os.cpu_count()} cores, Linux {platform.release()}")

    def as_json(self) -> str:
        """Everything that was measured; the verdicts themselves are left out."""
        plain: dict[str, Any] = dataclasses.asdict(self)
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
        parts = [said, _verdict_table(self.verdicts)]
        if self.openings:
            parts.append(_opening_table(self.openings))
        if self.tests:
            parts += [f"{self.library}, {self.library_tests} passing tests:", _library_table(self.tests)]
        return "\n\n".join(parts) + "\n"

    def plot(self, path: Path) -> None:
        """Draw the verdicts a second as bars, by the logarithm; the suffix of ``path`` is the format."""
        import matplotlib as mpl

        mpl.use("agg")
        from matplotlib import pyplot as plt

        figure, axes = plt.subplots(figsize=(8, 0.6 + 0.45 * len(self.verdicts)), layout="constrained")
        ordered = sorted(self.verdicts, key=lambda one: one.rate)
        colours = ["#2da44e" if one.way.startswith("Regreen") else "#8c959f" for one in ordered]
        bars = axes.barh([one.way for one in ordered], [one.rate for one in ordered], color=colours)
        axes.bar_label(bars, fmt="%.0f", padding=3)
        axes.set_xscale("log")
        axes.margins(x=0.15)
        axes.set_xlabel(f"verdicts a second on {self.candidates} candidates of HumanEvalFix")
        axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
        plt.close(figure)


def _verdict_table(verdicts: Sequence[Measured]) -> str:
    rate = next(one.rate for one in verdicts if one.way == OURS)
    head = ("way", "verdicts a second", "ms a verdict", "Regreen with one worker is so many times as fast")
    rows = [
        (one.way, f"{one.rate:.1f}", f"{1000 / one.rate:.2f}", f"{rate / one.rate:.2f}") for one in verdicts
    ]
    return _table(head, rows)


def _opening_table(openings: Sequence[Opening]) -> str:
    rows = [
        (one.name, _ms(one.ours_s), f"`{one.bare}`", _ms(one.bare_s), f"{one.ours_s / one.bare_s:.2f}")
        for one in openings
    ]
    return _table(("sandbox", "ready after, ms", "bare command", "ms", "ratio"), rows)


def _library_table(tests: Sequence[OneTest]) -> str:
    head = ("test", "its own time, ms", "verdict, ms", "ratio", "verdict without the other tests, ms")
    rows = [
        (
            f"`{one.test.rpartition('/')[2]}`",
            _ms(one.own_s),
            _ms(one.verdict_s),
            f"{one.verdict_s / one.own_s:.1f}",
            _ms(one.alone_s),
            _ms(one.whole_s),
            _ms(one.bare_s),
        )
        for one in tests
    ]
    return _table((*head, "whole run of it, ms", "bare `pytest` for it, ms"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
