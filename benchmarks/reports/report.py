"""Runs as Markdown: one by its groups, several side by side. No text of a task is in it."""

from collections import Counter
from collections.abc import Mapping, Sequence

from benchmarks.reports.comparison import compare
from benchmarks.reports.details import details, with_total
from benchmarks.reports.markdown import NONE, number, table
from benchmarks.reports.shares import Share, quantile
from benchmarks.runs.runfile import Row, Run

# What no table needs of a row.
BULKY = frozenset({"result", "traceback", "grade"})


def summary(run: Run) -> str:
    """What was run, then the verdicts and costs by group."""
    parts = [pinned(run), by_group(run), *details(run)]
    if any("changed_lines" in row for row in run.rows):
        parts.append(patches(run))
    if any(row.get("confidence") and row.get("correct") is not None for row in run.rows):
        parts.append(by_confidence(run))
    return "\n\n".join([*parts, *_remarks(run)]) + "\n"


def by_group(run: Run) -> str:
    """Verdicts with intervals; costs up to the first plausible patch, over the tasks that have one."""
    head = (
        *("group", "tasks", "plausible", "correct"),
        *("s to first, median", "p90", "candidates to first, median", "p90"),
    )
    return table(head, [(name, *_figures(rows)) for name, rows in with_total(run.rows).items()])


def patches(run: Run) -> str:
    """What the plausible patches are like, next to the known repairs: lines added and removed together."""
    head = (
        *("group", "plausible", "alternatives, median"),
        *("lines, median", "p90", "of the known repair, median", "p90"),
        *("larger than that", "the same text"),
    )
    return table(head, [(name, *_sizes(rows)) for name, rows in with_total(run.rows).items()])


def by_confidence(run: Run) -> str:
    """How often a verified patch is correct, by its confidence."""
    verified = [row for row in run.rows if row["plausible"] and row.get("confidence")]
    groups = {level: [row for row in verified if row["confidence"] == level] for level in ("high", "low")}
    lines = [(level, str(len(rows)), str(Share.of(rows, "correct"))) for level, rows in groups.items()]
    return table(("confidence", "verified", "correct"), lines)


def side_by_side(runs: Mapping[str, Run]) -> str:
    """A line a run; what each gained and lost is against the first, on the tasks that both have."""
    head = (
        *("run", "tasks", "plausible", "correct", "s to first, median", "p90"),
        *("candidates to first, median", "p90", "minutes"),
        *("plausible gained, lost", "p", "correct gained, lost", "p"),
    )
    first = next(iter(runs.values()), None)
    lines = [
        (
            label,
            *_figures(run.rows),
            f"{_seconds(run.rows) / 60:.1f}",
            *_against(first, run, "plausible"),
            *_against(first, run, "correct"),
        )
        for label, run in runs.items()
    ]
    return table(head, lines)


def label(run: Run) -> str:
    """A short name: what is special about a run's configuration."""
    configuration = run.header["configuration"]
    name = str(configuration.get("tool") or configuration.get("strategy") or run.header["benchmark"])
    left_out = str(configuration.get("search_without") or "")
    return f"{name} without {left_out}" if left_out else name


def _figures(rows: Sequence[Row]) -> tuple[str, ...]:
    first = [row["first"] for row in rows if row.get("first")]
    seconds = [float(found["seconds"]) for found in first]
    candidates = [float(found["attempts"]) for found in first if found.get("attempts") is not None]
    graded = any(row.get("correct") is not None for row in rows if row["plausible"])
    return (
        str(len(rows)),
        str(Share.of(rows, "plausible")),
        str(Share.of(rows, "correct"))
        if graded or not any(row["plausible"] for row in rows)
        else "not graded",
        number(quantile(seconds, 0.5), 2),
        number(quantile(seconds, 0.9), 2),
        number(quantile(candidates, 0.5)),
        number(quantile(candidates, 0.9)),
    )


def _sizes(rows: Sequence[Row]) -> tuple[str, ...]:
    found = [row for row in rows if row["plausible"] and row.get("changed_lines") is not None]
    ours = [float(row["changed_lines"]) for row in found]
    pairs = [
        (float(row["changed_lines"]), float(row["reference_lines"]))
        for row in found
        if row.get("reference_lines") is not None
    ]
    known = [size for _, size in pairs]
    return (
        str(len(found)),
        number(quantile([float(row["alternatives"]) for row in found if "alternatives" in row], 0.5)),
        *(number(quantile(values, share)) for values in (ours, known) for share in (0.5, 0.9)),
        str(sum(one > other for one, other in pairs)),
        str(sum(row.get("same_text") is True for row in found)),
    )


def _seconds(rows: Sequence[Row]) -> float:
    return sum(float(row["seconds"]) for row in rows)


def _against(first: Run | None, run: Run, verdict: str) -> tuple[str, str]:
    if first is None or run is first:
        return NONE, NONE
    found = compare(first, run, verdict)
    return f"+{len(found.gained)} -{len(found.lost)}", f"{found.p:.3f}"


def pinned(run: Run) -> str:
    """What was run on what, where and how."""
    code, machine = run.header["code"], run.header["machine"]
    parts = (
        ": ".join(filter(None, (run.header["benchmark"], _listed(run.header["inputs"], 12)))) + ".",
        f"Code {code['version']}, commit {code['commit'][:12] or 'unknown'}, digest {code['digest'][:12]}.",
        f"{_listed(run.header['configuration'])}.",
        f"{machine['cores']} cores, {machine['processor']}, {machine['system']}.",
        f"CPython {machine['python']}.",
        "Shares with 95 % intervals (Wilson).",
    )
    return " ".join(parts)


def _listed(values: Mapping[str, object], width: int = 80) -> str:
    return ", ".join(f"{name} {str(value)[:width]}" for name, value in values.items())


def _remarks(run: Run) -> list[str]:
    outcomes = Counter(str(row["outcome"]) for row in run.rows)
    said = ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items()))
    budget = run.header["configuration"].get("time_budget")
    over = sum(float(row["seconds"]) > float(budget) for row in run.rows) if budget else 0
    longest = max((float(row["seconds"]) for row in run.rows), default=0.0)
    times = f"all tasks together: {_seconds(run.rows) / 60:.1f} minutes of repair"
    limits = f"the longest took {longest:.1f} s, {over} took more than their budget"
    remarks = [f"Outcomes: {said}; {times}; {limits}."]
    plausible = [row for row in run.rows if row["plausible"]]
    unjudged = sum(row.get("correct") is None for row in plausible)
    if plausible and unjudged:
        remarks.append(f"Plausible, and not judged further: {unjudged}.")
    return remarks
