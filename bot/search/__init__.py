"""The embedded repair engine: finds small changes that may fix a failure, with no model and no network.

It proposes; running tests and choosing among what passes is the loop's work.
"""

from bot.search.candidates import Sources, candidates
from bot.search.spectra import ochiai, suspicious_lines

__all__ = ["Sources", "candidates", "ochiai", "suspicious_lines"]
