"""What is seen of a run while it goes on: a bar with pass@1 so far in a terminal, a line a row elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from benchmarks.runfile import Row

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID


class Display(Protocol):
    """Hears of each row, those of before first."""

    def skip(self, row: Row) -> None:
        """A row that was there already."""
        ...

    def show(self, row: Row) -> None:
        """A row that has just come."""
        ...


@contextmanager
def display(total: int, tally: Tally) -> Iterator[Display]:
    """What suits standard error; ``tally`` says what a row and all rows so far come to."""
    from rich.console import Console

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    if console.is_terminal:
        with _bar(console, total, tally) as bar:
            yield bar
    else:
        yield Lines(console=console, total=total, tally=tally)


class Tally:
    """How many rows there were, and of how many the patch passed."""

    def __init__(self) -> None:
        self.rows = self.plausible = self.correct = 0

    def add(self, row: Row) -> None:
        """Count ``row``."""
        self.rows += 1
        self.plausible += bool(row.get("plausible"))
        self.correct += row.get("correct") is True

    def row_line(self, row: Row) -> str:
        """``row`` in some words."""
        return row_line(row)

    def __str__(self) -> str:
        share = self.plausible / self.rows if self.rows else 0.0
        return f"pass@1 {share:.3f} ({self.plausible} plausible, {self.correct} correct of {self.rows})"


class Lines:
    """``Display`` that writes a line for each row."""

    def __init__(self, *, console: Console, total: int, tally: Tally | None = None) -> None:
        self._console = console
        self._total = total
        self._tally = tally or Tally()

    def skip(self, row: Row) -> None:
        """See ``Display``."""
        self._tally.add(row)

    def show(self, row: Row) -> None:
        """See ``Display``."""
        self._tally.add(row)
        self._console.print(
            f"{self._tally.rows:4d}/{self._total} {self._tally.row_line(row)}; {self._tally}", markup=False
        )


class Bar:
    """``Display`` that moves a bar, and writes a line above it for each row."""

    def __init__(self, *, progress: Progress, task: TaskID, tally: Tally) -> None:
        self._progress = progress
        self._task = task
        self._tally = tally

    def skip(self, row: Row) -> None:
        """See ``Display``."""
        self._tally.add(row)
        self._move()

    def show(self, row: Row) -> None:
        """See ``Display``."""
        self._tally.add(row)
        self._progress.console.print(self._tally.row_line(row), markup=False)
        self._move()

    def _move(self) -> None:
        self._progress.update(self._task, completed=self._tally.rows, description=str(self._tally))


@contextmanager
def _bar(console: Console, total: int, tally: Tally) -> Iterator[Bar]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn()),
    )
    with Progress(*columns, console=console) as progress:
        yield Bar(progress=progress, task=progress.add_task(str(tally), total=total), tally=tally)


def row_line(row: Row) -> str:
    """A row in some words."""
    verdict = "correct" if row.get("correct") else "plausible" if row.get("plausible") else row["outcome"]
    number = f" #{row['sample']}" if row.get("sample") else ""
    tokens = sum(row.get("usage", {}).get(kind, 0) for kind in ("prompt_tokens", "completion_tokens"))
    cost = f", {tokens} tokens" if tokens else ""
    return f"{row['task']}{number}: {verdict}, {row['seconds']:.1f} s{cost}"
