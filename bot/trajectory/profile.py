"""Where the seconds of a recorded run went: runs of tests by phase, way and reason, and the slowest tests."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.console import plain
from bot.trajectory.reading import Recording, number
from bot.trajectory.summary import overview

WAYS = {
    "swap": "fork, swap",
    "assumed": "fork, assumed",
    "import": "fork, import",
    "whole": "whole run",
    "cold": "cold run",
    "open": "sandbox",
}


def show(console: Console, recording: Recording) -> None:
    """Print what took how long; of a run that was ended early only its stages are known."""
    sums = overview(recording)
    stages = Table("stage", "seconds", title=f"{sums.seconds:.1f} s in all", title_justify="left")
    for name, seconds in sums.by_stage:
        stages.add_row(Text(plain(name, 40)), f"{seconds:.1f}")
    console.print(stages)
    profile = next((event for event in recording.events if event["kind"] == "profile"), None)
    if profile is None:
        console.print("The run was ended before its profile was written.")
        return
    runs = profile.get("runs")
    console.print(_runs(row for row in (runs if isinstance(runs, list) else []) if isinstance(row, Mapping)))
    console.print(_tests(profile.get("tests")))


def _runs(rows: Iterable[Mapping[str, Any]]) -> Table:
    table = Table("phase", "how", "runs", "tests", "seconds", "ms a test", "why not quicker")
    for column in table.columns[1:6]:
        column.no_wrap, column.min_width = True, len(str(column.header))
    table.columns[1].min_width = max(map(len, WAYS.values()))
    for row in rows:
        tests, seconds = number(row.get("tests")), number(row.get("seconds"))
        means = str(row.get("means", ""))
        table.add_row(
            Text(plain(str(row.get("phase", "")), 40)),
            Text(plain(WAYS.get(means, means), 40)),
            f"{number(row.get('runs')):.0f}",
            f"{tests:.0f}",
            f"{seconds:.1f}",
            f"{1000 * seconds / tests:.1f}" if tests else "",
            Text(plain(str(row.get("reason", "")), 120)),
        )
    return table


def _tests(tests: object) -> Table:
    table = Table("slowest tests, over all runs", "seconds")
    for entry in tests if isinstance(tests, list) else []:
        match entry:
            case [str(test), int() | float() as seconds]:
                table.add_row(Text(plain(test, 120)), f"{seconds:.1f}")
    return table
