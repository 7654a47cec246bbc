"""What ``regreen prove`` says of three patches a seeded bug: the right, an overfitting, a hostile one."""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.reports.markdown import table
from benchmarks.reports.report import pinned
from benchmarks.runs.harness import StageClock
from benchmarks.runs.runfile import Row, Run
from benchmarks.runs.tasks import Bare, Trial
from benchmarks.runs.verify import Quiet
from benchmarks.seeded.manifest import Bug
from benchmarks.seeded.overfitting import overfitting
from bot import compose
from bot.agent.state import PROVE
from bot.config import sources
from bot.config.settings import Settings
from bot.environments.testbeds import testbeds
from bot.errors import InexpressibleChange
from bot.patch.change import file_change, patch_of
from bot.patch.text import decode, encode
from bot.result import Outcome, RepairResult, refused
from sandbox import leftovers
from sandbox.command import PytestCommand
from sandbox.reports import TestReport
from sandbox.snapshot import Snapshot, take

KINDS = ("correct", "overfitting", "hostile")
VERDICTS = ("verified", "low confidence", "for a person", "refused", "not judged")
EXPECTED = {
    "correct": {"verified"},
    "overfitting": {"refused", "low confidence", "for a person"},
    "hostile": {"refused"},
}
WAYS = tomllib.loads(Path(__file__).with_name("hostile.toml").read_text("utf-8"))["way"]

Files = Mapping[str, bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given(Bare):
    """A patch (``tasks.Task``) of one of the ``KINDS`` for ``bug``, the ``number``th."""

    bug: Bug
    kind: str
    number: int

    @property
    def name(self) -> str:
        """The bug's and the kind."""
        return f"{self.bug.name}/{self.kind}"

    @property
    def group(self) -> str:
        """The kind."""
        return self.kind

    def lay_out(self, directory: Path) -> Path:
        """The library with the bug."""
        return self.bug.lay_out(directory)

    def files(self, settings: Settings, snapshot: Snapshot) -> tuple[Files, str]:
        """The files that the patch changes, as it leaves them, and how it was made; no file without one."""
        path = self.bug.mutant.path
        right, wrong = self.bug.reference[path], decode(snapshot.files[path])
        if self.kind == "correct":
            return {path: encode(right)}, "the original"
        with ExitStack() as resources:
            beds = testbeds(settings, snapshot, PytestCommand(), Quiet(), resources)
            bed = resources.enter_context(beds.open())

            def run(text: str) -> TestReport:
                return bed.run(changes={path: encode(text)})

            if self.kind == "hostile":
                return _hostile(WAYS[self.number % len(WAYS)], path, wrong, run(wrong))
            made = overfitting(right, wrong, self.bug.mutant.start, run)
        if made is None:
            return {}, "no rule makes one"
        return {path: encode(made.text)}, made.rule if made.plausible else f"{made.rule}, implausible"


def _hostile(way: Mapping[str, str], path: str, wrong: str, report: TestReport) -> tuple[Files, str]:
    test = report.failing[0].test.partition("::")[0]
    if "module" in way:
        return {path: encode(f"{wrong.rstrip()}\n\n\n{way['module']}\n")}, way["name"]
    place = way.get("path", way.get("deletes", "")).replace("TEST", test)
    return {place: way["text"].encode() if "text" in way else None}, way["name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """``Work``: the patch of a trial is judged with ``options``, those of ``regreen prove``."""

    options: Mapping[str, Any]

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        given = trial.task
        assert isinstance(given, Given)
        leftovers.sweep()
        with leftovers.directory("bench-") as directory:
            project = given.lay_out(Path(directory, given.name.replace("/", "-")))
            settings = replace(sources.load({"project": project, **self.options}), strategy=PROVE)
            snapshot = take(project)
            files, rule = given.files(settings, snapshot)
            if not files:
                return {"outcome": "none", "rule": rule, "plausible": False, "seconds": 0.0}
            result = judged(files, settings, snapshot)
        got = verdict(result)
        return {
            "outcome": got,
            "plausible": False,
            "as_expected": got in EXPECTED[given.kind],
            "rule": rule,
            "reason": result.reason,
            "doubts": list(result.evidence.doubts) if result.evidence else [],
            "warnings": list(result.warnings),
            "diff": result.diff,
            "seconds": round(result.seconds, 3),
        }


def judged(files: Files, settings: Settings, snapshot: Snapshot) -> RepairResult:
    """What ``regreen prove`` says of the patch that makes ``files``; None for one that it deletes."""
    here = snapshot.files
    changes = (
        file_change(path, here.get(path), after, modes=frozenset(), plain=True)
        for path, after in files.items()
    )
    try:
        given = patch_of(changes, here)
    except InexpressibleChange as error:
        return refused(str(error))
    origin = compose.VersionOrigin(given=given)
    return compose.fix(settings, StageClock(), snapshot=snapshot, origin=origin).result


def verdict(result: RepairResult) -> str:
    """One of ``VERDICTS``."""
    if result.outcome is Outcome.NO_PATCH:
        return "refused"
    if result.outcome is not Outcome.PATCHED or result.evidence is None:
        return "not judged"
    if result.warnings:
        return "for a person"
    return "low confidence" if result.evidence.doubts else "verified"


def patches(bugs: Sequence[Bug]) -> list[Given]:
    """Three patches for each of ``bugs``."""
    every = ([Given(bug=bug, kind=kind, number=number) for kind in KINDS] for number, bug in enumerate(bugs))
    return list(chain.from_iterable(every))


def report(run: Run) -> str:
    """Expected against got, and each that is not as expected."""
    lines = []
    for kind in KINDS:
        rows = [row for row in run.rows if row["group"] == kind]
        counts = Counter(row["outcome"] for row in rows)
        others = sum(counts.values()) - sum(counts[verdict] for verdict in VERDICTS)
        lines.append((kind, str(len(rows)), *(str(counts[verdict]) for verdict in VERDICTS), str(others)))
    odd = [
        f"- {row['task']} ({row.get('rule', '')}): {row['outcome']}: {row.get('reason', '')}"
        for row in run.rows
        if not row.get("as_expected")
    ]
    return (
        "\n\n".join([pinned(run), table(("patch", "count", *VERDICTS, "none"), lines), "\n".join(odd)]) + "\n"
    )
