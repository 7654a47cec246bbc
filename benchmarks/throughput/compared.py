"""Rates and agreement of the tools' verdicts, out of the rows of a run."""

import statistics
from collections.abc import Mapping, Sequence

from benchmarks.runs.runfile import Row
from benchmarks.throughput.judged import HUNG, KILLED, NOT_JUDGED, NOTICED, SURVIVED, Judged

OURS, MUTMUT, COSMIC_RAY = "regreen", "mutmut", "cosmic_ray"
TOOLS = (OURS, MUTMUT, COSMIC_RAY)
NAMES = {OURS: "Regreen", MUTMUT: "mutmut", COSMIC_RAY: "cosmic-ray"}


def judged_by(row: Row, tool: str) -> dict[int, Judged]:
    """The verdicts of ``tool`` in ``row`` by number, without those that hang or were not judged."""
    return {one["number"]: one for one in row[tool] if one["verdict"] in {KILLED, SURVIVED}}


def rate(
    found: Mapping[int, Judged], numbers: Sequence[int] | None = None, *, cpu: bool = False
) -> float | None:
    """Verdicts a second on the mutants ``numbers``, all by default, by the clock or of the processor's."""
    chosen = [found[number] for number in (found if numbers is None else numbers)]
    seconds = sum(one["cpu" if cpu else "seconds"] for one in chosen)
    return len(chosen) / seconds if seconds else None


def ratio(row: Row, tool: str, *, cpu: bool = False) -> float | None:
    """How many times as many verdicts a second Regreen gives as ``tool``, on the mutants that both judged."""
    mine, theirs = judged_by(row, OURS), judged_by(row, tool)
    both = sorted(mine.keys() & theirs.keys())
    rates = rate(mine, both, cpu=cpu), rate(theirs, both, cpu=cpu)
    return rates[0] / rates[1] if rates[0] and rates[1] else None


def whole(row: Row, tool: str) -> float | None:
    """How many times as long as Regreen ``tool`` takes with its preparation, on what both judged."""
    mine, theirs = judged_by(row, OURS), judged_by(row, tool)
    both, prepared = mine.keys() & theirs.keys(), row["prepared"]
    if not both or not prepared.get(tool):
        return None
    own = prepared[OURS] + sum(mine[one]["seconds"] for one in both)
    other = prepared[tool] + sum(theirs[one]["seconds"] for one in both)
    return float(other / own)


def typical(row: Row, tool: str) -> float | None:
    """How many times as long as Regreen ``tool`` takes at the median mutant of those that both judged."""
    mine, theirs = judged_by(row, OURS), judged_by(row, tool)
    both = mine.keys() & theirs.keys()
    return median([theirs[one]["seconds"] / mine[one]["seconds"] for one in both if mine[one]["seconds"]])


def median(values: Sequence[float | None]) -> float | None:
    """The median of those that are known."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def agreement(row: Row, tool: str) -> tuple[int, list[tuple[Judged, Judged]]]:
    """How many mutants Regreen and ``tool`` both judged, and where they differ."""
    return differing(row[OURS], row[tool])


def differing(ours: Sequence[Judged], others: Sequence[Judged]) -> tuple[int, list[tuple[Judged, Judged]]]:
    """How many mutants both judged, and where they differ; to hang is to notice."""
    mine, theirs = (
        {one["number"]: one for one in found if one["verdict"] != NOT_JUDGED} for found in (ours, others)
    )
    both = [(mine[number], theirs[number]) for number in sorted(mine.keys() & theirs.keys())]
    return len(both), [
        (one, other) for one, other in both if (one["verdict"] in NOTICED) != (other["verdict"] in NOTICED)
    ]


def who_is_right(row: Row, tool: str, ours: Judged) -> str:
    """Whose verdict the whole suite confirms; empty where it was not run on that mutant."""
    said = {int(number): verdict for number, verdict in row.get("suite_says", {}).items()}
    verdict = said.get(ours["number"], NOT_JUDGED)
    if verdict == NOT_JUDGED:
        return ""
    agrees = (verdict in NOTICED) == (ours["verdict"] in NOTICED)
    return f"the whole suite agrees with {NAMES[OURS] if agrees else NAMES[tool]}"


def cause(tool: str, ours: Judged, theirs: Judged) -> str:
    """Why two verdicts differ, where they say so; empty where somebody has to look."""
    if HUNG in {ours["verdict"], theirs["verdict"]}:
        return "time limits differ"
    if tool == MUTMUT and ours["tests"] != theirs["tests"]:
        return f"other tests: {ours['tests']} and {theirs['tests']}"
    return ""


def over_limit(row: Row) -> float | None:
    """At the median test: its verdict's seconds by those of a bare fork and the test's own."""
    limit = row["limit"]
    return median([quick / (limit["fork"] + own) for _test, own, quick in limit["tests"]])
