"""Runs the simplest kind of pytest item without pytest's reporting, which takes longer than many a test.

Fixtures are set up and torn down by pytest itself. What is left out are the hooks around them, so items
whose verdict depends on a hook (marks, some fixtures, plugins) are not ``plain``. Needs pytest 8.
"""

from __future__ import annotations

import inspect
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

CURRENT_TEST = "PYTEST_CURRENT_TEST"  # some projects look whether there is one
RED = ("failed", "error", "timeout")
DECISIVE_MARKS = ("skip", "skipif", "xfail", "filterwarnings", "asyncio", "anyio", "trio")
# Fixtures that rely on what pytest's own hooks do around a test.
HOOKED_FIXTURES = {
    *("caplog", "capsys", "capfd", "capsysbinary", "capfdbinary", "capteesys", "recwarn"),
    *("tmp_path", "tmpdir", "subtests", "testdir", "pytester"),
}
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
        self._usable = self._usable and all(
            _builtin(getattr(config.hook, name), reporter) for name in RUNTEST_HOOKS
        )
        self._direct: "set[str]" = set()
        self._comparison: Optional["list[str]"] = None
        self._limit = self._general = 0.0
        self._limits: Dict[str, float] = {}
        self._exit = pytest.exit.Exception

    def begin(self, order: Dict[str, Any]) -> None:
        """The limits of ``order`` hold from now on."""
        self._general, self._limits = order["timeout_s"], order.get("timeouts_s") or {}

    def prepare(self, items: "list[Any]") -> "set[str]":
        """Make ready, before the fork, to run those of ``items`` that are plain; their ids."""
        signal.signal(signal.SIGALRM, self._on_alarm)
        os.environ[CURRENT_TEST] = items[0].nodeid + " (call)" if items else ""
        assertion_util._reprcompare = self._compare
        plain = [item for item in items if self._fits(item)]
        self._direct = {item.nodeid for item in plain if self._is_direct(item)}
        for item in plain:
            self._reporter.explainer.relative(str(item.path))
            if isinstance(item, TestCaseFunction):
                item.addSubTest = _SubTests(item)  # type: ignore[method-assign,assignment]
        return {item.nodeid for item in plain}

    def _fits(self, item: Any) -> bool:
        return (
            self._usable
            and type(item) in (pytest.Function, TestCaseFunction)
            and not HOOKED_FIXTURES.intersection(item.fixturenames)
            and not any(mark.name in DECISIVE_MARKS for mark in item.iter_markers())
        )

    def _is_direct(self, item: Any) -> bool:
        """Whether the test is a mere call: nothing is set up for it, and nothing runs around it."""
        return (
            type(item) is pytest.Function
            and not item.fixturenames
            and not inspect.iscoroutinefunction(item.function)
            and not inspect.isgeneratorfunction(item.function)
            and not inspect.isasyncgenfunction(item.function)
            and _builtin(item.config.hook.pytest_pyfunc_call, self._reporter)
        )

    def run(self, item: Any, following: Any, wire: Wire, stop: bool) -> bool:
        """Run ``item``; whether it is red. ``following`` is the next item, or None.

        With ``stop`` a red item is the last: there is nothing to tear down for.
        """
        name = item.nodeid
        self._comparison = None
        started = time.perf_counter()
        state = item.session._setupstate
        general, own = self._general, self._limits.get(name, self._general)
        direct = name in self._direct
        result: Dict[str, Any] = {"t": "result", "id": name, "status": "passed"}
        status = "error"
        if not direct:
            os.environ[CURRENT_TEST] = name + " (call)"
        error = None if direct else self._phase(state.setup, item, general)
        if error is None:
            if own > general:
                wire.send({"t": "phase", "limit": own})
            error, status = self._phase(_call if direct else type(item).runtest, item, own), "failed"
            recorded = getattr(item, "_excinfo", None)
            if recorded:
                error = recorded[0].value
        if error is not None:
            result.update(self._verdict(error, status))
        red = result["status"] in RED
        # A mere call sets nothing up, but what earlier tests left for those in its file may end with it.
        if state.stack and not (red and (stop or following is None)):
            error = self._phase(state.teardown_exact, following, general)
            if error is not None and not red:
                result.update(self._verdict(error, "error"))
                red = True
        result["seconds"] = round(time.perf_counter() - started, 6)
        wire.send(result)
        return red

    def _phase(self, step: Callable[[Any], Any], argument: Any, limit: float) -> Optional[BaseException]:
        self._limit = limit
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            step(argument)
        except (KeyboardInterrupt, self._exit):
            raise  # either would end the whole run: no verdict
        except BaseException as error:  # a test may raise anything
            return error
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return None

    def _on_alarm(self, _signum: int, _frame: Any) -> None:
        raise TestTimeout("took longer than %g s" % self._limit)

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


def _builtin(hook: Any, reporter: Reporter) -> bool:
    """Whether only pytest itself and ``reporter`` implement ``hook``."""
    return all(
        implementation.plugin is reporter
        or getattr(implementation.function, "__module__", "").startswith("_pytest.")
        for implementation in hook.get_hookimpls()
    )


def _call(item: Any) -> None:
    item.obj()


class _SubTests:
    """Takes what ``TestCase.subTest`` reports; the first failure is the test's."""

    def __init__(self, item: Any) -> None:
        self._item = item

    def __call__(self, _case: Any, _test: Any, error: Any) -> None:
        if error is not None:
            self._item.addFailure(_case, error)
