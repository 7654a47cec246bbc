"""What a CI log says about failing tests: frozen data, no parsing.

Everything here was printed by code that nobody trusts. It tells a repair where to look; only a run in the
sandbox tells whether a test fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sandbox.reports import Comparison, Frame


class LogStatus(StrEnum):
    """How a log says that a test went red."""

    FAILED = "failed"
    ERROR = "error"  # raised in setup, teardown or collection


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFailure:
    """One red test as a log describes it.

    ``test`` is the node id that the log gives; for a collection error it is a file's path. ``message``
    may have several lines, and may end in ``...`` where pytest shortened it. ``path`` and ``line`` are
    the innermost place inside the project, else ``path`` is the test's own file and ``line`` is None.
    ``frames`` run from the outermost to the innermost project frame of the last exception; a frame's
    function is empty where the log does not name it.
    """

    test: str
    status: LogStatus
    exception: str = ""
    message: str = ""
    path: str = ""
    line: int | None = None
    frames: tuple[Frame, ...] = ()
    comparison: Comparison | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReading:
    """What was read from one log.

    ``runs`` is the number of pytest sessions; ``collected`` sums what they say they collected, and
    ``passed``, ``failed`` and ``errors`` sum their final lines. ``truncated`` is True where the log
    ends before its last session's final line, or where a limit of the reader left something out.
    ``problems`` are one-line notes on what went wrong beside failing tests.
    """

    failures: tuple[LogFailure, ...] = ()
    runs: int = 0
    collected: int = 0
    passed: int = 0
    failed: int = 0
    errors: int = 0
    truncated: bool = False
    problems: tuple[str, ...] = ()
