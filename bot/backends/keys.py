"""Several keys of one server, used in turn: one that is limited rests, one that is refused is left out."""

import math
from collections.abc import Sequence

from bot.backends.failures import Refused
from bot.ports import Clock

NO_KEY = "none"  # a local server asks for none, yet the client libraries insist on one


class KeyRing:
    """``keys`` in turn; ``refusal`` is why the last one was left out. Shows no key in its ``repr``."""

    def __init__(self, keys: Sequence[str], *, clock: Clock) -> None:
        self._keys = tuple(dict.fromkeys(keys)) or (NO_KEY,)
        self._clock = clock
        self._free_at = dict.fromkeys(self._keys, -math.inf)
        self._next = 0
        self.refusal: Refused | None = None

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"KeyRing({len(self._keys)} keys)"

    @property
    def secrets(self) -> tuple[str, ...]:
        """The keys, for whoever has to keep them out of messages."""
        return tuple(key for key in self._keys if key != NO_KEY)

    def take(self) -> str:
        """The next key that may be used; where all rest, the one that is free soonest."""
        turn = self._keys[self._next :] + self._keys[: self._next]
        now = self._clock()
        key = min(turn, key=lambda key: max(self._free_at[key], now))
        self._next = (self._keys.index(key) + 1) % len(self._keys)
        return key

    def rest(self, key: str, seconds: float) -> None:
        """Leave ``key`` alone for ``seconds``."""
        self._free_at[key] = max(self._free_at[key], self._clock() + seconds)

    def refuse(self, key: str, refusal: Refused) -> None:
        """Never use ``key`` again; ``refusal`` is the server's reason."""
        self._free_at[key] = math.inf
        self.refusal = refusal

    def wait_s(self) -> float:
        """Seconds until a key may be used: 0 where one may now, infinity where none ever will."""
        return max(0.0, min(self._free_at.values()) - self._clock())
