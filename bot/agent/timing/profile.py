"""Where the seconds of a repair go: the runs of tests by phase and by the way in which they were run."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Lock

from sandbox.reports import TestReport

MAX_ROWS = 50
SLOWEST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRow:
    """Runs of one kind; ``tests`` counts verdicts, ``seconds`` is wall time, that of the sandbox included.

    ``means`` and ``reason`` are those of ``TestReport``; ``open`` is the opening of a sandbox.
    """

    phase: str
    means: str
    reason: str = ""
    runs: int = 0
    tests: int = 0
    seconds: float = 0.0


class Profile:
    """Adds up what runs of tests took; several threads may report."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str, str], ProfileRow] = {}
        self._tests: dict[str, float] = {}
        self._lock = Lock()

    def opened(self, phase: str, seconds: float) -> None:
        """Note the opening of a sandbox."""
        with self._lock:
            self._add(ProfileRow(phase=phase, means="open", runs=1, seconds=seconds))

    def ran(self, phase: str, report: TestReport, seconds: float) -> None:
        """Note a run that took ``seconds``."""
        means = report.means or "whole"
        row = ProfileRow(
            phase=phase,
            means=means,
            reason=report.reason,
            runs=1,
            tests=len(report.results),
            seconds=seconds,
        )
        with self._lock:
            self._add(row)
            for result in report.results:
                self._tests[result.test] = self._tests.get(result.test, 0.0) + result.seconds

    def rows(self) -> tuple[ProfileRow, ...]:
        """What took longest first."""
        return tuple(sorted(self._rows.values(), key=lambda row: -row.seconds)[:MAX_ROWS])

    def slowest(self) -> Iterator[tuple[str, float]]:
        """The tests that took longest over all runs, with their seconds."""
        yield from sorted(self._tests.items(), key=lambda item: -item[1])[:SLOWEST]

    def _add(self, row: ProfileRow) -> None:
        key = row.phase, row.means, row.reason
        known = self._rows.get(key, replace(row, runs=0, tests=0, seconds=0.0))
        self._rows[key] = replace(
            known,
            runs=known.runs + row.runs,
            tests=known.tests + row.tests,
            seconds=known.seconds + row.seconds,
        )
