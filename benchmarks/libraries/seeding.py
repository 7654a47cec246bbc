"""Find a fault in an item that its suite notices: the first drawn one that makes a passing test fail."""

import random
from dataclasses import dataclass
from itertools import islice

from benchmarks.libraries import suite
from benchmarks.libraries.environment import Environment
from benchmarks.libraries.faults import Fault, drawn
from benchmarks.libraries.verdicts import Ran, Verdict
from bot.patch.policy.files.protected import is_plain_source
from sandbox.reports import TestReport, TestStatus
from sandbox.snapshot import Snapshot

# Tests that are traced to see which lines are executed, and faults that are tried.
TRACED = 40
TRIED = 12
# With the fault, this share of the tests that had a verdict must have one again.
COLLECTED = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeded:
    """A fault, and the names of the passing tests that it ``broke``."""

    fault: Fault
    broke: tuple[str, ...]


def seeded(environment: Environment, baseline: Ran, *, seed: str) -> Seeded | None:
    """A fault that the suite of ``environment`` notices; None where none of those tried is one.

    Raises:
        sandbox.errors.SandboxError: the sandbox failed.
    """
    files, passing = environment.snapshot.files, sorted(baseline.passing)
    dice = random.Random(seed)  # noqa: S311 - a sample, not a secret
    with environment.beds.open() as bed:
        chosen = sorted(dice.sample(passing, min(TRACED, len(passing))))
        lines = executed(bed.run(tests=chosen, trace=True), environment.snapshot)
    with environment.beds.open() as bed:
        for fault in islice(drawn(files, lines, seed=seed), TRIED):
            changes = {fault.path: fault.apply(files[fault.path])}
            report = bed.run(tests=lines[fault.path][fault.line], changes=changes)
            if not any(result.status is TestStatus.FAILED for result in report.results):
                continue
            if broke := _noticed(baseline, suite.inside(environment, changes=changes)):
                return Seeded(fault=fault, broke=broke)
    return None


def executed(report: TestReport, snapshot: Snapshot) -> dict[str, dict[int, list[str]]]:
    """The passing tests of a traced run by the lines of the project's own code that they executed."""
    found: dict[str, dict[int, list[str]]] = {}
    for result in report.passing:
        for path, numbers in result.lines.items():
            if path in snapshot.files and is_plain_source(path):
                for number in numbers:
                    found.setdefault(path, {}).setdefault(number, []).append(result.test)
    return found


def _noticed(baseline: Ran, faulty: Ran) -> tuple[str, ...]:
    """The passing tests that fail with the fault; none where the suite does not run to its end."""
    kept = sum(name in faulty.verdicts for name in baseline.verdicts)
    if faulty.problem or kept < COLLECTED * len(baseline.verdicts):
        return ()
    return tuple(sorted(name for name in baseline.passing if faulty.verdicts.get(name) is Verdict.FAILED))
