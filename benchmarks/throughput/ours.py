"""Regreen's verdicts on mutants: one testbed, the tests that call the changed function, until one fails."""

import os
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path

from benchmarks.seeded.mutants import Mutant
from benchmarks.throughput.judged import HUNG, KILLED, NOT_JUDGED, SURVIVED, Judged, judged
from bot.agent.trial.callers import Callers
from bot.agent.trial.pace import Pace
from bot.domain import Patch, SpanEdit
from bot.patch.text import decode, encode
from bot.ports import Testbed
from sandbox.reports import TestReport, TestResult, TestStatus
from sandbox.snapshot import Snapshot

# What the quickest tests of a file may take together that are run before all others.
FIRST_S = 0.02
_TICKS = os.sysconf("SC_CLK_TCK")


class Judge:
    """Judges mutants of ``snapshot`` on ``bed`` by ``tests``, after ``baseline`` was run on it."""

    def __init__(self, bed: Testbed, snapshot: Snapshot, baseline: TestReport, tests: frozenset[str]) -> None:
        self._bed, self._snapshot = bed, snapshot
        self._passing = sorted(
            (result for result in baseline.passing if result.test in tests), key=lambda result: result.seconds
        )
        self._callers, self._pace = Callers(), Pace()
        self._callers.learn(baseline.calls)
        self._pace.know(baseline.passing)

    def prepare(self, mutants: Sequence[Mutant]) -> None:
        """Have the tests that judge ``mutants`` loaded, and see how they end without any, as mutmut does."""
        tried = set[str]()
        for mutant in mutants:
            chosen = self._tests(mutant, decode(self._snapshot.files[mutant.path]))
            tests = [result for result in chosen if result.test not in tried]
            if tests:
                names, limits = [result.test for result in tests], self._pace.limits(tests, patient=True)
                self._bed.run(tests=names, timeout_s=limits, quick=True, assume=True)
                tried.update(names)

    def judge(self, number: int, mutant: Mutant) -> Judged:
        """The verdict on ``mutant``."""
        original = decode(self._snapshot.files[mutant.path])
        started = time.perf_counter()
        tests = self._tests(mutant, original)
        if not tests:
            return judged(number, NOT_JUDGED, detail="no test calls it")
        report = self._bed.run(
            tests=[result.test for result in tests],
            changes={mutant.path: encode(mutant.apply(original))},
            stop_at_first_failure=True,
            timeout_s=self._pace.limits(tests, patient=True),
            quick=True,
            assume=True,
        )
        seconds = time.perf_counter() - started
        return judged(
            number,
            verdict(report, tests),
            seconds=seconds,
            tests=len(tests),
            detail=f"{report.means}: {report.reason}".strip(": "),
        )

    def _tests(self, mutant: Mutant, original: str) -> list[TestResult]:
        edit = SpanEdit(path=mutant.path, start=mutant.start, end=mutant.end, replacement=mutant.replacement)
        callers = self._callers.of(Patch(edits=(edit,)), {mutant.path: original})
        chosen = [result for result in self._passing if callers is None or result.test in callers]
        return quickest_of_each_file_first(chosen)


def quickest_of_each_file_first(tests: Sequence[TestResult]) -> list[TestResult]:
    """A few quick ones of each file, file by file, then all others; ``tests`` are the quickest first.

    Files are not mixed: for its first test a file may have to be imported, and its fixtures made.
    """
    by_file: dict[str, list[TestResult]] = {}
    for result in tests:
        by_file.setdefault(result.test.partition("::")[0], []).append(result)
    first, rest = list[TestResult](), list[TestResult]()
    for results in by_file.values():
        until = accumulate(result.seconds for result in results)
        number = sum(seconds <= FIRST_S for seconds in until) + 1
        first += results[:number]
        rest += results[number:]
    return first + rest


def verdict(report: TestReport, tests: Sequence[TestResult]) -> str:
    """What ``report`` of a run of passing ``tests`` says of the mutant in it."""
    if any(result.status is TestStatus.TIMEOUT for result in report.failing):
        return HUNG
    return SURVIVED if report.proves({result.test for result in tests}) else KILLED


def judge_all(judge: Judge, mutants: Sequence[tuple[int, Mutant]]) -> list[Judged]:
    """The verdicts on ``mutants``, each with its share of the processor's seconds of all of them."""
    before = tree_cpu_s()
    found = [judge.judge(number, mutant) for number, mutant in mutants]
    used, seconds = tree_cpu_s() - before, sum(one["seconds"] for one in found) or 1.0
    return [{**one, "cpu": round(used * one["seconds"] / seconds, 5)} for one in found]


def quick_s(
    bed: Testbed, tests: Sequence[str], changes: Mapping[str, bytes], *, rounds: int
) -> dict[str, float]:
    """The seconds of a quick verdict on each of ``tests`` alone, by medians."""
    found: dict[str, float] = {}
    for test in tests:
        taken: list[float] = []
        for _ in range(rounds + 1):
            started = time.perf_counter()
            bed.run(tests=[test], changes=changes, quick=True)
            taken.append(time.perf_counter() - started)
        found[test] = statistics.median(taken[1:])  # the first one shows that the test may be judged so
    return found


def tree_cpu_s() -> float:
    """The seconds of this process, of those below it, and of those that ended there."""
    times: dict[int, tuple[int, float]] = dict(_processes())
    wanted, found = {os.getpid()}, set[int]()
    while wanted:
        found |= wanted
        wanted = {pid for pid, (parent, _seconds) in times.items() if parent in wanted} - found
    return sum(times[pid][1] for pid in found if pid in times)


def _processes() -> Iterator[tuple[int, tuple[int, float]]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                yield int(entry.name), parsed((entry / "stat").read_text("utf-8", "replace"))


def parsed(stat: str) -> tuple[int, float]:
    """The parent, and the seconds of a process with those of its children that it waited for; see proc(5)."""
    fields = stat.rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15])) / _TICKS
