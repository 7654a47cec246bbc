"""How long tests may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TestTimes:
    """Limits in seconds: for one test, for importing and collecting, for a whole run."""

    __test__ = False

    test_s: float = 30.0
    collect_s: float = 120.0
    suite_s: float = 900.0
