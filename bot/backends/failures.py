"""What can go wrong between a question and its reply, as the loop that asks again needs to know it.

ModelFailure          never leaves this package: ``ServedBackend`` turns it into a ``ModelError``
├── Refused               the server answered with an error
├── PromptTooLong         prompt and reply do not fit the model's context
└── Broken                no answer, or none that is whole
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# Come back later: timeouts, conflicts, limits; of a server's own failures all but "not implemented".
_PASSING = frozenset({408, 409, 425, 429})
_NOT_IMPLEMENTED = 501
# The answer to an account without money; waiting does not fill it.
_SPENT = ("insufficient_quota", "exceeded your current quota", "exceeded your monthly", "billing_hard_limit")


class ModelFailure(Exception):
    """A question without a reply; the text is one line for people."""

    @property
    def passing(self) -> bool:
        """Whether asking again may help."""
        return False


class Refused(ModelFailure):
    """The server answered with the HTTP ``status``; ``words`` are its own, ``retry_after`` in seconds."""

    def __init__(self, *, status: int, words: str, retry_after: float | None = None) -> None:
        super().__init__(f"status {status}: {words}" if words else f"status {status}")
        self.status, self.words, self.retry_after = status, words, retry_after

    @property
    def passing(self) -> bool:
        """See ``ModelFailure.passing``."""
        return self.status in _PASSING or (self.status >= 500 and self.status != _NOT_IMPLEMENTED)

    @property
    def of_key(self) -> bool:
        """Whether it is the key that the server does not accept, for good."""
        spent = any(sign in self.words.lower() for sign in _SPENT)
        return self.status in {401, 402, 403} or (self.limited and spent)

    @property
    def limited(self) -> bool:
        """Whether the key was used too often."""
        return self.status == 429


class PromptTooLong(ModelFailure):
    """Prompt and reply do not fit the model's context; the text is the server's own words."""


class Broken(ModelFailure):
    """No answer came, or none that is whole; ``lasting`` where it will not be better next time.

    ``unreached``: nobody answered at the address.
    """

    def __init__(self, words: str, *, lasting: bool = False, unreached: bool = False) -> None:
        super().__init__(words)
        self.unreached = unreached
        self._lasting = lasting

    @property
    def passing(self) -> bool:
        """See ``ModelFailure.passing``."""
        return not self._lasting


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """The seconds for which the server asks to be left alone; None where it does not, or not readably."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None
