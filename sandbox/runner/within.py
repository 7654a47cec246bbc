"""Paths of code, relative to the project, by their spelling alone.

What watches a test must not ask the file system: a test may have replaced its functions, or forbid them.
"""

from __future__ import annotations

import os
import sys
from typing import Dict, Optional

# Bound here, before a test replaces them: a mock of ``os.path.normpath`` answers with no path.
_join, _normpath = os.path.join, os.path.normpath


class Within:
    """Knows where the project is from the moment that it is made, links in ``sys.path`` included."""

    def __init__(self, root: str) -> None:
        self.prefix = os.path.realpath(root) + os.sep
        self._here = os.getcwd()
        self._links: Dict[str, str] = {}
        for entry in (root, *sys.path):
            if not isinstance(entry, str) or "\0" in entry:
                continue  # the project's own affair
            real = os.path.realpath(entry or self._here)
            if entry and real != entry and (real + os.sep).startswith(self.prefix):
                self._links[os.path.join(entry, "")] = os.path.join(real, "")

    def relative(self, filename: str) -> Optional[str]:
        """``filename`` from the root with forward slashes; None for what lies elsewhere or is no file."""
        if filename.startswith("<"):
            return None  # code without a file, such as a dataclass's methods
        full = _normpath(_join(self._here, filename))
        for link, real in self._links.items():
            if full.startswith(link):
                full = real + full[len(link) :]
                break
        return full[len(self.prefix) :].replace(os.sep, "/") if full.startswith(self.prefix) else None
