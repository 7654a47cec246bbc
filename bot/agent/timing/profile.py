"""Where the seconds of a repair go: the runs of tests by phase and by the way in which they were run."""

from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock

from sandbox.reports import TestReport

MAX_ROWS = 50
SLOWEST = 10


@dataclass(slots=True, kw_only=True)
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
            self._add((phase, "open", ""), tests=0, seconds=seconds)

    def ran(self, phase: str, report: TestReport, seconds: float) -> None:
        """Note a run that took ``seconds``."""
        with self._lock:
            kind = (phase, report.means or "whole", report.reason)
            self._add(kind, tests=len(report.results), seconds=seconds)
            for result in report.results:
                self._tests[result.test] = self._tests.get(result.test, 0.0) + result.seconds

    def rows(self) -> tuple[ProfileRow, ...]:
        """What took longest first."""
        return tuple(sorted(self._rows.values(), key=lambda row: -row.seconds)[:MAX_ROWS])

    def slowest(self) -> Iterator[tuple[str, float]]:
        """The tests that took longest over all runs, with their seconds."""
        yield from sorted(self._tests.items(), key=lambda item: -item[1])[:SLOWEST]

    def _add(self, kind: tuple[str, str, str], *, tests: int, seconds: float) -> None:
        phase, means, reason = kind
        row = self._rows.setdefault(kind, ProfileRow(phase=phase, means=means, reason=reason))
        row.runs += 1
        row.tests += tests
        row.seconds += seconds
