"""The places in a pytest session's output, and the sections that lead there."""

import re
from dataclasses import dataclass, field
from enum import Enum, auto

from bot.cilog.model import LogStatus
from bot.cilog.pytest_sessions.session import PytestSession

SECTIONS = {"FAILURES": LogStatus.FAILED, "ERRORS": LogStatus.ERROR}
OTHER = re.compile(
    r"XFAILURES|X?PASSES|warnings summary.*|slowest .*durations.*|tests coverage|rerun test summary info"
)
ENDING = re.compile(r"coverage: |generated |benchmark|live log |snapshot report|JSON report")
"""Titles in a thin rule that stand below the last block, where no test's output does."""


class Zone(Enum):
    """Where in a session's output the reader is."""

    RUN = auto()  # header, progress, and whatever the tests print uncaptured
    REPORT = auto()  # between a section's header and its first block
    BLOCK = auto()
    CAPTURED = auto()
    SUMMARY = auto()
    OTHER = auto()  # a section that names no failure
    DONE = auto()


@dataclass(slots=True)
class Level:
    """An open session, with the sessions that opened and ended inside it."""

    session: PytestSession
    zone: Zone = Zone.RUN
    section: LogStatus | None = None
    inner: list[PytestSession] = field(default_factory=list)
