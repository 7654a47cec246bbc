"""What was measured, as tables."""

import statistics
from collections import defaultdict
from collections.abc import Sequence

from benchmarks.reports.markdown import table
from benchmarks.reports.report import pinned
from benchmarks.runs.runfile import Row, Run
from benchmarks.speed.work import MEASURED, OURS


def page(run: Run) -> str:
    """What was run, then the tables."""
    rows = [row for row in run.rows if row["outcome"] == MEASURED]
    if not rows:
        return f"{pinned(run)}\n\nNothing was measured."
    candidates = sum(len(row["ways"][OURS]["verdicts"]) for row in rows)
    differing = _differing(rows)
    said = f"{candidates} candidates of {len(rows)} tasks; verdicts on which two ways differ: {differing}."
    return f"{pinned(run)}\n\n{said}\n\n{_verdicts(rows)}\n\n{_openings(rows)}"


def _differing(rows: Sequence[Row]) -> int:
    """Candidates on which the ways that judged all of them differ."""
    count = 0
    for row in rows:
        said = [way["verdicts"] for way in row["ways"].values()]
        whole = [one for one in said if len(one) == max(map(len, said))]
        count += sum(len(set(verdicts)) > 1 for verdicts in zip(*whole, strict=True))
    return count


def _verdicts(rows: Sequence[Row]) -> str:
    count: dict[str, int] = defaultdict(int)
    seconds: dict[str, float] = defaultdict(float)
    for row in rows:
        for name, way in row["ways"].items():
            count[name] += len(way["verdicts"])
            seconds[name] += way["seconds"]
    rates = {name: count[name] / seconds[name] for name in count}
    head = ("way", "verdicts a second", "ms a verdict", "Regreen with one worker is so many times as fast")
    return table(
        head,
        [
            (name, f"{rate:.1f}", f"{1000 / rate:.2f}", f"{rates[OURS] / rate:.2f}")
            for name, rate in rates.items()
        ],
    )


def _openings(rows: Sequence[Row]) -> str:
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for name, seconds in row["openings"].items():
            found[name] += seconds
    lines = [(name, f"{statistics.median(seconds) * 1000:.1f}") for name, seconds in found.items()]
    return table(("sandbox", "ready after, ms, median"), lines)
