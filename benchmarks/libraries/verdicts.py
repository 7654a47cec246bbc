"""The suite's verdicts inside and outside of the sandbox, test by test."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum

from sandbox.reports import TestResult, TestStatus


class Verdict(StrEnum):
    """How a test ended, as far as both sides say it."""

    PASSED = "passed"
    FAILED = "failed"
    SET_ASIDE = "skipped"  # or an expected failure
    MISSING = "missing"  # no verdict on this side


_BY_OUTCOME = {"passed": Verdict.PASSED, "skipped": Verdict.SET_ASIDE}
# Of several verdicts of one test the first of these counts.
_WORST = (Verdict.FAILED, Verdict.PASSED, Verdict.SET_ASIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A run of the suite: verdicts and messages by node id; ``problem`` says why it has not all of them.

    ``cut`` says that the time for the run was over.
    """

    verdicts: Mapping[str, Verdict]
    messages: Mapping[str, str] = field(default_factory=dict)
    seconds: float
    problem: str = ""
    output: str = ""
    cut: bool = False

    def count(self, verdict: Verdict) -> int:
        """How many tests ended so."""
        return sum(found is verdict for found in self.verdicts.values())

    @property
    def passing(self) -> frozenset[str]:
        """The names of the tests that passed."""
        return frozenset(name for name, verdict in self.verdicts.items() if verdict is Verdict.PASSED)

    @property
    def pass_share(self) -> float:
        """Of the tests that ran, skipped ones and expected failures apart, those that passed; 0 of none."""
        passed = self.count(Verdict.PASSED)
        ran = passed + self.count(Verdict.FAILED)
        return passed / ran if ran else 0.0


def verdict_of(result: TestResult) -> Verdict:
    """How ``result`` ended."""
    if result.status.is_failure:
        return Verdict.FAILED
    return Verdict.PASSED if result.status is TestStatus.PASSED else Verdict.SET_ASIDE


def collected(pairs: Iterable[tuple[str, Verdict]]) -> dict[str, Verdict]:
    """The verdict by node id; of several the worst."""
    found: dict[str, Verdict] = {}
    for name, verdict in pairs:
        before = found.get(name)
        found[name] = verdict if before is None else min(before, verdict, key=_WORST.index)
    return found


def aligned(inside: Ran, outside: Ran) -> Ran:
    """``outside`` with the ids of ``inside`` where only the names of a function's parameters differ.

    Such names follow the order of a directory, a set or an address in memory. A function counts where it has
    as many ids of one side alone on both sides; tests with equal verdicts are paired.
    """
    if inside.cut or outside.cut:
        return outside
    alone: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for place, (side, other) in enumerate(((inside, outside), (outside, inside))):
        for name in sorted(side.verdicts.keys() - other.verdicts.keys()):
            alone[name.partition("[")[0]][place].append(name)
    names: dict[str, str] = {}
    for ours, theirs in alone.values():
        if len(ours) == len(theirs):
            ours.sort(key=lambda name: inside.verdicts[name])
            theirs.sort(key=lambda name: outside.verdicts[name])
            names.update(zip(theirs, ours, strict=True))
    verdicts = {names.get(name, name): verdict for name, verdict in outside.verdicts.items()}
    return replace(outside, verdicts=verdicts)


def compared(inside: Ran, outside: Ran) -> list[str]:
    """The names of the tests whose verdicts can be compared, in order.

    These are all that either side has; of a side whose time was over only those that it ran count.
    """
    outside = aligned(inside, outside)
    names = inside.verdicts.keys() | outside.verdicts.keys()
    for side in (inside, outside):
        if side.cut:
            names &= side.verdicts.keys()
    return sorted(names)


def same_share(inside: Ran, outside: Ran) -> float:
    """Of the compared tests those with the same verdict on both sides; 0 of none."""
    names = compared(inside, outside)
    return 1 - len(differing(inside, outside)) / len(names) if names else 0.0


def differing(inside: Ran, outside: Ran) -> list[tuple[str, Verdict, Verdict]]:
    """The compared tests whose verdicts differ, with both, in the order of their names."""
    outside = aligned(inside, outside)
    pairs = (
        (
            name,
            inside.verdicts.get(name, Verdict.MISSING),
            outside.verdicts.get(name, Verdict.MISSING),
        )
        for name in compared(inside, outside)
    )
    return [(name, one, other) for name, one, other in pairs if one is not other]


def read_record(lines: Iterable[str]) -> tuple[dict[str, Verdict], dict[str, str]]:
    """Verdicts and the messages of failures by node id, of the lines that ``recorder`` wrote.

    A line that is not whole is left out: the process ended while it wrote it.
    """
    found: list[tuple[str, Verdict]] = []
    messages: dict[str, str] = {}
    for line in lines:
        with suppress(ValueError):
            test, outcome, message = json.loads(line)
            found.append((test, _BY_OUTCOME.get(outcome, Verdict.FAILED)))
            if found[-1][1] is Verdict.FAILED:
                messages.setdefault(test, message)
    return collected(found), messages
