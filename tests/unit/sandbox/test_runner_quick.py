"""When the quick way of running tests is closed for the rest of a repair."""

from types import SimpleNamespace

import pytest

from sandbox.runner.quick import QuickRuns

ORDER = {"tests": ["test_a.py::test_a"], "changes": []}


@pytest.mark.parametrize("cut", [True, False])
def test_a_trial_for_which_no_time_was_left_closes_nothing(cut):
    notes = []
    quick = QuickRuns(
        start=None, workspace=None, known={}, files={}, note=notes.append, collecting_s=lambda: 0.0
    )
    report = {"results": [], "problem": "the suite did not finish within 0.1 s", "cut": cut}
    judge = SimpleNamespace(judge=lambda *_asked: dict(report), is_last=True, agreed=set(), shared=set())
    quick._try(judge, ORDER, heartbeat=lambda: None)
    assert bool(notes) is not cut
    assert quick._closed is not cut
