"""What can go wrong between a client and GitHub, to be planned by a test."""

import re
from collections.abc import Mapping
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
    """A fault for the next ``times`` requests that match, after the first ``skip`` of these."""

    method: str
    path: re.Pattern[str]
    fault: Fault
    times: int
    skip: int

    def takes(self, method: str, path: str) -> bool:
        if self.method not in {method, "*"} or not self.path.search(path) or self.times == 0:
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.times -= 1
        return True


def secondary_limit(retry_after: int | None = 1) -> Fault:
    """Too many writes at a time; without ``retry-after``, GitHub wants a minute."""
    message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Fault(status=403, message=message, headers=headers)
