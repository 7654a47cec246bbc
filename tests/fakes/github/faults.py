"""What can go wrong between a client and GitHub, to be planned by a test."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """``status`` 0 cuts the connection.

    ``effect`` says whether the request is carried out before its answer is lost. ``slow`` is
    seconds before an answer with which nothing is wrong.
    """

    status: int = 0
    effect: bool = False
    message: str = "Server Error"
    headers: Mapping[str, str] = field(default_factory=dict)
    slow: float = 0.0


@dataclass(slots=True, kw_only=True)
class Plan:
    """For the next ``times`` requests that match, after the first ``skip`` of these: ``act``, then ``fault``.

    So often as ``struck`` says it has come to that; -1 times are all.
    """

    method: str
    path: str
    fault: Fault | None = None
    act: Callable[[], None] = lambda: None
    times: int = 1
    skip: int = 0
    struck: int = 0

    def takes(self, method: str, path: str) -> bool:
        """Whether such a request gets the fault."""
        if self.method not in {method, "*"} or not re.search(self.path, path) or self.struck == self.times:
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.struck += 1
        self.act()
        return self.fault is not None


def secondary_limit(retry_after: int | None = 1) -> Fault:
    """Too many writes at a time; without ``retry-after``, GitHub wants a minute."""
    message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Fault(status=403, message=message, headers=headers)
