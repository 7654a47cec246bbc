"""Tests that crashed or hung on the unchanged project: which of them to try once more, and what came of it.

What hangs in one file hangs for one reason, so one of each kind is tried. It gets more time than before:
the limit of the first time followed from what the other tests took, and a test may be slower than those.
"""

from __future__ import annotations

from .limits import FACTOR, FLOOR_S, learned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    Result = Dict[str, Any]
    Report = Dict[str, Any]
    Order = Dict[str, Any]

MAX_KINDS = 3
PATIENCE = 4.0  # times the limit of the first time
SHARE = 0.15  # of the time that is left: what one more try may always take
AFFORDABLE = 0.6  # of the time that is left: what it may take at most
SLOW = 0.5  # of the time that a test had the first time: who then takes more was slow, and did not hang


def of(order: Order, report: Report) -> List[Result]:
    """The results of ``report`` to doubt. Who gives a test a limit of its own knows what to make of it."""
    own = order.get("timeouts_s") or {}
    ends = ("crashed", "timeout")
    return [one for one in report["results"] if one["status"] in ends and one["id"] not in own]


def one_of_each_kind(found: Sequence[Result]) -> List[str]:
    """The tests to try once more: the first of each kind of hang, or the first that crashed."""
    kinds: Dict[Any, str] = {}
    for one in found:
        kinds.setdefault(_kind(one), one["id"])
    return list(kinds.values())[:MAX_KINDS]


def trial(order: Order, report: Report, tests: Optional[List[str]], left: float) -> Order:
    """The order to try ``tests`` once more, with more time for each; ``left`` is what there is for all."""
    limit = float(order["timeout_s"])
    if order.get("adaptive"):
        before = max(FLOOR_S, FACTOR * learned(report["results"])["slowest_s"])
        limit = min(limit, max(min(PATIENCE * before, AFFORDABLE * left), SHARE * left))
    return dict(order, tests=tests, trace=False, timeout_s=limit, adaptive=False)


def sorted_out(found: Sequence[Result], verdicts: Dict[str, Result]) -> Tuple[List[str], List[float]]:
    """The tests that end again as before, with all of their kind; and what those took that were only slow."""
    kinds = {_kind(one) for one in found if _again(one, verdicts)}
    confirmed = [one["id"] for one in found if _kind(one) in kinds]
    slow = [
        float(verdicts[one["id"]].get("seconds", 0.0))
        for one in found
        if one["status"] == "timeout" and one["id"] in verdicts and not _again(one, verdicts)
    ]
    took = {one["id"]: float(one.get("seconds", 0.0)) for one in found}
    was_slow = any(
        float(verdict.get("seconds", 0.0)) > SLOW * took.get(test, 0.0)
        for test, verdict in verdicts.items()
        if verdict["status"] != "timeout"
    )
    return confirmed, slow if was_slow else []


def with_verdicts(report: Report, results: Sequence[Result]) -> Report:
    """``report`` with ``results`` in the place of what the same tests came to before."""
    new = {result["id"]: result for result in results}
    return dict(report, results=[new.get(result["id"], result) for result in report["results"]])


def _again(one: Result, verdicts: Dict[str, Result]) -> bool:
    return one["id"] in verdicts and verdicts[one["id"]]["status"] == one["status"]


def _kind(one: Result) -> Tuple[str, str]:
    """How it ended, and in which file: what hangs there hangs for one reason, whichever call it is met in."""
    frames = one.get("frames")
    return one["status"], str(frames[-1][0]) if frames else ""


def not_passed(tests: List[str], report: Report) -> List[str]:
    """Those of ``tests`` that ``report`` does not say to pass."""
    passed = {result["id"] for result in report["results"] if result["status"] == "passed"}
    return [test for test in tests if test not in passed]
