"""How long a test may take: a multiple of what its neighbours took, never more than was configured.

A test that never ends costs its whole limit. What the tests before it took says far better than a number for
every project how long one may take.
"""

from __future__ import annotations

from bisect import insort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List

FACTOR = 20.0
FLOOR_S = 3.0
SHARED_FLOOR_S = 10.0  # what many tests share is set up by whichever is first
# Where a test hung, others often hang for the same reason, and one slow test must not make each of them slow.
SHORT_FLOOR_S = 1.0
SLOWEST_FACTOR = 1.5
WAITING_FACTOR = 3.0  # for a test that waits: how long another program takes says little of a loop
USUAL_SHARE = 0.95  # of the tests: these take no longer than what is called usual
NO_ORDER = {"timeout_s": 0.0}  # until there is one, no alarm rings
# A candidate may loop while it is imported: in a fork of the loaded project, and in a whole run.
COLLECTING_FACTOR, QUICK_COLLECTING_FLOOR_S, COLLECTING_FLOOR_S = 10.0, 2.0, 10.0


class OrderLimits:
    """The limits of the tests of one order; ``learn`` gets how each ended.

    ``timeouts_s`` of the order holds limits by test, ``timeout_s`` the configured one. With ``adaptive``, the
    configured one is the most that there is; ``slowest_s``, ``usual_s`` and ``hangs`` are known from earlier
    processes.
    """

    def __init__(self, order: Dict[str, Any]) -> None:
        self._general = float(order["timeout_s"])
        self._collecting = float(order.get("collect_timeout_s", 0.0))
        self._own: Dict[str, float] = order.get("timeouts_s") or {}
        self._adaptive = bool(order.get("adaptive"))
        self._slowest = float(order.get("slowest_s", 0.0))
        self._usual = float(order.get("usual_s", 0.0))
        self._ended: List[float] = []  # in ascending order
        self._hangs = int(order.get("hangs", 0))

    def of(self, test: str) -> float:
        """Seconds that the call of ``test`` may take."""
        own = self._own.get(test)
        if own is not None:
            return own
        if not self._hangs:
            return self._adapted(FLOOR_S, FACTOR * self._slowest)
        usual = max(self._usual, _usual_of(self._ended))
        return self._adapted(SHORT_FLOOR_S, FACTOR * usual, SLOWEST_FACTOR * self._slowest)

    def waiting(self, test: str, limit: float) -> float:
        """Seconds that ``test``, whose limit is ``limit``, may take where it waits; 0 for no more."""
        if test in self._own or not self._adaptive:
            return 0.0
        return min(self._general, WAITING_FACTOR * limit)

    @property
    def shared(self) -> float:
        """Seconds that a setup or a teardown may take; the very first may have to make a database."""
        if not (self._hangs or self._slowest):
            return max(self._general, self._collecting)
        return self._adapted(SHARED_FLOOR_S, FACTOR * self._slowest)

    def learn(self, status: str, seconds: float) -> None:
        """Note how a test ended."""
        if status == "timeout":
            self._hangs += 1
        else:
            self._slowest = max(self._slowest, seconds)
            insort(self._ended, seconds)

    def _adapted(self, *candidates: float) -> float:
        return min(self._general, max(candidates)) if self._adaptive else self._general


def learned(results: List[Dict[str, Any]]) -> Dict[str, Any]:
    """What ``results`` say of the limits of further tests, as keys of an order."""
    ended = sorted(float(result.get("seconds", 0.0)) for result in results if result["status"] not in _CUT)
    hangs = sum(result["status"] == "timeout" for result in results)
    return {"slowest_s": max(ended, default=0.0), "usual_s": _usual_of(ended), "hangs": hangs}


def _usual_of(ended: List[float]) -> float:
    """What all but the slowest few take; ``ended`` is in ascending order."""
    return ended[int(USUAL_SHARE * (len(ended) - 1))] if ended else 0.0


def collecting(order: Dict[str, Any], known_s: float) -> float:
    """Seconds that a candidate may take to be imported; ``known_s`` is what the unchanged project took.

    0 means that nobody knows.
    """
    most = float(order["collect_timeout_s"])
    floor = QUICK_COLLECTING_FLOOR_S if order.get("quick") else COLLECTING_FLOOR_S
    return min(most, max(floor, COLLECTING_FACTOR * known_s)) if known_s else most


_CUT = ("timeout", "crashed")
