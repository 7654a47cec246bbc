"""Runs the simplest kind of pytest item without pytest's reporting, which takes longer than many a test.

Fixtures are set up and torn down by pytest itself. What is left out are the hooks around them, so items
whose verdict depends on a hook (marks, some fixtures, plugins) are not ``plain``. Needs pytest 8.
"""

from __future__ import annotations

import os
import signal
import time
from typing import Any, Callable, Dict, Optional

import pytest
from _pytest.assertion import util as assertion_util
from _pytest.unittest import TestCaseFunction

from .explain import short_repr
from .reporter import Reporter, TestTimeout
from .wire import Wire

DECISIVE_MARKS = ("skip", "skipif", "xfail", "filterwarnings", "asyncio", "anyio", "trio")
HOOKED_FIXTURES = frozenset(
    "caplog capsys capfd capsysbinary capfdbinary capteesys recwarn tmp_path tmpdir subtests testdir pytester".split()
)
RUNTEST_HOOKS = tuple(
    "pytest_runtest_" + part
    for part in ("protocol", "setup", "call", "teardown", "makereport", "logstart", "logreport", "logfinish")
)


class Plain:
    """Runs plain items of one session and reports as ``Reporter`` does."""

    def __init__(self, config: Any, reporter: Reporter) -> None:
        self._reporter = reporter
        self._usable = int(pytest.__version__.split(".")[0]) >= 8 and not config.getini("filterwarnings")
        self._usable = self._usable and not getattr(config.option, "pythonwarnings", None)
        for name in RUNTEST_HOOKS:
            for implementation in getattr(config.hook, name).get_hookimpls():
                module = getattr(implementation.function, "__module__", "")
                if not module.startswith("_pytest.") and implementation.plugin is not reporter:
                    self._usable = False
        self._comparison: Optional["list[str]"] = None
        self._exit = pytest.exit.Exception

    def fits(self, item: Any) -> bool:
        """Whether ``item`` is plain."""
        return (
            self._usable
            and type(item) in (pytest.Function, TestCaseFunction)
            and not HOOKED_FIXTURES.intersection(item.fixturenames)
            and not any(mark.name in DECISIVE_MARKS for mark in item.iter_markers())
        )

    def run(self, item: Any, following: Any, wire: Wire, last_if_red: bool) -> bool:
        """Run ``item``; whether it is red. ``following`` is the next item, or None."""
        reporter = self._reporter
        wire.send({"t": "start", "id": item.nodeid})
        os.environ["PYTEST_CURRENT_TEST"] = item.nodeid + " (call)"
        self._comparison = None
        assertion_util._reprcompare = self._compare
        if isinstance(item, TestCaseFunction):
            item.addSubTest = _SubTests(item)  # type: ignore[method-assign]
        started = time.perf_counter()
        state = item.session._setupstate
        general, own = reporter.limit(""), reporter.limit(item.nodeid)
        result: Dict[str, Any] = {"t": "result", "id": item.nodeid, "status": "passed"}
        error = self._phase(lambda: state.setup(item), general)
        if error is not None:
            result.update(self._verdict(error, "error"))
        else:
            if own != general:
                wire.send({"t": "phase", "limit": own})
            error = self._phase(item.runtest, own)
            recorded = getattr(item, "_excinfo", None)
            if recorded:
                error = recorded[0].value
            if error is not None:
                result.update(self._verdict(error, "failed"))
        red = result["status"] in ("failed", "error", "timeout")
        if not (red and (last_if_red or following is None)):
            error = self._phase(lambda: state.teardown_exact(following), general)
            if error is not None and not red:
                result.update(self._verdict(error, "error"))
                red = True
        result["seconds"] = round(time.perf_counter() - started, 6)
        wire.send(result)
        return red

    def _phase(self, step: Callable[[], Any], limit: float) -> Optional[BaseException]:
        signal.signal(signal.SIGALRM, lambda _signum, _frame: _too_long(limit))
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            step()
        except (KeyboardInterrupt, self._exit):
            raise  # either would end the whole run: no verdict
        except BaseException as error:  # a test may raise anything
            return error
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return None

    def _verdict(self, error: BaseException, status: str) -> Dict[str, Any]:
        names = {kind.__name__ for kind in type(error).__mro__}
        if names & {"Skipped", "SkipTest"}:
            return {"status": "skipped"}
        if "XFailed" in names:
            return {"status": "xfailed"}
        details = self._reporter.explainer.explain(error)
        if isinstance(error, TestTimeout):
            status = "timeout"
        elif self._comparison and isinstance(error, AssertionError):
            details["comparison"] = self._comparison
        return dict(details, status=status)

    def _compare(self, op: str, left: Any, right: Any) -> None:
        self._comparison = [op, short_repr(left), short_repr(right)]


class _SubTests:
    """Takes what ``TestCase.subTest`` reports; the first failure is the test's."""

    def __init__(self, item: Any) -> None:
        self._item = item

    def __call__(self, _case: Any, _test: Any, error: Any) -> None:
        if error is not None:
            self._item.addFailure(_case, error)


def _too_long(limit: float) -> None:
    raise TestTimeout("took longer than %g s" % limit)
