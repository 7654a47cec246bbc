"""``regreen fix`` on a real regression: with the version before as ``--base``, and alone."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.fixes.mine import changed_tests, texts_at
from benchmarks.fixes.older_tests import with_changed_tests
from benchmarks.fixes.repair import NOT_SHOWN, lay_tests
from benchmarks.fixes.suspects import Broken
from benchmarks.libraries.repairs import repaired
from benchmarks.reports.markdown import table
from benchmarks.reports.shares import Share
from benchmarks.runs.runfile import Row, Run
from benchmarks.runs.tasks import Trial
from bot.config import sources
from bot.config.settings import Settings
from bot.domain import Before
from bot.errors import RegreenError
from bot.patch.text import decode
from bot.result import RepairResult
from sandbox import leftovers


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairBroken:
    """``Work``: repairs with ``options`` (of ``regreen fix``) what a commit broke.

    ``outcome`` is ``not shown`` where no test of the fix passes on the version before and fails on it.
    Otherwise the row has ``base`` and ``alone``: what came of each repair.
    """

    options: Mapping[str, Any]

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        task = trial.task
        assert isinstance(task, Broken)
        leftovers.sweep()
        started = time.perf_counter()
        with leftovers.directory("bench-") as directory:
            try:
                row = self._repaired(task, Path(directory))
            except RegreenError as error:
                row = {"outcome": NOT_SHOWN, "reason": str(error)[:500]}
        patched = bool(row.get("base", {}).get("diff"))
        seconds = round(time.perf_counter() - started, 3)
        return {**row, "plausible": patched, "correct": None, "seconds": seconds}

    def _repaired(self, task: Broken, place: Path) -> dict[str, Any]:
        name = task.suspect.repository.rpartition("/")[2]
        project, base = task.lay_out(place / "project" / name), task.lay_out_base(place / "base" / name)
        tests = lay_tests(_tests(task, project), project, base)
        settings = sources.load({**self.options, "project": project, "base": str(base)})
        settings = replace(settings, state_directory=place / "state", virtual_env="")
        # What is no regression takes no more time than one candidate.
        row, result = _one(task, replace(settings, max_attempts=1))
        before = dict(result.baseline.before) if result else {}
        broken = [test for test, kind in before.items() if kind is Before.REGRESSION]
        if not any(test.partition("::")[0] in tests for test in broken):
            kinds = sorted({kind.value for kind in before.values()})
            return {"outcome": NOT_SHOWN, "reason": row["reason"] or "nothing fails", "kinds": kinds}
        row, _ = _one(task, settings)
        alone, _ = _one(task, replace(settings, base="none"))
        return {"outcome": row["outcome"], "broken": len(broken), "base": row, "alone": alone}


def _tests(task: Broken, project: Path) -> dict[str, str]:
    """The files of the fix's tests; where ``project`` has one, its own with what the fix changes."""
    tests = dict(changed_tests(task.clone, task.suspect.fix))
    before = texts_at(task.clone, f"{task.suspect.fix}^", tests)
    for path, text in tests.items():
        if (project / path).is_file() and path in before:
            older = decode((project / path).read_bytes())
            tests[path] = with_changed_tests(older, before[path], text) or text
    return tests


def _one(task: Broken, settings: Settings) -> tuple[dict[str, Any], RepairResult | None]:
    row, result, _ = repaired(settings)
    if result is None:
        return row, None
    evidence, culprit = result.evidence, result.culprit
    row |= {"diff": result.diff[:4000], "confidence": evidence.confidence if evidence else ""}
    if culprit is not None:
        row["culprit"] = {
            "right": any(
                path == task.suspect.path and first <= task.suspect.last and task.suspect.first <= last
                for path, (first, last) in culprit.lines
            ),
            **{name: getattr(culprit, name) for name in ("size", "changed", "runs", "minimal")},
        }
    return row, result


def is_held_out(repository: str) -> bool:
    """Whether nobody looks at what was not repaired of it: about half of all, by a digest of the name."""
    return bool(hashlib.sha256(repository.encode()).digest()[0] % 2)


def shown(run: Run) -> str:
    """What came of the regressions that were shown, with the version before and without it."""
    rows = [row for row in run.rows if "base" in row]
    lines = [f"{len(rows)} of {len(run.rows)} suspected commits broke a test of the fix\n"]
    cells = []
    for name, halves in (("held out", {True}), ("the others", {False}), ("all", {True, False})):
        some = [row for row in rows if is_held_out(row["group"]) in halves]
        verified = [[{"patched": bool(row[way].get("diff"))} for row in some] for way in ("base", "alone")]
        right = [{"right": bool(row["base"].get("culprit", {}).get("right"))} for row in some]
        shares = (*(Share.of(one, "patched") for one in verified), Share.of(right, "right"))
        cells.append((name, len(some), *map(str, shares)))
    heads = (
        "repositories",
        "regressions",
        "verified, with the base",
        "verified, alone",
        "culprit is in the fix",
    )
    return "\n".join((*lines, table(heads, cells)))
