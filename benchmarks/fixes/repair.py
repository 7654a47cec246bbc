"""``regreen fix`` on the faulty version of a real fix, with the tests of the fix."""

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.fixes.corpus import Faulty
from benchmarks.fixes.express import same_code
from benchmarks.fixes.mine import changed_tests, versions
from benchmarks.libraries.repairs import repaired
from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Trial
from bot.config import sources
from bot.config.settings import Settings
from bot.environments.last_failed import PLACE
from bot.errors import RegreenError
from bot.patch.apply import apply
from bot.patch.text import decode, encode
from bot.result import RepairResult
from sandbox import leftovers

_SHOWING_S = 300.0
SAME, PLAUSIBLE, NO_PATCH, NOT_SHOWN = "same", "plausible", "no patch", "not shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairFix:
    """``Work``: repairs with ``options`` (of ``regreen fix``), and sees what of the fix can be shown here.

    ``outcome`` is ``same`` (the verified patch is the fix, by its syntax tree), ``plausible`` (it is another
    one), ``no patch``, or ``not shown``: no test of the fix fails before it, or one still fails after it.
    """

    options: Mapping[str, Any]

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        task = trial.task
        assert isinstance(task, Faulty)
        leftovers.sweep()
        started = time.perf_counter()
        with leftovers.directory("bench-") as directory:
            place = Path(directory)
            try:
                project = task.lay_out(place / "project" / task.fix.repository.rpartition("/")[2])
                tests = lay_tests(changed_tests(task.clone, task.fix.commit), project)
                settings = sources.load({**self.options, "project": project})
                settings = replace(settings, state_directory=place / "state", virtual_env="")
                row = _repaired(task, settings, tests)
            except RegreenError as error:
                row = {"outcome": NOT_SHOWN, "reason": str(error)[:500]}
        verdicts = {"plausible": row["outcome"] in {SAME, PLAUSIBLE}, "correct": row["outcome"] == SAME}
        return {**row, **verdicts, "seconds": round(time.perf_counter() - started, 3)}


def lay_tests(tests: Mapping[str, str], project: Path, *others: Path) -> frozenset[str]:
    """Write the files ``tests`` to the checkout ``project``, and to ``others``; their paths.

    The record of pytest in ``project`` says that these failed last: the first run begins with them.
    """
    for place in (project, *others):
        for path, text in tests.items():
            file = place / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(encode(text))
    record = project / PLACE
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps(dict.fromkeys(tests, True)), "utf-8")
    return frozenset(tests)


def _repaired(task: Faulty, settings: Settings, tests: frozenset[str]) -> dict[str, Any]:
    # Which tests fail is found without a hurry: that is what CI's log says where Regreen is used.
    first, seen, _ = repaired(
        replace(settings, max_attempts=1, time_budget=max(_SHOWING_S, settings.time_budget))
    )
    failing = _of(seen, tests)
    if not failing:  # such as of another Python, or where no environment could be made
        return {"outcome": NOT_SHOWN, "reason": first["reason"]}
    log = settings.state_directory / "ci.log"
    log.write_text(as_log(failing), "utf-8")
    settings = replace(settings, log=log)
    row, result, snapshot = repaired(settings)
    row = {name: row[name] for name in ("reason", "attempts", "stages")}
    row["environment_seconds"] = first["environment_seconds"]
    path = task.fix.path
    before, after = versions(task.clone, task.fix) or ("", "")
    if result is not None and result.patch is not None and snapshot is not None:
        patched = apply(result.patch, {name: decode(data) for name, data in snapshot.files.items()})
        same = same_code(patched.get(path, before), after)
        evidence = result.evidence
        doubts = list(evidence.doubts) if evidence else []
        confidence = evidence.confidence if evidence else ""
        row |= {"diff": result.diff[:4000], "confidence": confidence, "doubts": doubts}
        row["operator"] = result.operator
        return row | {"outcome": SAME if same else PLAUSIBLE}
    # Whether anything could have been found: with the fix itself, these tests have to pass.
    (settings.project / path).write_bytes(encode(after))
    _, again, _ = repaired(
        replace(settings, max_attempts=1, time_budget=max(_SHOWING_S, settings.time_budget))
    )
    return row | {"outcome": NOT_SHOWN if again is None or failing & _of(again, tests) else NO_PATCH}


def as_log(failing: Iterable[str]) -> str:
    """How pytest sums up a run in which these tests failed."""
    tests = sorted(failing)
    head, end = " short test summary info ", f" {len(tests)} failed in 1.00s "
    return "\n".join((f"{head:=^80}", *(f"FAILED {one}" for one in tests), f"{end:=^80}", ""))


def _of(result: RepairResult | None, tests: frozenset[str]) -> frozenset[str]:
    """The failing tests of ``result`` that lie in the files ``tests``."""
    failing = result.baseline.failing if result is not None else ()
    return frozenset(one.test for one in failing if one.test.partition("::")[0] in tests)
