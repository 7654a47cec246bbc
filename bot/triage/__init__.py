"""Judge from a CI log what made a job fail, and what is worth doing about it.

Reads nothing by itself: ``bot.cilog`` turns a log into a reading, ``triage`` judges the reading.
"""

from bot.triage.model import CauseKind, Finding, TriageVerdict
from bot.triage.weigh import triage

__all__ = ["CauseKind", "Finding", "TriageVerdict", "triage"]
