"""``regreen fix`` on an item: with a fault in it, and as it is."""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.libraries import suite
from benchmarks.libraries.environment import Environment
from benchmarks.libraries.seeding import COLLECTED, Seeded
from benchmarks.libraries.verdicts import Ran, Verdict
from benchmarks.runs.harness import StageClock
from benchmarks.runs.limit import GRACE_S, limited
from bot import compose
from bot.config.settings import Settings
from bot.delivery.json_report import plain_data
from bot.errors import RegreenError
from bot.patch.apply import apply
from bot.patch.text import decode, encode
from bot.result import RepairResult
from sandbox.errors import SandboxError
from sandbox.snapshot import Snapshot

# A run may take so much longer than its budget: sandboxes end, a result is written.
OVER_BUDGET_S = 10
# What was not repaired at all, by no fault of the project.
ERROR = "error"


def with_fault(
    environment: Environment, project: Path, settings: Settings, seeded: Seeded, baseline: Ran
) -> dict[str, Any]:
    """Repair ``project`` with the fault in it; the project is as it was afterwards.

    ``fixed`` is a verified patch with which no test fails that passed before, by a run apart from the repair.
    """
    file = project / seeded.fault.path
    original = file.read_bytes()
    file.write_bytes(seeded.fault.apply(original))
    try:
        row, result, snapshot = repaired(settings)
    finally:
        file.write_bytes(original)
    if result is None or result.patch is None or snapshot is None:
        return {**row, "fixed": False, "same_text": False}
    patched = apply(result.patch, {path: decode(data) for path, data in snapshot.files.items()})
    changes = {path: encode(text) for path, text in patched.items()}
    same = all(environment.snapshot.files.get(path) == data for path, data in changes.items())
    return {
        **row,
        "fixed": same or _holds(environment, baseline, changes, suite_timeout=settings.suite_timeout),
        "same_text": same,
        "diff": result.diff[:4000],
    }


def unchanged(settings: Settings, *, budget_s: float) -> dict[str, Any]:
    """Run ``regreen fix`` on the project as it is, with a budget of ``budget_s`` seconds."""
    row, result, _ = repaired(
        replace(settings, time_budget=budget_s, suite_timeout=min(settings.suite_timeout, budget_s))
    )
    return {
        **row,
        "patched": result is not None and result.patch is not None,
        "diff": result.diff[:4000] if result else "",
    }


def repaired(settings: Settings) -> tuple[dict[str, Any], RepairResult | None, Snapshot | None]:
    """A row about one ``regreen fix``, with its result and the files; these are None where it failed."""
    started, stages = time.perf_counter(), StageClock()
    result = snapshot = None
    try:
        # The project may be built once more; a repair is proved and its sandboxes end beyond its budget.
        with limited(settings.build_timeout + 3 * settings.time_budget + GRACE_S, "the repair"):
            ended = compose.fix(settings, stages)
    except Exception as error:  # noqa: BLE001 - an error of ours is what is looked for, and must not cost the row
        ours = not isinstance(error, RegreenError | SandboxError)
        said = f"{type(error).__name__}: {error}" if ours else str(error)
        internal = [said[:300]] if ours else []
        row = {"outcome": ERROR, "reason": said[:500], "attempts": 0, "internal_errors": internal}
    else:
        result, snapshot = ended.result, ended.snapshot
        row = {
            "outcome": result.outcome.value,
            "reason": result.reason[:500],
            "attempts": result.attempts,
            "internal_errors": plain_data(result).get("internal_errors") or [],
        }
    seconds = time.perf_counter() - started
    # The seconds of a result begin after the environment, which has its own limit.
    repair = result.seconds if result else seconds
    row |= {
        "seconds": round(seconds, 3),
        "environment_seconds": round(seconds - repair, 3),
        "over_budget": repair > settings.time_budget + OVER_BUDGET_S,
        "stages": stages.stop(),
    }
    return row, result, snapshot


def _holds(
    environment: Environment, baseline: Ran, changes: Mapping[str, bytes], *, suite_timeout: float
) -> bool:
    """Whether no test fails that passed before; what fails once alone is no test to judge by."""
    failing = baseline.passing
    for _ in range(2):
        with limited(suite_timeout + GRACE_S, "judging the patch"):
            again = suite.inside(environment, changes=changes)
        failing = frozenset(name for name in failing if again.verdicts.get(name) is Verdict.FAILED)
        if again.problem or again.count(Verdict.PASSED) < COLLECTED * len(baseline.passing):
            return False
        if not failing:
            return True
    return False
