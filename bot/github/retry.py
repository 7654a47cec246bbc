"""How often, and how long, we wait for GitHub: its rate limits and its bad minutes.

PyGithub's own ``GithubRetry`` repeats a POST whose answer was lost, waits for any ``retry-after`` however
long, and does not know status 429. This one repeats only what can be repeated without harm, never waits
longer than it was given, and says until when GitHub wants it to.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from github.Requester import Requester
from urllib3 import Retry
from urllib3.exceptions import MaxRetryError

from bot.errors import RateLimited

if TYPE_CHECKING:
    from types import TracebackType

    from urllib3.connectionpool import ConnectionPool
    from urllib3.response import BaseHTTPResponse

LONGEST_WAIT_S = 300.0
"""All waits of one client together, seconds."""

SECONDARY_WAIT_S = 60.0
"""What GitHub asks for where a secondary limit comes without ``retry-after``."""

REPEATS = 5
BACKOFF_S = 0.5
BACKOFF_LIMIT_S = 20.0
REPEATABLE = frozenset({"GET", "HEAD", "PUT", "PATCH", "DELETE"})
ADDING = "/check-runs/"
"""A PATCH below it adds to what is there: who sends it looks before it is sent again."""

FAILURES = frozenset(range(500, 600))
_TOO_MANY = 429
_LIMITS = frozenset({403, _TOO_MANY})


@dataclass(slots=True, kw_only=True)
class Waits:
    """What is left of the time that may be waited, and how to wait; seconds throughout."""

    left: float = LONGEST_WAIT_S
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time
    jitter: Callable[[], float] = random.random

    def spend(self, seconds: float) -> None:
        """Wait, and have that much less."""
        self.left -= seconds
        self.sleep(max(seconds, 0.0))

    def spend_for_limit(self, seconds: float) -> None:
        """Wait until a rate limit ends.

        Raises:
            RateLimited: that takes longer than is left.
        """
        self.check(seconds)
        self.spend(seconds)

    def check(self, seconds: float) -> None:
        """See ``spend_for_limit``; nothing is waited for yet."""
        if seconds > self.left:
            raise RateLimited(
                f"GitHub's rate limit holds until {_date(self.now() + seconds)}, {seconds:.0f} s from now: "
                "run again after that, or use the token of an app, which has a limit of its own"
            )


def _date(stamp: float) -> str:
    try:
        return f"{datetime.fromtimestamp(stamp, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError):  # a server may say anything
        return "a time that no calendar has"


class Patience(Retry):
    """urllib3 asks this after each failure whether to send a request again, and when."""

    def __init__(self, *, waits: Waits, pause: float = 0.0, **options: Any) -> None:  # noqa: ANN401 - urllib3's
        super().__init__(
            **{
                "total": REPEATS,
                "status_forcelist": FAILURES,
                "allowed_methods": REPEATABLE,
                "raise_on_status": False,
                "backoff_factor": BACKOFF_S,
                "backoff_max": BACKOFF_LIMIT_S,
                **options,
            }
        )
        self.waits = waits
        self.pause = pause

    def new(self, **options: Any) -> Patience:  # noqa: ANN401
        """As ``Retry`` wants it."""
        return super().new(**{"waits": self.waits, **options})

    def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:  # noqa: FBT001, FBT002
        """Whether to look closer; a request that met a limit had no effect, whatever its method."""
        return status_code in _LIMITS or super().is_retry(method, status_code, has_retry_after)

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Patience:
        """The next try.

        Raises:
            RateLimited: GitHub wants more time than is left.
            github.GithubException: a refusal that no waiting helps against.
            MaxRetryError: who sends the request looks first whether it took effect.
        """
        pause = 0.0
        if response is not None and response.status in _LIMITS:
            pause = self._pause_for_limit(response)
        elif method == "PATCH" and ADDING in (url or ""):
            assert _pool is not None
            raise MaxRetryError(_pool, url or "", error)
        following = super().increment(method, url, response, error, _pool, _stacktrace)
        assert isinstance(following, Patience)
        following.pause = pause
        return following

    def _pause_for_limit(self, response: BaseHTTPResponse) -> float:
        headers = {name.lower(): value for name, value in response.headers.items()}
        said = document(response.data)
        message = str(said.get("message") or "")
        seconds = _wanted(response.status, headers, message, self.waits.now())
        if seconds is None:
            raise Requester.createException(response.status, headers, said)
        self.waits.check(seconds)
        if not self.total:
            raise RateLimited(
                f"GitHub's rate limit holds on after {REPEATS} waits; the next would be {seconds:.0f} s: run "
                "again later"
            )
        return seconds

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:
        """Wait before the next try."""
        del response
        if self.pause:
            self.waits.spend_for_limit(self.pause)
        else:
            backoff = self.get_backoff_time()
            self.waits.spend(min(backoff * (0.75 + self.waits.jitter() / 2), max(self.waits.left, 0.0)))


def document(body: bytes) -> dict[str, Any]:
    """The JSON of an answer; empty where it is no object."""
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _wanted(status: int, headers: dict[str, str], message: str, now: float) -> float | None:
    """How many seconds GitHub wants; None where this is no limit."""
    after, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    if after.isdecimal():
        return float(after)
    if status != _TOO_MANY and not after and not Requester.isRateLimitError(message):
        return None
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        # A second more: it is not said when in that second the limit ends.
        return max(float(reset) - now, 0.0) + 1.0
    return SECONDARY_WAIT_S
