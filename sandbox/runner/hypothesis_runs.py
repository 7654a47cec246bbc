"""Tests of hypothesis that are wanted for their verdict: without the search for a simpler failing input.

That search runs a failing test hundreds of times, and a candidate's failure is shown to nobody.
"""

from __future__ import annotations

from typing import Any

_SETTINGS = "_hypothesis_internal_use_settings"


def end_early(test: Any) -> None:
    """Let ``test``, a function or method, end with the first input that makes it fail."""
    function: Any = getattr(test, "__func__", test)
    found = getattr(function, _SETTINGS, None)
    if found is None:
        return
    try:
        from hypothesis import Phase, settings

        slow = {getattr(Phase, name, None) for name in ("shrink", "explain")}
        phases = [phase for phase in found.phases if phase not in slow]
        setattr(function, _SETTINGS, settings(found, phases=phases, report_multiple_bugs=False))
    except Exception:  # a version in which this is otherwise: the test runs as it is
        return
