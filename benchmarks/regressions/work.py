"""``regreen fix`` on a case, with the older release as ``--base`` or without it, and what it blames."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.libraries.sources import Release
from benchmarks.regressions.faults import LOST, MIXED, lines_of, without
from benchmarks.regressions.judge import AsGoodAs
from benchmarks.reports.markdown import table
from benchmarks.reports.shares import Share
from benchmarks.runs.harness import Repair
from benchmarks.runs.runfile import Row, Run
from benchmarks.runs.tasks import Trial
from benchmarks.seeded.mutants import Mutant
from bot.domain import Before
from bot.patch.text import decode, encode
from sandbox import leftovers

WITH, ALONE = "with the base", "alone"
WAYS = (WITH, ALONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression:
    """A case in one of the ``WAYS`` (``tasks.Task``): ``source`` is the newer release's tree."""

    name: str
    library: str
    way: str
    older: Release
    source: Path
    newer: Release
    case: Mapping[str, Any] = field(hash=False)

    @property
    def group(self) -> str:
        """The way; the tables by library are made apart."""
        return self.way

    @property
    def mutant(self) -> Mutant:
        """The fault."""
        return Mutant(**self.case["mutant"])

    @property
    def reference(self) -> Mapping[str, str]:
        """The file as the newer release has it."""
        return {self.mutant.path: self._text(self.mutant.path)}

    @property
    def judging(self) -> Mapping[str, str]:
        """The files of tests that the repair was shown in part."""
        return {path: self._text(path) for path in self.case["hidden"]}

    def lay_out(self, directory: Path) -> Path:
        """The newer release with the fault, without the hidden tests."""
        self.newer.lay_out(directory)
        (directory / self.mutant.path).write_bytes(encode(self.faulty))
        for path, tests in self.case["hidden"].items():
            left = without(self._text(path), tests)
            assert left is not None
            (directory / path).write_bytes(encode(left))
        return directory

    @property
    def faulty(self) -> str:
        """The file with the fault."""
        return self.mutant.apply(self._text(self.mutant.path))

    def _text(self, path: str) -> str:
        return decode((self.source / path).read_bytes())


def regressions(manifest: Path, *, older: Release, newer: Release, source: Path) -> list[Regression]:
    """The cases of ``manifest``, each in both ways."""
    cases = json.loads(manifest.read_text("utf-8"))["cases"]
    return [
        Regression(
            name=f"{newer.name}/{number:02d}{'' if way == WITH else '/alone'}",
            library=newer.name,
            way=way,
            older=older,
            newer=newer,
            source=source,
            case=case,
        )
        for number, case in enumerate(cases)
        for way in WAYS
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairRegression:
    """``Work``: repairs with ``options`` (of ``regreen fix``)."""

    options: Mapping[str, Any]
    trajectories: Path | None = None

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        task = trial.task
        assert isinstance(task, Regression)
        with leftovers.directory("older-") as directory:
            base = "none"
            if task.way == WITH:
                base = str(task.older.lay_out(Path(directory, task.older.directory_name)))
            repair = Repair(
                options={**self.options, "base": base},
                judge=AsGoodAs(reference={path: encode(text) for path, text in task.reference.items()}),
                trajectories=self.trajectories,
            )
            row = repair(trial)
        judged = {"plausible": row["outcome"] == "patched", "correct": bool(row["plausible"])}
        about = {"library": task.library, "kind": task.mutant.operator, "hidden": len(task.judging)}
        before = row["result"].get("before_change") or {}
        # A failing test passed on the older release, so that something of the change broke it.
        about["regression"] = Before.REGRESSION.value in before.values()
        return {**row, **judged, **about, "blamed": _blamed(task, row["result"].get("culprit"))}


def _blamed(task: Regression, culprit: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What the culprit is like, and whether a line of the fault is in it; None where none was found."""
    if culprit is None:
        return None
    first, last = lines_of(task.mutant, task.faulty)
    places = [one for one in culprit["lines"] if one["path"] == task.mutant.path]
    within = any(one["first"] <= last and first <= one["last"] for one in places)
    return {"right": within, **{name: culprit[name] for name in ("size", "changed", "runs", "minimal")}}


def shown(run: Run) -> str:
    """The rates of both ways by library and by kind of fault, and what the culprits are like."""
    groups: dict[str, list[Row]] = {}
    for row in run.rows:
        if "library" in row:
            kind = row["kind"] if row["kind"] in {MIXED, LOST} else "mutant"
            for name in (f"1 {row['library']}", f"2 {kind}", "3 all"):
                groups.setdefault(name, []).append(row)
    rows = []
    for name, some in sorted(groups.items()):
        rates = [_rates([row for row in some if row["group"] == way]) for way in WAYS]
        rows.append((name[2:], *(cell for pair in rates for cell in pair)))
    heads = (f"{what}, {way}" for way in WAYS for what in ("verified", "correct", "seconds"))
    # A line that is as it was before is no part of the difference, so that nothing can blame it.
    asked = [row for row in run.rows if row["group"] == WITH and row.get("kind") != MIXED]
    blamed = [row["blamed"] for row in asked if row.get("blamed")]
    every, regressed = (_right(some) for some in (asked, [row for row in asked if row.get("regression")]))
    named = Share.of(blamed, "right")
    middle = {name: median(one[name] for one in blamed) for name in ("size", "changed", "runs") if blamed}
    return "\n".join(
        [
            table(("library or fault", *heads), rows),
            f"The culprit has the fault: {every}; where one is named {named}; of regressions {regressed}",
            f"Medians of the culprits: {middle}",
        ]
    )


def _right(rows: Sequence[Row]) -> Share:
    return Share.of([{"right": bool((row.get("blamed") or {}).get("right"))} for row in rows], "right")


def _rates(rows: Sequence[Row]) -> tuple[object, ...]:
    patched = [row["seconds"] for row in rows if row["plausible"]]
    return (
        f"{len(patched)}/{len(rows)}",
        f"{sum(bool(row['correct']) for row in rows)}/{len(rows)}",
        f"{median(patched):.1f}" if patched else "",
    )
