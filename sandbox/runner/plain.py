"""Runs the simplest kind of pytest item without pytest's reporting, which takes longer than many a test.

Fixtures are set up and torn down by pytest itself. What is left out are the hooks around them, so items
whose verdict depends on a hook (marks, some fixtures, some plugins) are not ``plain``. Needs pytest 7.
"""

from __future__ import annotations

import inspect
import os
import sys
from contextlib import contextmanager
from functools import partial
from time import perf_counter  # a test or a fixture may freeze those of the module
from typing import Any, Callable, Dict, Optional

import pytest
from _pytest.assertion import util as assertion_util
from _pytest.unittest import TestCaseFunction
from _pytest.warnings import catch_warnings_for_item

from .alarm import Alarm
from .explain import short_repr
from .limits import NO_ORDER, OrderLimits
from .plugins import FOR_COROUTINES, Foreign, modules_of
from .reporter import Reporter, implementations
from .wire import Wire

try:
    from _pytest.logging import caplog_records_key
except ImportError:  # an older pytest, which is not used here
    caplog_records_key = None  # type: ignore[assignment]
try:
    from _pytest.tmpdir import tmppath_result_key
except ImportError:  # before pytest 7.3, which removes no directory of a test that passed
    tmppath_result_key = None  # type: ignore[assignment]

FAILING = ("failed", "error", "timeout")
DECISIVE_MARKS = ("skip", "skipif", "xfail", "filterwarnings", "asyncio", "anyio", "trio")
# Fixtures that rely on what pytest's own hooks do around a test; for those of output there is no need of it
# where nothing else is captured.
HOOKED_FIXTURES = {"capteesys", "recwarn", "subtests", "testdir", "pytester"}
RUNTEST_HOOKS = tuple(
    "pytest_runtest_" + part
    for part in ("protocol", "setup", "call", "teardown", "makereport", "logstart", "logreport", "logfinish")
)


class Plain:
    """Runs plain items of one session and reports as ``Reporter`` does."""

    def __init__(self, config: Any, reporter: Reporter, stack_fd: int) -> None:
        self._explainer = reporter.explainer
        hooks = [one for name in RUNTEST_HOOKS for one in implementations(getattr(config.hook, name))]
        self._foreign = Foreign(modules_of(hooks, reporter))
        version = int(pytest.__version__.split(".")[0])
        self.is_recent = version >= 8
        self._usable = version >= 7 and self._foreign.known
        self._filters = bool(
            config.getini("filterwarnings") or getattr(config.option, "pythonwarnings", None)
        )
        calls = implementations(config.hook.pytest_pyfunc_call)
        self._calls_are_builtin = modules_of(calls, reporter) <= FOR_COROUTINES
        self._logging = config.pluginmanager.getplugin("logging-plugin")
        self._comparison: Optional["list[str]"] = None
        self._alarm = Alarm(stack_fd)
        self._limits = OrderLimits(NO_ORDER)

    def prepare(self, items: "list[Any]") -> "set[str]":
        """Make ready, before the fork, to run those of ``items`` that are plain; their ids."""
        self._alarm.install()
        assertion_util._reprcompare = self._compare
        plain = [item for item in items if self._fits(item)]
        for item in plain:
            if "tmp_path" in item.fixturenames and tmppath_result_key is not None:
                item.stash[tmppath_result_key] = {}  # a hook notes there how the test ended
            self._explainer.relative(str(item.path))
            if isinstance(item, TestCaseFunction):
                item.addSubTest = _SubTests(item)  # type: ignore[method-assign,assignment]
        return {item.nodeid for item in plain}

    def begin(self, order: Dict[str, Any]) -> None:
        """The limits of ``order`` hold from now on."""
        self._limits = OrderLimits(order)

    def within(self, call: Callable[[], Any]) -> Optional[BaseException]:
        """What ``call`` raises under the limit of a setup."""
        return self._alarm.within(self._limits.shared, call)

    def is_direct(self, item: Any) -> bool:
        """Whether a plain item is a mere call: pytest sets nothing up for it."""
        # What an assert compared is found out there by where it ends, which CPython 3.7 does not say.
        if self._filters or sys.version_info < (3, 8):
            return False
        if isinstance(item, TestCaseFunction):
            return all(name.startswith("_unittest_") for name in item.fixturenames)
        function = item.function
        return (
            self._calls_are_builtin
            and not item.fixturenames
            and not inspect.iscoroutinefunction(function)
            and not inspect.isgeneratorfunction(function)
            and not inspect.isasyncgenfunction(function)
        )

    def run(self, item: Any, following: Any, wire: Wire, stop: bool) -> bool:
        """Run ``item``; whether it fails. ``following`` is the next item, or None.

        With ``stop`` a failing item is the last: there is nothing to tear down for.
        """
        if not self._filters:
            return self._run(item, following, wire, stop)
        with catch_warnings_for_item(config=item.config, ihook=item.ihook, when="runtest", item=item):
            return self._run(item, following, wire, stop)

    def _run(self, item: Any, following: Any, wire: Wire, stop: bool) -> bool:
        name = item.nodeid
        os.environ["PYTEST_CURRENT_TEST"] = name + " (call)"
        self._comparison = None
        started = perf_counter()
        state = item.session._setupstate
        result: Dict[str, Any] = {"t": "result", "id": name, "status": "passed"}
        set_up = self._logged(item, "setup", partial(state.setup, item))
        error, status = self._alarm.within(self._limits.shared, set_up), "error"
        if error is None:
            own = self._limits.of(name)
            wire.phase(own)
            waiting = self._limits.waiting(name, own)
            test = self._logged(item, "call", partial(type(item).runtest, item))
            error, status = self._alarm.within(own, test, waiting, wire.phase), "failed"
            recorded = getattr(item, "_excinfo", None)
            if recorded:
                error = recorded[0].value
        if error is not None:
            result.update(self._verdict(error, status))
        failed = result["status"] in FAILING
        if not (failed and (stop or following is None)):
            tear_down = self._logged(item, "teardown", partial(state.teardown_exact, following))
            error = self._alarm.within(self._limits.shared, tear_down)
            if error is not None and not failed:
                result.update(self._verdict(error, "error"))
                failed = True
        result["seconds"] = round(perf_counter() - started, 6)
        # Of one that passes, together with the start of the next, or with the control test.
        wire.send(result, hold=not failed)
        return failed

    def _logged(self, item: Any, phase: str, step: Callable[[], Any]) -> Callable[[], Any]:
        """``step`` with what ``caplog`` reads: pytest's hooks record it for each phase of a test."""
        return partial(_with_log, self._logging, item, phase, step) if "caplog" in item.fixturenames else step

    def _fits(self, item: Any) -> bool:
        return (
            self._usable
            and type(item) in (pytest.Function, TestCaseFunction)
            and not HOOKED_FIXTURES.intersection(item.fixturenames)
            and (hasattr(self._logging, "_runtest_for") or "caplog" not in item.fixturenames)
            and not any(mark.name in DECISIVE_MARKS for mark in item.iter_markers())
            and not self._foreign.act_on(item)
            # Before pytest 8, a hook calls these, as nose did.
            and (self.is_recent or not (hasattr(item.obj, "setup") or hasattr(item.obj, "teardown")))
        )

    def _verdict(self, error: BaseException, status: str) -> Dict[str, Any]:
        details = self._explainer.verdict(error, status)
        if self._comparison and isinstance(error, AssertionError):
            details["comparison"] = self._comparison
        return details

    def _compare(self, op: str, left: Any, right: Any) -> None:
        self._comparison = [op, short_repr(left), short_repr(right)]


def _with_log(plugin: Any, item: Any, phase: str, step: Callable[[], Any]) -> Any:
    if phase == "setup":
        item.stash[caplog_records_key] = {}
    recording = plugin._runtest_for(item, phase)
    if not hasattr(recording, "__enter__"):  # before pytest 8.4
        recording = contextmanager(lambda generator: generator)(recording)
    with recording:
        return step()


class _SubTests:
    """Takes what ``TestCase.subTest`` reports; the first failure is the test's, and a skip nobody's."""

    def __init__(self, item: Any) -> None:
        self._item = item

    def __call__(self, case: Any, _test: Any, error: Any) -> None:
        if isinstance(error, tuple):
            self._item.addFailure(case, error)
        elif error is not None:  # from ``addSkip``, which has noted it for the whole test
            self._item._excinfo.remove(error)
