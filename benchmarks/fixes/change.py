"""``regreen fix`` on the commit that brought a fault, with the version before it and without."""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.fixes.layout import laid_out
from benchmarks.fixes.origins import Origin
from benchmarks.libraries.repairs import repaired
from benchmarks.limit import limited
from bot.config import sources
from bot.config.settings import Settings
from bot.domain import Before
from bot.errors import RegreenError
from bot.result import RepairResult
from sandbox import leftovers, owner

GRACE_S = 120
NOT_SHOWN = "not shown"


def repair_change(origin: Origin, clones: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """One row: how the repair of the change ended with the version before it, and without.

    It is ``not shown`` unless a test of the fix passes before the change and fails with it.
    """
    leftovers.sweep()
    row: dict[str, Any] = {"repository": origin.repository, "origin": origin.origin, "fix": origin.fix}
    with tempfile.TemporaryDirectory(prefix=owner.mark() + "bench-", ignore_cleanup_errors=True) as directory:
        place = Path(directory)
        try:
            at, fix = origin.origin, origin.fix
            project, _ = laid_out(origin.repository, at, fix, clones, place / "after")
            before, _ = laid_out(origin.repository, f"{at}^", fix, clones, place / "before")
            settings = sources.load({**options, "project": project})
            settings = replace(settings, state_directory=place / "state", virtual_env="")
            with limited(settings.build_timeout + 3 * settings.time_budget + GRACE_S, "the repair"):
                with_base, shown = _ended(replace(settings, base=str(before)))
                row["with base"] = with_base
                if shown:
                    row["without"], _ = _ended(replace(settings, base="none"))
        except RegreenError as error:
            return row | {"outcome": NOT_SHOWN, "reason": str(error)[:500]}
    return row | {"outcome": "shown" if shown else NOT_SHOWN}


def _ended(settings: Settings) -> tuple[dict[str, Any], bool]:
    """How one repair ended, and whether a test failed that passed before."""
    row, result, _ = repaired(settings)
    kept = {name: row[name] for name in ("outcome", "reason", "attempts", "seconds")}
    if result is None:
        return kept, False
    evidence = result.evidence
    culprit = result.culprit
    return kept | {
        "diff": result.diff[:4000],
        "confidence": evidence.confidence if evidence else "",
        "culprit": culprit.size if culprit else 0,
        "runs": culprit.runs if culprit else 0,
    }, _is_regression(result)


def _is_regression(result: RepairResult) -> bool:
    return any(kind is Before.REGRESSION for _, kind in result.baseline.before)
