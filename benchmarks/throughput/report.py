"""A run as tables: rates, agreement and the distance from the limit, library by library."""

from collections.abc import Callable, Iterator, Sequence

from benchmarks.reports.markdown import number, table
from benchmarks.runs.runfile import Row, Run
from benchmarks.throughput.compared import (
    COSMIC_RAY,
    MUTMUT,
    NAMES,
    OURS,
    TOOLS,
    agreement,
    cause,
    judged_by,
    median,
    over_limit,
    rate,
    ratio,
    typical,
    who_is_right,
    whole,
)
from benchmarks.throughput.work import MEASURED

# Releases of the catalogue whose whole suite is usable by `regreen bench libraries`, with 500 to 3,000 tests
# in at most 30 s. Left out is what mutmut itself imports (click, typing-extensions, platformdirs), and what
# lies where mutmut does not look for sources (pyyaml). Of each of four kinds one is taken, then the first
# four of the rest as the catalogue has them.
KINDS = {
    "yarl": "C extensions",
    "werkzeug": "heavy fixtures",
    "starlette": "asyncio",
    "djangorestframework": "Django",
    "attrs": "",
    "pyasn1": "",
    "jinja2": "",
    "google-api-core": "",
}


def page(run: Run) -> str:
    """The tables, then each difference between two verdicts and what could not be measured."""
    rows = [row for row in run.rows if row["outcome"] == MEASURED]
    tables = [_rates(rows), _ratios(rows), _limits(rows), "\n".join(_differences(rows))] if rows else []
    problems = list(_problems(run))
    return "\n\n".join([*tables, *(["\n".join(problems)] if problems else [])])


def _rates(rows: Sequence[Row]) -> str:
    head = (
        *("verdicts a second", "tests", "mutants", *(NAMES[tool] for tool in TOOLS)),
        *("Regreen prepares, s", "mutmut prepares, s"),
    )
    lines = [
        (
            _name(row),
            row["judged_by"],
            len(row["mutants"]),
            *(number(rate(judged_by(row, tool)), 2) for tool in TOOLS),
            *(number(row["prepared"].get(tool), 1) for tool in (OURS, MUTMUT)),
        )
        for row in rows
    ]
    return table(head, lines)


def _ratios(rows: Sequence[Row]) -> str:
    """How many times as fast, by the clock and by CPU seconds, and on how many verdicts they agree."""
    kinds: dict[str, Callable[[Row], float | None]] = {
        "mutmut's": lambda row: ratio(row, MUTMUT),
        "mutmut's, CPU": lambda row: ratio(row, MUTMUT, cpu=True),
        "mutmut's, median mutant": lambda row: typical(row, MUTMUT),
        "mutmut's, with preparation": lambda row: whole(row, MUTMUT),
        "cosmic-ray's": lambda row: ratio(row, COSMIC_RAY),
    }
    head = ("Regreen's rate by", *kinds, "agree with mutmut", "with cosmic-ray")
    lines: list[tuple[object, ...]] = [
        (_name(row), *(number(kind(row), 1) for kind in kinds.values()), *_agreed([row])) for row in rows
    ]
    medians = (number(median([kind(row) for row in rows]), 1) for kind in kinds.values())
    return table(head, [*lines, ("median", *medians, *_agreed(rows))])


def _agreed(rows: Sequence[Row]) -> Iterator[str]:
    for tool in (MUTMUT, COSMIC_RAY):
        found = [agreement(row, tool) for row in rows]
        both = sum(count for count, _differing in found)
        differing = sum(len(differing) for _count, differing in found)
        yield f"{both - differing}/{both}"


def _limits(rows: Sequence[Row]) -> str:
    head = (
        *("the limit", "bare fork, ms", "test's own time, ms", "verdict, ms", "ratio at the median test"),
        *("native run, s", "Regreen's first run, s", "ratio"),
    )
    lines = []
    for row in rows:
        fork, tests = row["limit"]["fork"], row["limit"]["tests"]
        own, quick = median([one[1] for one in tests]), median([one[2] for one in tests])
        native, first = row["suite"]["native"], row["suite"]["first run"]
        shown = [_ms(seconds) for seconds in (fork, own, quick)]
        suite = [number(native, 1), number(first, 1), number(first / native, 2)]
        lines.append((_name(row), *shown, number(over_limit(row), 2), *suite))
    return table(head, lines)


def _differences(rows: Sequence[Row]) -> Iterator[str]:
    found = []
    for row in rows:
        for tool in (MUTMUT, COSMIC_RAY):
            for ours, theirs in agreement(row, tool)[1]:
                path, start, operator, _replacement = row["mutants"][ours["number"]]
                where = f"{row['task']}, `{path}` at {start}, {operator.rpartition('/')[2]}"
                mine = f"Regreen {ours['verdict']} ({ours['detail'] or '-'})"
                reasons = (cause(tool, ours, theirs), who_is_right(row, tool, ours))
                why = "; ".join(filter(None, reasons)) or "not explained"
                found.append(f"- {where}: {mine}, {NAMES[tool]} {theirs['verdict']}: {why}")
    yield from ["Where verdicts differ:\n", *found] if found else ["No two verdicts differ."]


def _problems(run: Run) -> Iterator[str]:
    """What could not be measured, and why."""
    for row in run.rows:
        for tool, problem in row.get("problems", {}).items():
            yield f"- {row['task']} could not be judged by {tool}: {_last_line(problem)}"
        if row["outcome"] != MEASURED:
            yield f"- {row['task']} was not measured: {_last_line(row['reason'])}"


def _last_line(said: str) -> str:
    return (said.strip().splitlines() or ["no reason given"])[-1][:200]


def _name(row: Row) -> str:
    kind = KINDS.get(row["task"])
    return f"{row['task']} ({kind})" if kind else str(row["task"])


def _ms(seconds: float | None) -> str:
    return number(None if seconds is None else seconds * 1000, 1)
