"""Rates and agreement of the tools' verdicts, out of the rows of a run."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.runs.runfile import Row
from benchmarks.throughput.judged import Judged, Verdict, from_plain

OURS, AGAIN, MUTMUT, COSMIC_RAY = "regreen", "regreen_again", "mutmut", "cosmic_ray"
TOOLS = (OURS, AGAIN, MUTMUT, COSMIC_RAY)
NAMES = {OURS: "Regreen", AGAIN: "Regreen, again", MUTMUT: "mutmut", COSMIC_RAY: "cosmic-ray"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A mutant on which Regreen and ``tool`` differ, with what is known of why."""

    library: str
    number: int
    tool: str
    ours: Judged
    theirs: Judged

    @property
    def cause(self) -> str:
        """Why they differ, where their verdicts say so; empty where somebody has to look."""
        if Verdict.HUNG in {self.ours.verdict, self.theirs.verdict}:
            return "time limits differ"
        if self.tool == MUTMUT and self.ours.tests != self.theirs.tests:
            return f"other tests: {self.ours.tests} and {self.theirs.tests}"
        return ""


def judged_by(row: Row, tool: str) -> dict[int, Judged]:
    """The verdicts of ``tool`` in ``row`` by number, without those that hang or were not judged."""
    return {
        one.number: one for one in from_plain(row[tool]) if one.verdict in {Verdict.KILLED, Verdict.SURVIVED}
    }


def rate(
    found: Mapping[int, Judged], numbers: Sequence[int] | None = None, *, cpu: bool = False
) -> float | None:
    """Verdicts a second on the mutants ``numbers``, all by default, by the clock or of the processor's."""
    chosen = [found[number] for number in (found if numbers is None else numbers)]
    seconds = sum(one.cpu if cpu else one.seconds for one in chosen)
    return len(chosen) / seconds if seconds else None


def ratio(row: Row, tool: str, *, ours: str = OURS, cpu: bool = False) -> float | None:
    """How many times as many verdicts a second Regreen gives as ``tool``, on the mutants that both judged."""
    mine, theirs = judged_by(row, ours), judged_by(row, tool)
    both = sorted(mine.keys() & theirs.keys())
    rates = rate(mine, both, cpu=cpu), rate(theirs, both, cpu=cpu)
    return rates[0] / rates[1] if rates[0] and rates[1] else None


def typical(row: Row, tool: str, *, ours: str = OURS) -> float | None:
    """How many times as long as Regreen ``tool`` takes at the median mutant of those that both judged."""
    mine, theirs = judged_by(row, ours), judged_by(row, tool)
    both = mine.keys() & theirs.keys()
    return median([theirs[one].seconds / mine[one].seconds for one in both if mine[one].seconds])


def median(values: Sequence[float | None]) -> float | None:
    """The median of those that are known."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def agreement(row: Row, tool: str) -> tuple[int, list[Difference]]:
    """How many mutants Regreen and ``tool`` both judged, and the differences; one that hangs is noticed."""
    mine = {one.number: one for one in from_plain(row[OURS]) if one.verdict is not Verdict.NOT_JUDGED}
    theirs = {one.number: one for one in from_plain(row[tool]) if one.verdict is not Verdict.NOT_JUDGED}
    both = sorted(mine.keys() & theirs.keys())
    return len(both), [
        Difference(library=row["task"], number=number, tool=tool, ours=mine[number], theirs=theirs[number])
        for number in both
        if mine[number].verdict.noticed != theirs[number].verdict.noticed
    ]


def over_limit(row: Row) -> float | None:
    """At the median test: its verdict's seconds by those of a bare fork and the test's own."""
    limit = row["limit"]
    return median([quick / (limit["fork"] + own) for _test, own, quick in limit["tests"]])
