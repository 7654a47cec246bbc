"""``regreen fix`` on the faulty version of a real fix, with the tests of the fix."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.fixes.express import same_code
from benchmarks.fixes.mine import Fix, changed_tests, clone_of, versions
from benchmarks.libraries.repairs import repaired
from benchmarks.libraries.sources import Commit
from benchmarks.runs.limit import limited
from bot.config import sources
from bot.config.settings import Settings
from bot.environments.last_failed import PLACE
from bot.errors import RegreenError
from bot.patch.apply import apply
from bot.patch.text import decode, encode
from bot.result import RepairResult
from sandbox import leftovers

GRACE_S = 120
SAME, PLAUSIBLE, NO_PATCH, NOT_SHOWN = "same", "plausible", "no patch", "not shown"


def repair(fix: Fix, clones: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """One row: how the repair ended, and what of the fix could be shown here.

    ``outcome`` is ``same`` (the verified patch is the fix, by its syntax tree), ``plausible`` (it is another
    one), ``no patch``, or ``not shown``: no test of the fix fails before it, or one still fails after it.
    """
    leftovers.sweep()
    with leftovers.directory("bench-") as directory:
        place = Path(directory)
        row: dict[str, Any] = {"repository": fix.repository, "commit": fix.commit, "path": fix.path}
        try:
            project, tests = _laid_out(fix, clones, place)
            settings = sources.load({**options, "project": project})
            settings = replace(settings, state_directory=place / "state", virtual_env="")
            with limited(settings.build_timeout + 3 * settings.time_budget + GRACE_S, "the repair"):
                return row | _repaired(fix, clones, settings, tests)
        except RegreenError as error:
            return row | {"outcome": NOT_SHOWN, "reason": str(error)[:500]}


def _laid_out(fix: Fix, clones: Path, place: Path) -> tuple[Path, tuple[str, ...]]:
    """A checkout of the faulty version below ``place``, and the fix's files of tests that were laid over it.

    pytest's record says of these that they failed last, so that the first run begins with them.
    """
    version = Commit(
        repository=fix.repository, commit=f"{fix.commit}^", cache=place / "cache", clones=clones.absolute()
    )
    project = version.lay_out(place / "project" / version.directory_name)
    tests = changed_tests(clone_of(clones, fix.repository), fix.commit)
    for path, text in tests.items():
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(encode(text))
    record = project / PLACE
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps(dict.fromkeys(tests, True)), "utf-8")
    return project, tuple(tests)


def _repaired(fix: Fix, clones: Path, settings: Settings, tests: tuple[str, ...]) -> dict[str, Any]:
    row, result, snapshot = repaired(settings)
    row = {name: row[name] for name in ("reason", "attempts", "seconds", "environment_seconds")}
    failing = _of(result, tests)
    if not failing:  # such as of another Python, or where no environment could be made
        return row | {"outcome": NOT_SHOWN}
    before, after = versions(clone_of(clones, fix.repository), fix) or ("", "")
    if result is not None and result.patch is not None and snapshot is not None:
        patched = apply(result.patch, {path: decode(data) for path, data in snapshot.files.items()})
        same = same_code(patched.get(fix.path, before), after)
        evidence = result.evidence
        row |= {"diff": result.diff[:4000], "confidence": evidence.confidence if evidence else ""}
        return row | {"outcome": SAME if same else PLAUSIBLE}
    # Whether anything could have been found: with the fix itself, these tests have to pass.
    (settings.project / fix.path).write_bytes(encode(after))
    _, again, _ = repaired(replace(settings, max_attempts=1))
    left = _of(again, tests)
    return row | {"outcome": NOT_SHOWN if again is None or failing & left else NO_PATCH}


def _of(result: RepairResult | None, tests: tuple[str, ...]) -> frozenset[str]:
    """The failing tests of ``result`` that lie in the files ``tests``."""
    failing = result.baseline.failing if result is not None else ()
    return frozenset(one.test for one in failing if one.test.partition("::")[0] in tests)
