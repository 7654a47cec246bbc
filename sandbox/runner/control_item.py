"""The control test as pytest's own item: a run in which everything passed is believed after that failed."""

from __future__ import annotations

from functools import partial
from typing import Any, Dict, List, Tuple

import pytest
from _pytest.runner import runtestprotocol

from . import control
from .alarm import ends_the_run


def event(session: Any, unclear: List[str]) -> Dict[str, Any]:
    """What no longer fails in ``session`` though it must; ``unclear`` is what the caller knows already."""
    try:
        reports = runtestprotocol(_control_item(session), log=False, nextitem=None)
    except Exception:  # a plugin that cannot do with such an item
        return control.event(unclear=[*unclear, "pytest's control test: raised"])
    was_set_up = not any(report.when == "setup" and report.failed for report in reports)
    failed = any(report.when == "call" and report.outcome == "failed" for report in reports)
    passed = ["pytest's reports"] if was_set_up and not failed else []
    return control.event(passed, [*unclear, *([] if was_set_up else ["pytest's control test: setup"])])


def tear_down(session: Any) -> None:
    """Finish what a run that was stopped at a failing test has left set up for the test after it.

    pytest sets nothing up beside that, so that no control test could show anything.
    """
    state = session._setupstate
    if not getattr(state, "stack", None):
        return
    try:
        # Before pytest 7, there is a method of its own for it.
        getattr(state, "teardown_all", partial(state.teardown_exact, None))()
    except BaseException as error:  # of a fixture; the tests that used it have their verdicts
        if ends_the_run(error):
            raise


class _ControlItem(pytest.Item):
    """A test that fails; with the attributes that hooks of projects like to read."""

    function = staticmethod(control.blunted)
    obj = function
    cls = module = instance = None
    originalname = control.NAME
    fixturenames: Tuple[str, ...] = ()

    def setup(self) -> None:
        self.funcargs: Dict[str, Any] = {}

    def runtest(self) -> None:
        raise control.Control(control.NAME)

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        return control.NAME  # nobody reads it, and pytest's own takes longer than many a test

    def reportinfo(self) -> Tuple[str, int, str]:
        return control.NAME, 0, control.NAME


def _control_item(session: Any) -> Any:
    make = getattr(_ControlItem, "from_parent", None)
    return make(session, name=control.NAME) if make else _ControlItem(control.NAME, session)
