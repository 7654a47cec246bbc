"""What a tool says of mutants, in one form for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """Whether the tests noticed a mutant. One that hangs is noticed; its seconds are the time limit's."""

    KILLED = "killed"
    SURVIVED = "survived"
    HUNG = "timeout"
    NOT_JUDGED = "not judged"

    @property
    def noticed(self) -> bool:
        """Whether the mutant is as good as dead."""
        return self in {Verdict.KILLED, Verdict.HUNG}


# How the tools call it. With another exit status of pytest than 0 and 1, mutmut calls a mutant suspicious.
_SAID = {
    "killed": Verdict.KILLED,
    "segfault": Verdict.KILLED,
    "suspicious": Verdict.KILLED,
    "incompetent": Verdict.KILLED,
    "survived": Verdict.SURVIVED,
    "timeout": Verdict.HUNG,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One verdict: on which mutant, after how many seconds by the clock and of the processor, and why."""

    number: int
    verdict: Verdict
    seconds: float
    cpu: float = 0.0
    tests: int = 0
    detail: str = ""


def read(raw: Mapping[str, Any]) -> Judged:
    """A verdict as a tool's driver wrote it."""
    return Judged(
        number=int(raw["number"]),
        verdict=_SAID.get(str(raw["verdict"]), Verdict.NOT_JUDGED),
        seconds=float(raw["seconds"]),
        cpu=float(raw["cpu"]),
        tests=int(raw.get("tests", 0)),
        detail=str(raw.get("output", ""))[-200:],
    )


def plain(found: Sequence[Judged]) -> list[dict[str, Any]]:
    """``found`` for a row of JSON."""
    return [
        {**asdict(one), "seconds": round(one.seconds, 5), "cpu": round(one.cpu, 5)}
        for one in sorted(found, key=lambda one: one.number)
    ]


def from_plain(rows: Sequence[Mapping[str, Any]]) -> list[Judged]:
    """The verdicts of a row."""
    return [Judged(**{**row, "verdict": Verdict(row["verdict"])}) for row in rows]
