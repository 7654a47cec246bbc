"""A run over the libraries as a page: shares, a line an item, and why what is not usable is not."""

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.libraries.catalogue import LIBRARY
from benchmarks.reports.details import groups
from benchmarks.reports.markdown import NONE, number, table
from benchmarks.reports.report import pinned
from benchmarks.reports.shares import Share, quantile
from benchmarks.runs.runfile import Row, Run

CHECKOUTS = "checkouts"
_LONGEST_PLAN = 90
_LONGEST_DETAIL = 220
_ITEM = (
    *("item", "environment", "s", "tests", "pass", "same verdict"),
    *("s inside", "s outside", "usable", "fault fixed", "s", "candidates"),
)


def page(run: Run) -> str:
    """The whole page."""
    parts = [pinned(run), shares(run.rows), *_remarks(run.rows)]
    for group, rows in groups(run.rows).items():
        lines = map(_line, sorted(rows, key=_name))
        parts += [f"## {group.capitalize()}", table(_ITEM, lines)]
    if failed := [row for row in run.rows if not row["plausible"]]:
        kinds = Counter(str(row.get("cause", {}).get("kind", row["outcome"])) for row in failed)
        parts += [
            "## What is not usable, and why",
            ", ".join(f"{kind}: {count}" for kind, count in kinds.most_common()) + ".",
            "\n".join(map(_why, sorted(failed, key=_name))),
        ]
    return "\n\n".join(parts) + "\n"


def shares(rows: Sequence[Row]) -> str:
    """The shares by group, with Wilson's intervals."""
    head = (
        *("group", "items", "with an environment", "usable"),
        *("fault fixed, of the usable", "to the same text", "s to fix, median"),
    )
    named = groups(rows)
    checkouts = [row for row in rows if row["group"] != LIBRARY]
    if len(named.keys() - {LIBRARY}) > 1:
        named = {**named, CHECKOUTS: checkouts}
    return table(head, (_shares(group, members) for group, members in named.items()))


def _shares(group: str, rows: Sequence[Row]) -> tuple[str, ...]:
    usable = [row for row in rows if row["plausible"]]
    seeded = [row["fault"] for row in usable if "outcome" in row.get("fault", {})]
    seconds = [float(fault["seconds"]) for fault in seeded if fault.get("fixed")]
    return (
        group,
        str(len(rows)),
        str(Share(count=sum("inside" in row for row in rows), total=len(rows))),
        str(Share(count=len(usable), total=len(rows))),
        *(str(Share.of(seeded, verdict)) if seeded else NONE for verdict in ("fixed", "same_text")),
        number(quantile(seconds, 0.5)),
    )


def _remarks(rows: Sequence[Row]) -> Iterator[str]:
    repairs = [row[kind] for row in rows for kind in ("fault", "unchanged") if "outcome" in row.get(kind, {})]
    if repairs:
        over = sum(bool(repair.get("over_budget")) for repair in repairs)
        internal = sum(bool(repair.get("internal_errors")) for repair in repairs)
        unchanged = [row for row in rows if "outcome" in row.get("unchanged", {})]
        patched = [row["task"] for row in unchanged if row["unchanged"].get("patched")]
        unseeded = sum("problem" in row.get("fault", {}) for row in rows)
        yield (
            f"Repairs: {len(repairs)}; budgets broken by more than 10 s: {over}; with an internal error: "
            f"{internal}. Unchanged projects: {len(unchanged)}; with a patch all the same: {len(patched)}"
            f"{' (' + ', '.join(patched) + ')' if patched else ''}. No fault could be seeded in {unseeded}."
        )
    second = [row for row in rows if "second" in row]
    if second:
        worked = sum(row["second"]["plausible"] for row in second)
        yield f"Tried again with an option, which counts for nothing here: {len(second)}; usable: {worked}."


def _line(row: Row) -> tuple[object, ...]:
    about, fault = row.get("environment", {}), row.get("fault", {})
    inside, outside = row.get("inside", {}), row.get("outside", {})
    ended = fault.get("outcome", NONE)
    return (
        row["task"],
        _cell(str(about.get("plan", NONE)), _LONGEST_PLAN),
        number(about.get("seconds")),
        f"{row['compared']}*" if row.get("part") else row.get("tests", NONE),
        number(row.get("pass_share"), 3),
        number(row.get("same_share"), 3),
        number(inside.get("seconds")),
        number(outside.get("seconds")),
        "yes" if row["plausible"] else "no",
        "yes" if fault.get("fixed") else ended,
        number(fault.get("seconds")),
        fault.get("attempts", NONE),
    )


def _why(row: Row) -> str:
    cause = row.get("cause", {"kind": row["outcome"], "detail": row["reason"]})
    entry = f"- **{row['task']}**: {cause['kind']}. {_cell(cause['detail'], _LONGEST_DETAIL)}"
    second = row.get("second")
    if second is None:
        return entry
    options = ", ".join(f"`--{name.replace('_', '-')} {value}`" for name, value in second["options"].items())
    if second["plausible"]:
        return f"{entry} With {options} it is usable ({second['tests']} tests)."
    return f"{entry} With {options} it is not either: {_cell(second['reason'], _LONGEST_DETAIL)}"


def _cell(text: str, longest: int) -> str:
    """``text`` for a table or a list: one line, no mark of Markdown that changes it."""
    line = " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
    return line if len(line) <= longest else f"{line[: longest - 3]}..."


def _name(row: Row) -> str:
    return str(row["task"]).casefold()
