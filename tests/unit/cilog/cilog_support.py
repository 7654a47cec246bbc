"""What the tests of logs share."""

from bot.cilog import read_log
from bot.cilog.model import LogReading


def read(*lines: str) -> LogReading:
    """What is read of a log with these lines."""
    return read_log([("\n".join(lines) + "\n").encode()])
