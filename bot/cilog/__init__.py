"""Read what failed out of a CI log: pytest's own output so far, raw or as GitHub Actions stores it.

Logs are hostile text. A reading says where to look; it is never evidence that a test fails or passes.
"""

from bot.cilog.clean import lines
from bot.cilog.model import LogFailure, LogReading, LogStatus
from bot.cilog.pytest_log import read_log

__all__ = ["LogFailure", "LogReading", "LogStatus", "lines", "read_log"]
