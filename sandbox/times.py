"""How long tests may take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TestTimes:
    """Limits in seconds: for one test, for importing and collecting, for a whole run.

    A test that does not end when its time is over is killed ``grace_s`` and half its time later: what it says
    of itself until then is a better report.
    """

    __test__ = False

    test_s: float = 30.0
    collect_s: float = 120.0
    suite_s: float = 900.0
    grace_s: float = 2.0
