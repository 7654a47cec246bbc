"""What is seen of a run while it goes on: a bar with pass@1 so far in a terminal, a line a row elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.runs.runfile import Row

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


def verdict_of(row: Row) -> str:
    """What became of a task, in a word."""
    return "correct" if row.get("correct") else "plausible" if row["plausible"] else str(row["outcome"])


def tokens_of(row: Row) -> int:
    """The tokens of all calls for a task, 0 where no model was asked."""
    usage = row.get("usage", {})
    return int(usage.get("prompt_tokens", 0)) + int(usage.get("completion_tokens", 0))


class Tally:
    """How many rows there were, and of how many the patch passed."""

    rows = plausible = correct = 0

    def add(self, row: Row) -> None:
        """Count ``row``."""
        self.rows += 1
        self.plausible += bool(row.get("plausible"))
        self.correct += row.get("correct") is True

    def row_line(self, row: Row) -> str:
        """``row`` in some words."""
        number = f" #{row['sample']}" if row.get("sample") else ""
        cost = f", {tokens_of(row)} tokens" if tokens_of(row) else ""
        return f"{row['task']}{number}: {verdict_of(row)}, {row['seconds']:.1f} s{cost}"

    def __str__(self) -> str:
        share = self.plausible / self.rows if self.rows else 0.0
        return f"pass@1 {share:.3f} ({self.plausible} plausible, {self.correct} correct of {self.rows})"


class OutcomeTally(Tally):
    """How what repairs nothing by itself ended."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()

    def add(self, row: Row) -> None:
        """Count ``row``."""
        super().add(row)
        self.outcomes[row["outcome"]] += 1

    def row_line(self, row: Row) -> str:
        """``row`` in some words."""
        why = f" ({row['reason'][:200]})" if row.get("reason") else ""
        return f"{row['task']}: {row['outcome']}{why}, {row['seconds']:.1f} s"

    def __str__(self) -> str:
        return ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes.items())


class Display:
    """Hears of each row, those of before first."""

    def __init__(self, progress: Progress, total: int, tally: Tally) -> None:
        self._progress, self._total, self._tally = progress, total, tally
        self._bar = progress.add_task(str(tally), total=total)

    def skip(self, row: Row) -> None:
        """A row that was there already."""
        self._tally.add(row)
        self._progress.update(self._bar, completed=self._tally.rows, description=str(self._tally))

    def show(self, row: Row) -> None:
        """A row that has just come."""
        self.skip(row)
        line = self._tally.row_line(row)
        if self._progress.disable:
            line = f"{self._tally.rows:4d}/{self._total} {line}; {self._tally}"
        self._progress.console.print(line, markup=False)


@contextmanager
def display(total: int, tally: Tally, console: Console | None = None) -> Iterator[Display]:
    """What suits ``console``, by default standard error.

    ``tally`` says what a row and all rows so far come to.
    """
    from rich import progress
    from rich.console import Console

    console = console or Console(stderr=True, highlight=False, soft_wrap=True)
    columns = (
        *(progress.TextColumn("{task.description}"), progress.BarColumn(), progress.MofNCompleteColumn()),
        *(progress.TimeElapsedColumn(), progress.TextColumn("left:"), progress.TimeRemainingColumn()),
    )
    with progress.Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        yield Display(bar, total, tally)
