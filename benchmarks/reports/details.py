"""What else a run shows: pass@k, pass@1 after each turn, what was spent, and where the seconds went."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from benchmarks.reports.markdown import number, table
from benchmarks.reports.shares import Share, bounded, mean_interval, pass_at_k, quantile
from benchmarks.runs.runfile import Row, Run

TOTAL = "all"
# A search tries thousands, where a model has a few turns.
CANDIDATES = (1, 10, 100, 1_000, 10_000)


def details(run: Run) -> Iterator[str]:
    """The tables that have something to show."""
    samples = groups(run.rows, "task")
    if max(map(len, samples.values()), default=0) > 1:
        yield sampled(samples)
    if any(row.get("first") for row in run.rows):
        yield by_attempts(run)
    if asks_model(run):
        yield spent(run)
    if any(row.get("stages") for row in run.rows):
        yield stages(run)


def asks_model(run: Run) -> bool:
    """Whether a model was asked for anything."""
    return any(row.get("usage", {}).get("calls") for row in run.rows)


def sampled(samples: Mapping[str, list[Row]]) -> str:
    """pass@k, over the tasks that have k samples at least."""
    most = max(map(len, samples.values()))
    lines = []
    for k in range(1, most + 1):
        whole = [rows for rows in samples.values() if len(rows) >= k]
        figures = [
            bounded(
                *mean_interval([pass_at_k(len(rows), Share.of(rows, verdict).count, k) for rows in whole])
            )
            for verdict in ("plausible", "correct")
        ]
        lines.append((f"pass@{k}", len(whole), *figures))
    return table(("samples", "tasks", "plausible", "correct"), lines)


def by_attempts(run: Run) -> str:
    """pass@1 as it stood after so many turns of a model, 0 being before any; or candidates of a search."""
    lines = [
        (count, *(after(run, count, verdict) for verdict in ("plausible", "correct")))
        for count in attempts_shown(run)
    ]
    return table((f"after {counted(run)}", "plausible", "correct"), lines)


def counted(run: Run) -> str:
    """What a run's attempts are."""
    return "turns of the model" if asks_model(run) else "candidates"


def attempts_shown(run: Run) -> Sequence[int]:
    """After which numbers of attempts pass@1 is worth showing."""
    model = asks_model(run)
    found = [_first(row, model=model) for row in run.rows if row.get("first")]
    most = max(found, default=1)
    if model:
        return range(min(1, *found, 1), max(most, *(row.get("turns", 0) for row in run.rows), 1) + 1)
    return [count for count in CANDIDATES if count < most] + [most]


def after(run: Run, attempts: int, verdict: str) -> Share:
    """Of how many the patch passed that was first found within ``attempts``."""
    model = asks_model(run)
    found = sum(
        row.get(verdict) is True and bool(row.get("first")) and _first(row, model=model) <= attempts
        for row in run.rows
    )
    return Share(count=found, total=len(run.rows))


def _first(row: Row, *, model: bool) -> int:
    first = row["first"]
    turn = first.get("turn")
    return int(turn) if model and turn is not None else int(first["attempts"] or 1)


def spent(run: Run) -> str:
    """What the models took."""
    head = (
        *("group", "calls, median", "prompt tokens, median", "p90", "completion tokens, median", "p90"),
        *("first prompt, median", "model s, median", "US$ in all", "US$ a plausible patch"),
    )
    return table(head, [(name, *_spent(rows)) for name, rows in with_total(run.rows).items()])


def stages(run: Run) -> str:
    """Seconds a task by stage of the repair, in the order in which they come; judging last."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for row in run.rows:
        for stage, value in row.get("stages", {}).items():
            seconds[stage].append(float(value))
        if "judging_seconds" in row:
            seconds["(judging)"].append(float(row["judging_seconds"]))
    total = sum(map(sum, seconds.values())) or 1.0
    lines = [
        (
            stage,
            len(values),
            number(quantile(values, 0.5), 2),
            number(quantile(values, 0.9), 2),
            f"{sum(values) / total:.0%}",
        )
        for stage, values in sorted(seconds.items(), key=lambda item: item[0] == "(judging)")
    ]
    return table(("stage", "tasks", "s, median", "p90", "of all"), lines)


def _spent(rows: Sequence[Row]) -> tuple[str, ...]:
    usages = [row["usage"] for row in rows if row.get("usage")]
    first = [float(row["first_turn"]["first_prompt_tokens"]) for row in rows if row.get("first_turn")]
    cost = sum(float(usage["cost"]) for usage in usages)
    plausible = Share.of(rows, "plausible").count

    def of(name: str, share: float) -> str:
        return number(
            quantile([float(usage[name]) for usage in usages], share), 1 if name == "seconds" else 0
        )

    return (
        of("calls", 0.5),
        *(of(name, share) for name in ("prompt_tokens", "completion_tokens") for share in (0.5, 0.9)),
        number(quantile(first, 0.5)),
        of("seconds", 0.5),
        f"{cost:.4f}",
        number(cost / plausible if plausible else None, 4),
    )


def groups(rows: Sequence[Row], by: str = "group") -> Mapping[str, list[Row]]:
    """The rows of each group, by its name; or the samples of each ``task``."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: str(row[by])):
        found[str(row[by])].append(row)
    return found


def with_total(rows: Sequence[Row]) -> Mapping[str, Sequence[Row]]:
    """The rows of each group, then all of them."""
    return {**groups(rows), TOTAL: rows}
