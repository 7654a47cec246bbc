"""Find a fault in an item that its suite notices: the first drawn one that makes a passing test fail."""

import random
import time
from collections import defaultdict
from dataclasses import dataclass

from benchmarks.libraries import suite
from benchmarks.libraries.environment import Environment
from benchmarks.libraries.faults import Fault, drawn
from benchmarks.libraries.verdicts import Ran, Verdict
from bot.patch.policy.files.protected import is_test_path
from sandbox.reports import TestStatus

# Tests that are traced to see which lines are executed, and faults that are tried.
TRACED = 40
TRIED = 12
# With the fault, this share of the tests that had a verdict must have one again.
COLLECTED = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeded:
    """A fault with the names of the passing tests that it ``broke``; the ``tried``-th that was drawn."""

    fault: Fault
    broke: tuple[str, ...]
    tried: int
    seconds: float


def seeded(environment: Environment, baseline: Ran, *, seed: str) -> Seeded | None:
    """A fault that the suite of ``environment`` notices; None where none of those tried is one.

    Raises:
        sandbox.errors.SandboxError: the sandbox failed.
    """
    started = time.perf_counter()
    lines, by_line = _executed(environment, baseline, seed=seed)
    faults = drawn(environment.snapshot.files, lines, seed=seed)
    with environment.beds.open() as bed:
        for tried, fault in zip(range(1, TRIED + 1), faults, strict=False):
            tests = by_line[fault.path, fault.line]
            report = bed.run(tests=tests, changes={fault.path: _faulty(environment, fault)})
            if not any(result.status is TestStatus.FAILED for result in report.results):
                continue
            whole = suite.inside(environment, changes={fault.path: _faulty(environment, fault)})
            if broke := _noticed(baseline, whole):
                seconds = time.perf_counter() - started
                return Seeded(fault=fault, broke=broke, tried=tried, seconds=seconds)
    return None


def _faulty(environment: Environment, fault: Fault) -> bytes:
    return fault.apply(environment.snapshot.files[fault.path])


def _executed(
    environment: Environment, baseline: Ran, *, seed: str
) -> tuple[dict[str, set[int]], dict[tuple[str, int], list[str]]]:
    """The lines of the project's own code that some passing tests execute, and those tests by line."""
    passing = sorted(baseline.passing)
    dice = random.Random(seed)  # noqa: S311 - a sample, not a secret
    chosen = sorted(dice.sample(passing, min(TRACED, len(passing))))
    with environment.beds.open() as bed:
        report = bed.run(tests=chosen, trace=True)
    lines: dict[str, set[int]] = defaultdict(set)
    by_line: dict[tuple[str, int], list[str]] = defaultdict(list)
    for result in report.passing:
        for path, numbers in result.lines.items():
            if path in environment.snapshot.files and not is_test_path(path):
                lines[path].update(numbers)
                for number in numbers:
                    by_line[path, number].append(result.test)
    return lines, by_line


def _noticed(baseline: Ran, faulty: Ran) -> tuple[str, ...]:
    """The passing tests that fail with the fault; none where the suite does not run to its end."""
    kept = sum(name in faulty.verdicts for name in baseline.verdicts)
    if faulty.problem or kept < COLLECTED * len(baseline.verdicts):
        return ()
    return tuple(sorted(name for name in baseline.passing if faulty.verdicts.get(name) is Verdict.FAILED))
