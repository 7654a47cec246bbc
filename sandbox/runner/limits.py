"""How long a test may take: a multiple of what its neighbours took, never more than was configured.

A test that never ends costs its whole limit. What the tests before it took says far better than a number for
every project how long one may take.
"""

from __future__ import annotations

# Importing typing takes longer than the rest of this: it is for those who check the types.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

FACTOR = 20.0
FLOOR_S = 3.0
SHARED_FLOOR_S = 10.0  # what many tests share is set up by whichever is first
SHORT_FLOOR_S = 1.0  # where a test hung, further ones are waited for less long


class OrderLimits:
    """The limits of the tests of one order; ``learn`` gets how each ended.

    ``timeouts_s`` of the order holds limits by test, ``timeout_s`` the configured one. With ``adaptive``, the
    configured one is the most that there is; ``slowest_s`` and ``hangs`` are known from earlier processes.
    """

    def __init__(self, order: Dict[str, Any]) -> None:
        self._general = float(order["timeout_s"])
        self._own: Dict[str, float] = order.get("timeouts_s") or {}
        self._adaptive = bool(order.get("adaptive"))
        self._slowest = float(order.get("slowest_s", 0.0))
        self._hangs = int(order.get("hangs", 0))

    def of(self, test: str) -> float:
        """Seconds that the call of ``test`` may take."""
        own = self._own.get(test)
        if own is not None:
            return own
        return self._adapted(SHORT_FLOOR_S if self._hangs else FLOOR_S)

    @property
    def shared(self) -> float:
        """Seconds that a setup or a teardown may take."""
        return self._adapted(SHARED_FLOOR_S)

    def learn(self, status: str, seconds: float) -> None:
        """Note how a test ended."""
        if status == "timeout":
            self._hangs += 1
        else:
            self._slowest = max(self._slowest, seconds)

    def _adapted(self, floor: float) -> float:
        if not self._adaptive:
            return self._general
        return min(self._general, max(floor, FACTOR * self._slowest))


def learned(results: List[Dict[str, Any]]) -> Dict[str, Any]:
    """What ``results`` say of the limits of further tests, as keys of an order."""
    ended = [float(result.get("seconds", 0.0)) for result in results if result["status"] not in _CUT]
    hangs = sum(result["status"] == "timeout" for result in results)
    return {"slowest_s": max(ended, default=0.0), "hangs": hangs}


_CUT = ("timeout", "crashed")


def kind_of(result: Dict[str, Any]) -> Optional[str]:
    """Where a test hung: what hangs in one file hangs for one reason. A loop is met in any of its calls."""
    frames = result.get("frames")
    return str(frames[-1][0]) if frames else None
