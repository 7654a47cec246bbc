"""The figures of a week, in Markdown."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from statistics import median

from benchmarks.reports.markdown import table
from week.simulate import Row


def tables(rows: Sequence[Row]) -> str:
    """By kind, by fault and by what followed; and what was broken."""
    struck = sum(bool(one["struck"]) for row in rows for one in row.strikes)
    head = (
        f"{len(rows)} failing runs, {sum(len(row.statuses) for row in rows)} runs of the Action in "
        f"{sum(row.seconds for row in rows):.0f} s, {struck} faults that struck, "
        f"{sum(bool(row.breaches) for row in rows)} broken promises."
    )
    return "\n\n".join((head, _kinds(rows), _faults(rows), _afterwards(rows), _broken(rows)))


def _kinds(rows: Sequence[Row]) -> str:
    lines = []
    for name, group in _groups(rows, lambda row: row.kind):
        seconds = [row.seconds for row in group]
        lines.append(
            (
                name,
                len(group),
                sum(len(row.statuses) for row in group),
                _counted(row.outcome for row in group),
                _counted(" ".join(one.split()[:2]) for row in group for one in row.delivery) or "none",
                f"{median(seconds):.1f}",
                f"{max(seconds):.1f}",
            )
        )
    head = ("kind", "failing runs", "of the Action", "outcomes", "what stood", "median s", "longest s")
    return table(head, lines)


def _faults(rows: Sequence[Row]) -> str:
    strikes = [one for row in rows for one in row.strikes]
    names = sorted({str(one["fault"]) for one in strikes})
    lines = []
    for name in names:
        mine = [one for one in strikes if one["fault"] == name]
        met = [one for one in mine if one["struck"]]
        lines.append((name, len(mine), len(met), _counted(str(one["status"]) for one in met) or "-"))
    return table(("fault", "planned", "struck", "status of that run, and how often"), lines)


def _afterwards(rows: Sequence[Row]) -> str:
    lines = [(name, len(group)) for name, group in _groups(rows, lambda row: row.after) if name]
    return table(("what followed upon a proposal", "times"), lines)


def _groups(rows: Iterable[Row], key: Callable[[Row], str]) -> list[tuple[str, list[Row]]]:
    return [(name, list(group)) for name, group in groupby(sorted(rows, key=key), key)]


def _counted(values: Iterable[str]) -> str:
    return ", ".join(f"{value} {count}" for value, count in Counter(values).most_common())


def _broken(rows: Sequence[Row]) -> str:
    said = [f"- {row.number}, {row.kind}, {row.fault}: {breach}" for row in rows for breach in row.breaches]
    return "\n".join(said) or "Every promise held."
