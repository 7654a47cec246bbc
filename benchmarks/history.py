"""The runs of before, a line of JSON each: what a new one is held against, what badge and plot show.

Only figures and the names of tasks are kept. Runs are alike when they measured the same on the same inputs.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import label
from benchmarks.runfile import Run
from benchmarks.shares import Share, mcnemar
from bot.errors import ConfigurationError

# A new run is held against what most of so many last runs say of each task; fewer than LEAST show nothing.
LAST, LEAST = 5, 2
# Beyond noise is what chance alone would give less often than this.
NOISE = 0.05
# What may differ between runs that are alike: the machines' number and patience, not what is measured.
INCIDENTAL = frozenset({"parallel", "workers"})

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A new run against the last ones, on the tasks that all know. ``p`` is of McNemar's exact test."""

    runs: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def p(self) -> float:
        """How likely such a change, or a larger one, is by chance alone."""
        return mcnemar(len(self.gained), len(self.lost))

    @property
    def regressed(self) -> bool:
        """Whether pass@1 fell beyond noise."""
        return self.runs >= LEAST and len(self.lost) > len(self.gained) and self.p < NOISE


def entry(run: Run) -> Entry:
    """What is kept of ``run``."""
    header = run.header
    passed: dict[str, bool] = {}
    for row in run.rows:
        passed[row["task"]] = passed.get(row["task"], False) or row["plausible"] is True
    return {
        "started": header["started"],
        "commit": header["code"]["commit"],
        "benchmark": header["benchmark"],
        "label": label(run),
        "configuration": {k: v for k, v in header["configuration"].items() if k not in INCIDENTAL},
        "inputs": header["inputs"],
        "rows": len(run.rows),
        "plausible": sum(row["plausible"] is True for row in run.rows),
        "correct": sum(row.get("correct") is True for row in run.rows),
        "seconds": round(sum(float(row["seconds"]) for row in run.rows), 1),
        "passed": sorted(name for name, verdict in passed.items() if verdict),
        "failed": sorted(name for name, verdict in passed.items() if not verdict),
    }


def read(path: Path) -> list[Entry]:
    """The entries of the history at ``path``, oldest first; none where there is no file.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is no history.
    """
    if not path.exists():
        return []
    try:
        found = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    except ValueError as error:
        raise ConfigurationError(f"{path} is no history of runs: {error}") from error
    if not all(
        isinstance(one, dict) and {"passed", "failed", "configuration"} <= one.keys() for one in found
    ):
        raise ConfigurationError(f"{path} is no history of runs: a line is no entry")
    return found


def append(path: Path, new: Entry) -> None:
    """Add ``new`` to the history at ``path``, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_bytes() if path.exists() else b""
    made = path.with_name(f"{path.name}.new")
    made.write_bytes(before + json.dumps(new, separators=(",", ":")).encode() + b"\n")
    made.replace(path)


def alike(history: Iterable[Entry], new: Entry) -> list[Entry]:
    """Those that measured what ``new`` did."""
    same = ("benchmark", "configuration", "inputs")
    return [one for one in history if all(one.get(name) == new[name] for name in same)]


def change(history: Sequence[Entry], new: Entry) -> Change:
    """What became of the tasks, against what most of the last runs that are alike say; ties say nothing."""
    last = alike(history, new)[-LAST:]
    gained, lost = [], []
    for name, now in (*((n, True) for n in new["passed"]), *((n, False) for n in new["failed"])):
        votes = [name in one["passed"] for one in last if name in one["passed"] or name in one["failed"]]
        before = 2 * sum(votes) - len(votes)
        if before > 0 and not now:
            lost.append(name)
        elif before < 0 and now:
            gained.append(name)
    return Change(runs=len(last), gained=tuple(sorted(gained)), lost=tuple(sorted(lost)))


def badge(new: Entry) -> Mapping[str, object]:
    """The figure as shields.io's endpoint takes it."""
    share = Share(count=new["plausible"], total=new["rows"])
    colours = ((0.8, "brightgreen"), (0.6, "green"), (0.4, "yellow"), (0.0, "orange"))
    return {
        "schemaVersion": 1,
        "label": f"{new['benchmark']} pass@1",
        "message": f"{share.value:.1%}",
        "color": next(colour for least, colour in colours if share.value >= least),
    }


def as_markdown(found: Change, new: Entry) -> str:
    """The change, for a summary and for an issue."""
    share = Share(count=new["plausible"], total=new["rows"])
    lines = [
        f"{new['benchmark']}, {new['label']}: pass@1 {share}, commit {str(new['commit'])[:12] or 'unknown'}."
    ]
    if found.runs < LEAST:
        lines.append(f"There are {found.runs} runs like it before: too few to hold it against.")
    else:
        verdict = "pass@1 fell beyond noise" if found.regressed else "within noise, or better"
        counts = f"+{len(found.gained)} -{len(found.lost)}, p = {found.p:.3f} (McNemar, exact)"
        lines.append(f"Against most of the last {found.runs}: {counts}: {verdict}.")
    for what, names in (("Lost", found.lost), ("Gained", found.gained)):
        if names:
            lines.append(f"{what}: {', '.join(f'`{name}`' for name in names)}.")
    return "\n\n".join(lines) + "\n"
