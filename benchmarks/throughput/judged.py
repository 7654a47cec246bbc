"""What a tool says of mutants, in one form for all of them."""

from collections.abc import Mapping
from typing import Any, TypedDict

# Whether the tests noticed a mutant. One that hangs is noticed; its seconds are the time limit's.
KILLED, SURVIVED, HUNG, NOT_JUDGED = "killed", "survived", "timeout", "not judged"
NOTICED = frozenset({KILLED, HUNG})
# How the tools call it. With another exit status of pytest than 0 and 1, mutmut calls a mutant suspicious.
_SAID = {
    **dict.fromkeys(("killed", "segfault", "suspicious", "incompetent"), KILLED),
    "survived": SURVIVED,
    "timeout": HUNG,
}


class Judged(TypedDict):
    """One verdict: on which mutant, after how many seconds by the clock and of the processor, and why."""

    number: int
    verdict: str
    seconds: float
    cpu: float
    tests: int
    detail: str


def judged(  # noqa: PLR0913 - its parts
    number: int, verdict: str, *, seconds: float = 0.0, cpu: float = 0.0, tests: int = 0, detail: str = ""
) -> Judged:
    """A verdict for a row of JSON."""
    return {
        "number": number,
        "verdict": verdict,
        "seconds": round(seconds, 5),
        "cpu": round(cpu, 5),
        "tests": tests,
        "detail": detail,
    }


def read(raw: Mapping[str, Any]) -> Judged:
    """A verdict as a tool's driver wrote it."""
    return judged(
        int(raw["number"]),
        _SAID.get(str(raw["verdict"]), NOT_JUDGED),
        seconds=float(raw["seconds"]),
        cpu=float(raw["cpu"]),
        tests=int(raw.get("tests", 0)),
        detail=str(raw.get("output", ""))[-200:],
    )
