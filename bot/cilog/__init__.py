"""Read what failed out of a CI log, raw or as GitHub Actions stores it, or out of a JUnit XML report.

Logs are hostile text. A reading says where to look; it is never evidence that a test fails or passes.
"""

from bot.cilog.archive import pieces_of
from bot.cilog.reader import read_log

__all__ = ["pieces_of", "read_log"]
