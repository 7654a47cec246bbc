"""Asks whether failing tests pass with older releases of the dependencies: then no change of the code is due.

A default branch often fails one morning because a dependency was released. Where failures are raised in
installed packages and nothing holds their versions, the same tests are run with what there was some months
before. What passes there is set apart, with the packages that changed in between.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sandbox.environment.plans.plan import BuildPlan
from sandbox.reports import TestResult

BEFORE = timedelta(days=180)
FOREIGN_SHARE = 0.5
"""Of the failing tests, those raised in installed packages, from which on older releases are tried."""

MAX_TESTS = 50
LISTED = 3


def older_plan(plan: BuildPlan, *, now: datetime) -> BuildPlan | None:
    """``plan`` with the releases of some months ago; None where it holds to versions already."""
    if plan.export or plan.as_of or plan.setup_command:
        return None
    if len(plan.constraints) > len(plan.requirements):
        return None
    limit = (now - BEFORE).strftime("%Y-%m-%dT%H:%M:%SZ")
    return replace(plan, as_of=limit, name=f"{plan.name}, with the releases of {limit[:10]}")


def suspects(failing: Sequence[TestResult]) -> tuple[TestResult, ...]:
    """The failing tests to try with older releases; none where most of them are raised by the project."""
    foreign = [one for one in failing if one.foreign or "Warning" in one.exception]
    return tuple(foreign[:MAX_TESTS]) if foreign and len(foreign) >= FOREIGN_SHARE * len(failing) else ()


def reason(result: TestResult, before: Mapping[str, str], after: Mapping[str, str], *, limit: str) -> str:
    """Why ``result``, which passes with the versions ``before``, fails with those ``after``."""
    found = _changes(result, before, after)
    listed = "; ".join(found[:LISTED])
    more = f" and {len(found) - LISTED} more" if len(found) > LISTED else ""
    said = f": {listed}{more}" if listed else ""
    return f"it passes with the releases of {limit[:10]}, and fails with newer ones{said}"


def _changes(result: TestResult, before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The packages whose version differs, those that the failure's frame lies in first."""
    package = result.foreign.partition("/")[0].removesuffix(".py").partition(".")[0].lower().replace("_", "-")
    found: list[str] = []
    for name in sorted(name for name in after if before.get(name, after[name]) != after[name]):
        change = f"{name} {before[name]} became {after[name]}"
        if package and package in {name, name.removeprefix("python-")}:
            found.insert(0, f"{change}, raised in {result.foreign}")
        else:
            found.append(change)
    return found
