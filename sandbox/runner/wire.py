"""The way from a test process to whoever watches it: lines of JSON through a pipe, marked with a token.

The token is made for one test process. It keeps out what a test prints or writes into inherited
descriptors; code that looks for it in this process's memory will find it, see docs/verdicts.md.
"""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, Optional

LINE_LIMIT_BYTES = 64 * 1024 * 1024
# What it raises to look into an event that has another shape than its writer gives it.
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, OverflowError)
# Bound here, before the project's code had a chance to replace them.
_getpid, _write, _dumps = os.getpid, os.write, json.dumps


class Wire:
    """The end inside the test process; ``open`` is called there, and until then nothing is sent."""

    __slots__ = ("_fd", "_held", "_pid", "_token")

    def __init__(self, fd: int) -> None:
        self._fd, self._token, self._pid, self._held = fd, "", 0, ""

    @property
    def fd(self) -> int:
        """The descriptor; what is written there by others is no event."""
        return self._fd

    def open(self, token: str) -> None:
        """From now on events are sent, from this process only: one that a test forks has no say."""
        self._token, self._pid = token, _getpid()

    def send(self, event: Dict[str, Any], hold: bool = False) -> None:
        """Write one event; with ``hold``, together with the next one, which wakes the reader only once."""
        if _getpid() != self._pid:
            return
        self._held += self._token + _dumps(event) + "\n"
        if hold:
            return
        line, self._held = self._held.encode(), ""
        done = _write(self._fd, line)
        while done < len(line):
            done += _write(self._fd, line[done:])

    def phase(self, limit: float) -> None:
        """From now on, what runs has ``limit`` seconds."""
        self.send({"t": "phase", "limit": limit})


class WireReader:
    """The other end: bytes in, events out. ``others`` gets the lines without the token, which are none."""

    def __init__(self, token: str, others: Optional[Callable[[bytes], None]] = None) -> None:
        self._others = others
        self._token = token.encode()
        self._begun = bytearray()  # a line that has no end yet

    def feed(self, chunk: bytes) -> "list[Dict[str, Any]]":
        """The events that ``chunk`` completes."""
        first, *others = chunk.split(b"\n")
        self._begin(first)
        if not others:
            return []
        lines = [bytes(self._begun), *others[:-1]]
        self._begun.clear()
        self._begin(others[-1])
        if self._others is not None:
            for line in lines:
                if not line.startswith(self._token):
                    self._others(line)
        events = [self._event(line) for line in lines if line.startswith(self._token)]
        return [event for event in events if event is not None]

    def _begin(self, part: bytes) -> None:
        # What is cut off at the limit is no event any more.
        self._begun += part[: LINE_LIMIT_BYTES - len(self._begun)]

    def _event(self, line: bytes) -> Optional[Dict[str, Any]]:
        try:
            event = json.loads(line[len(self._token) :].decode())
        except (ValueError, RecursionError):
            return None  # not what the reporter writes
        return event if isinstance(event, dict) and isinstance(event.get("t"), str) else None
