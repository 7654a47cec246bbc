"""The pytest plugin that reports each test's verdict through a pipe, as it comes.

It relies on pytest's hook calls, never on what the run prints. Every line that it writes carries a
token made for this run, so that a test cannot add lines by accident or by a simple trick; a determined
one in the same process still could, which is why a patch is believed only after a fresh sandbox's exit
status and report agree, and why the policy gate reads every patch.
"""

from __future__ import annotations

from time import perf_counter  # a test or a fixture may freeze those of the module
from typing import Any, Dict, FrozenSet, List, Optional

import pytest

from . import control_item
from .alarm import Alarm, TestTimeout
from .called import CalledFunctions
from .explain import TEXT_LIMIT, Explainer, short_repr
from .limits import NO_ORDER, OrderLimits
from .lone_process import LoneProcess
from .tracer import LineTracer
from .wire import Wire

# What would end a run early, or run tests elsewhere, again and again, or in another order than was asked for.
# Options of plugins that are not there are not touched.
NEUTRAL_OPTIONS: Dict[str, Any] = {
    "maxfail": 0,
    "stepwise": False,
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "numprocesses": None,
    "dist": "no",
    "tx": [],
    "forked": False,
    "timeout": 0,
    "reruns": 0,
    "randomly_reorganize": False,
    "randomly_reset_seed": False,
    "random_order": False,
    "random_order_bucket": "none",
    # pytest-benchmark repeats each test for a second.
    "benchmark_max_time": "0.000001",
    "benchmark_min_rounds": 1,
    "benchmark_warmup": False,
}

DECISIVE_HOOKS = (
    *("pytest_pyfunc_call", "pytest_runtestloop", "pytest_report_teststatus"),
    *("pytest_runtest_" + part for part in ("protocol", "setup", "call", "teardown", "makereport")),
)


class Reporter(LoneProcess):
    """One run of pytest over chosen tests, or over all of ``files`` when nothing was chosen yet.

    ``begin`` names the tests and the receiver. Until then everything is collected and nothing reported.
    """

    def __init__(self, root: str, files: Optional[List[str]] = None) -> None:
        self.explainer = Explainer(root)
        self._root, self._files = root, files
        self._wire: Optional[Wire] = None
        self._announce = True
        self._wanted: Optional[List[str]] = None
        self._first: List[str] = []
        self._skip: FrozenSet[str] = frozenset()
        self._tracer: Optional[LineTracer] = None
        self._calls: Optional[CalledFunctions] = None
        self._stop = False
        self._limits = OrderLimits(NO_ORDER)
        self._failed_files: Dict[str, bool] = {}
        self._current: Dict[str, Any] = {}
        self._called = False
        self.hooks: List[str] = []
        self._comparison: Optional[List[str]] = None
        self._alarm = Alarm()

    def begin(self, wire: Wire, order: Dict[str, Any], announce: bool = True) -> None:
        """Report to ``wire`` on what ``order`` names, without the tests in its ``skip``.

        ``tests`` are node ids in the order in which to run them; an id without ``::`` stands for a whole
        file and gets a verdict of its own. None runs everything. ``announce``: also say what was collected.
        """
        self._wire, self._skip, self._announce = wire, frozenset(order.get("skip", ())), announce
        self._wanted = order.get("tests")
        self._first = list(order.get("first", ()))
        self._tracer = LineTracer(self._root) if order.get("trace") else None
        self._stop = bool(order.get("stop_at_first_failure"))
        self._limits = OrderLimits(order)
        self._alarm = Alarm(wire.fd)
        calls = CalledFunctions(self._root) if order.get("calls") else None
        self._calls = calls if calls is not None and calls.start() else None

    # What to run ---------------------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> Any:
        # pytest-cov starts here; it would trace in our place and write its files into the project.
        known = early_config.known_args_namespace
        if hasattr(known, "no_cov"):
            known.no_cov, known.cov_source = True, []
        yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: Any) -> None:
        super().pytest_configure(config)
        for option, value in NEUTRAL_OPTIONS.items():
            if hasattr(config.option, option):
                setattr(config.option, option, value)
        if self._files is not None:
            config.args = list(self._files)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: Any, items: List[Any]) -> None:
        items[:] = self.chosen(items)
        for item in items:
            self._failed_files.setdefault(item.nodeid.split("::")[0], False)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: Any) -> None:
        if self._announce:
            items = [[item.nodeid, self._file(item)] for item in session.items]
            self._write(dict({"t": "collected", "items": items}, **self._called_functions()))

    def chosen(self, items: List[Any]) -> List[Any]:
        """Those of ``items`` that were asked for, in that order."""
        if self._wanted is None:
            items = [item for item in items if item.nodeid not in self._skip]
            rank = {file: number for number, file in enumerate(self._first)}
            return sorted(items, key=lambda item: rank.get(self._file(item), len(rank))) if rank else items
        by_id: Dict[str, List[Any]] = {}
        for item in items:
            by_id.setdefault(item.nodeid, []).append(item)
            by_id.setdefault(item.nodeid.split("::")[0], []).append(item)
        chosen: List[Any] = []
        seen = set()
        for test in self._wanted:
            for item in by_id.get(test, ()):
                if item.nodeid not in seen and item.nodeid not in self._skip:
                    seen.add(item.nodeid)
                    chosen.append(item)
        return chosen

    def _file(self, item: Any) -> str:
        path = path_of(item)
        return self.explainer.relative(path) or path

    # How it went ---------------------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: Any) -> Any:
        outcome = yield
        report = outcome.get_result()
        if report.failed:
            excinfo = getattr(getattr(report, "call", None), "excinfo", None)
            details = self.explainer.explain(excinfo.value) if excinfo else {"message": str(report.longrepr)}
            file = report.nodeid.split("::")[0]
            self._failed_files[file] = True
            result = dict(details, t="result", id=report.nodeid or file, status="error", seconds=0.0)
            path = str(getattr(collector, "path", None) or getattr(collector, "fspath", ""))
            self._write(dict(result, path=self.explainer.relative(path) or ""))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> Any:
        self._current, self._called = {"t": "result", "id": item.nodeid, "status": "passed"}, False
        self._comparison = None
        self._write({"t": "start", "id": item.nodeid, "limit": self._limits.shared})
        started = perf_counter()
        if self._tracer:
            self._tracer.start(self._file(item))
        yield
        if self._tracer:
            self._current.update(lines=self._tracer.stop(), steps=self._tracer.steps())
        self._current["seconds"] = round(perf_counter() - started, 6)
        self._limits.learn(self._current["status"], self._current["seconds"])
        if self._current["status"] == "passed" and not self._called:
            return  # nobody said that it passed: the run was ended in its middle
        if self._current["status"] in ("failed", "error", "timeout"):
            self._failed_files[item.nodeid.split("::")[0]] = True
            if self._stop:
                setattr(item.session, _stop_name(item.session), "stopped at the first failure")
        # What passes, with the start of the next test, or with the control test.
        self._write(dict(self._current, **self._called_functions()), hold=self._current["status"] == "passed")

    def _called_functions(self) -> Dict[str, Any]:
        return self._calls.take() if self._calls else {}

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: Any) -> Any:
        yield from self._under_alarm(self._limits.shared, is_known=True)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: Any) -> Any:
        # The tight limit is for the test alone: a fixture that many share is made by whichever is first.
        limit = self._limits.of(item.nodeid)
        yield from self._under_alarm(limit, self._limits.waiting(item.nodeid, limit))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: Any) -> Any:
        yield from self._under_alarm(self._limits.shared)

    def _under_alarm(self, limit: float, waiting: float = 0.0, is_known: bool = False) -> Any:
        note = self._wire.phase if self._wire is not None else None
        if note and not is_known:
            note(limit)
        # Inside pytest's phases only: raised between them, the exception would end the whole run.
        self._alarm.install()
        self._alarm.start(limit, waiting, note)
        try:
            yield
        finally:
            self._alarm.stop()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        outcome = yield
        report = outcome.get_result()
        if report.when == "call" and report.outcome == "passed":
            self._called = True
            if self._current["status"] == "skipped":  # that was a part of it: the test went on
                self._current["status"] = "passed"
        if report.outcome == "skipped" and self._current["status"] == "passed":
            self._current["status"] = "xfailed" if hasattr(report, "wasxfail") else "skipped"
        if report.outcome != "failed" or self._current["status"] in ("failed", "error", "timeout"):
            return
        self._current["status"] = "failed" if report.when == "call" else "error"
        if call.excinfo is None:  # strict xfail that passed
            self._current.update(exception="", message=str(report.longrepr)[:TEXT_LIMIT])
            return
        if isinstance(call.excinfo.value, TestTimeout):
            self._current["status"] = "timeout"
        self._current.update(self.explainer.explain(call.excinfo.value))
        if self._comparison and isinstance(call.excinfo.value, AssertionError):
            self._current["comparison"] = self._comparison

    @pytest.hookimpl(tryfirst=True)
    def pytest_assertrepr_compare(self, config: Any, op: str, left: Any, right: Any) -> None:
        self._comparison = [op, short_repr(left), short_repr(right)]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: Any, exitstatus: int) -> None:
        if self._calls:
            self._calls.stop()
        self.hooks = self.foreign_hooks(session.config)
        stopped = bool(session.shouldstop or getattr(session, "shouldfail", False))
        for test in self._wanted or ():
            if "::" not in test and test in self._failed_files and not stopped:
                status = "failed" if self._failed_files[test] else "passed"
                self._write({"t": "result", "id": test, "status": status, "seconds": 0.0, "file": True})

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> Any:
        outcome = yield
        if self._wire is not None and (outcome.excinfo is None or getattr(session, _stop_name(session))):
            self._write(self.control_event(session))

    def control_event(self, session: Any) -> Dict[str, Any]:
        """What no longer fails though it must; see ``control``."""
        shadowed = ["reporter:" + name for name in vars(self) if hasattr(type(self), name)]
        self._current = {"status": "passed"}
        self._alarm.start(self._limits.shared)
        try:
            control_item.tear_down(session)
        finally:
            self._alarm.stop()
        return control_item.event(session, shadowed)

    def foreign_hooks(self, config: Any) -> List[str]:
        """Who, besides pytest and this plugin, has a say in how a test ends."""
        found = []
        for name in DECISIVE_HOOKS:
            for implementation in implementations(getattr(config.hook, name)):
                function = implementation.function
                module = str(getattr(function, "__module__", ""))
                if implementation.plugin is not self and not module.startswith("_pytest."):
                    found.append("%s of %s" % (name, module))
        return found

    def _write(self, event: Dict[str, Any], hold: bool = False) -> None:
        if self._wire is not None:
            self._wire.send(event, hold)


def path_of(item: Any) -> str:
    """The whole path of the file that ``item`` was collected from."""
    return str(getattr(item, "path", None) or item.fspath)


def implementations(hook: Any) -> List[Any]:
    """All that implement a hook of pytest; before 3.3, it brings a pluggy that does not say."""
    if hasattr(hook, "get_hookimpls"):
        return list(hook.get_hookimpls())
    return [*hook._nonwrappers, *hook._wrappers]


def _stop_name(session: Any) -> str:
    """What ends a run after the test in hand; before 3.4, pytest has one name for all reasons."""
    return "shouldfail" if hasattr(session, "shouldfail") else "shouldstop"
