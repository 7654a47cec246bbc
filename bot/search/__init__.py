"""The embedded repair engine: finds small changes that may fix a failure, with no model and no network.

It proposes; running tests and choosing among what passes is the loop's work.
"""

from __future__ import annotations

from bot.search.candidates import Sources, candidates
from bot.search.spectra import localise, ochiai

__all__ = ["Sources", "candidates", "localise", "ochiai"]
