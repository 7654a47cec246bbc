"""The pytest plugin that reports each test's verdict through a pipe, as it comes.

It relies on pytest's hook calls, never on what the run prints. Every line that it writes carries a
token made for this run, so that a test cannot add lines by accident or by a simple trick; a determined
one in the same process still could, which is why a patch is believed only after a fresh sandbox's exit
status and report agree, and why the policy gate reads every patch.
"""

from __future__ import annotations

import json
import os
import signal
import time
from typing import Any, Dict, List, Optional, Tuple

import pytest

from .tracer import LineTracer

TEXT_LIMIT = 2000
FRAME_LIMIT = 40
Frame = Tuple[str, int, str]


# What would end a run early, or run tests elsewhere, again, or in another order than was asked for.
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
}


class TestTimeout(BaseException):
    """Raised inside a test that takes too long; not an Exception, so that few handlers swallow it."""

    __test__ = False


class Reporter:
    """One run of pytest over chosen tests.

    ``wanted`` are node ids in the order in which to run them; an id without ``::`` stands for a whole
    file and gets a verdict of its own. None runs everything.
    """

    def __init__(
        self,
        fd: int,
        token: str,
        root: str,
        wanted: Optional[List[str]] = None,
        files: Optional[List[str]] = None,
        skip: Tuple[str, ...] = (),
        trace: bool = False,
        stop_at_first_failure: bool = False,
        timeout_s: float = 0.0,
        timeouts_s: Optional[Dict[str, float]] = None,
    ) -> None:
        self._fd, self._token = fd, token
        self._root = os.path.realpath(root) + os.sep
        self._wanted, self._files, self._skip = wanted, files, frozenset(skip)
        self._tracer = LineTracer(root) if trace else None
        self._stop = stop_at_first_failure
        self._timeout, self._timeouts = timeout_s, timeouts_s or {}
        self._failed_files: Dict[str, bool] = {}
        self._current: Dict[str, Any] = {}
        self._comparison: Optional[List[str]] = None
        self._pid = os.getpid()

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
        for option, value in NEUTRAL_OPTIONS.items():
            if hasattr(config.option, option):
                setattr(config.option, option, value)
        if self._files is not None:
            config.args = list(self._files)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: Any, items: List[Any]) -> None:
        items[:] = self._chosen(items)
        for item in items:
            self._failed_files.setdefault(item.nodeid.split("::")[0], False)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: Any) -> None:
        items = [[item.nodeid, self._file(item)] for item in session.items]
        self._write({"t": "collected", "items": items})

    def _chosen(self, items: List[Any]) -> List[Any]:
        if self._wanted is None:
            return [item for item in items if item.nodeid not in self._skip]
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
        path = str(getattr(item, "path", None) or item.fspath)
        return self._relative(path) or path

    # How it went ---------------------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: Any) -> Any:
        outcome = yield
        report = outcome.get_result()
        if report.failed:
            excinfo = getattr(getattr(report, "call", None), "excinfo", None)
            details = self._explain(excinfo.value) if excinfo else {"message": str(report.longrepr)}
            file = report.nodeid.split("::")[0]
            self._failed_files[file] = True
            result = dict(details, t="result", id=report.nodeid or file, status="error", seconds=0.0)
            path = str(getattr(collector, "path", None) or getattr(collector, "fspath", ""))
            self._write(dict(result, path=self._relative(path) or ""))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> Any:
        self._current = {"t": "result", "id": item.nodeid, "status": "passed"}
        self._comparison = None
        self._write({"t": "start", "id": item.nodeid})
        started = time.perf_counter()
        if self._tracer:
            self._tracer.start()
        yield
        if self._tracer:
            self._current["lines"] = self._tracer.stop()
        self._current["seconds"] = round(time.perf_counter() - started, 6)
        if self._current["status"] in ("failed", "error", "timeout"):
            self._failed_files[item.nodeid.split("::")[0]] = True
            if self._stop:
                item.session.shouldfail = "stopped at the first failure"
        self._write(self._current)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: Any) -> Any:
        yield from self._under_alarm(self._timeout)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: Any) -> Any:
        # The tight limit is for the test alone: a fixture that many share is made by whichever is first.
        limit = self._timeouts.get(item.nodeid, self._timeout)
        self._write({"t": "phase", "limit": limit})
        yield from self._under_alarm(limit)
        self._write({"t": "phase", "limit": self._timeout})

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: Any) -> Any:
        yield from self._under_alarm(self._timeout)

    def _under_alarm(self, limit: float) -> Any:
        # Inside pytest's phases only: raised between them, the exception would end the whole run.
        signal.signal(signal.SIGALRM, lambda _signum, _frame: _raise_timeout(limit))
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        outcome = yield
        report = outcome.get_result()
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
        self._current.update(self._explain(call.excinfo.value))
        if self._comparison and isinstance(call.excinfo.value, AssertionError):
            self._current["comparison"] = self._comparison

    @pytest.hookimpl(tryfirst=True)
    def pytest_assertrepr_compare(self, config: Any, op: str, left: Any, right: Any) -> None:
        self._comparison = [op, _short_repr(left), _short_repr(right)]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: Any, exitstatus: int) -> None:
        stopped = bool(session.shouldfail or session.shouldstop)
        for test in self._wanted or ():
            if "::" not in test and test in self._failed_files and not stopped:
                status = "failed" if self._failed_files[test] else "passed"
                self._write({"t": "result", "id": test, "status": status, "seconds": 0.0, "file": True})

    # Details -------------------------------------------------------------------------------------

    def _explain(self, error: BaseException) -> Dict[str, Any]:
        root_cause = error
        while type(error).__name__ == "CollectError" and root_cause.__cause__ is not None:
            root_cause = root_cause.__cause__
        frames: List[Frame] = []
        chain: Optional[BaseException] = error
        seen = set()
        while chain is not None and id(chain) not in seen:
            seen.add(id(chain))
            frames = self._frames(chain) + frames
            chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)
        # The exception in hand is what the test saw: its frames come last, as the innermost ones.
        return {
            "exception": type(root_cause).__name__,
            "message": _short_text(root_cause),
            "frames": frames[-FRAME_LIMIT:],
        }

    def _frames(self, error: BaseException) -> List[Frame]:
        frames: List[Frame] = []
        traceback = error.__traceback__
        while traceback is not None:
            code = traceback.tb_frame.f_code
            path = self._relative(code.co_filename)
            if path:
                frames.append((path, traceback.tb_lineno, code.co_name))
            traceback = traceback.tb_next
        if isinstance(error, SyntaxError) and error.filename:
            path = self._relative(error.filename)
            if path:
                frames.append((path, error.lineno or 1, "<module>"))
        return frames

    def _relative(self, path: str) -> Optional[str]:
        full = os.path.realpath(path)
        if path.startswith("<") or not full.startswith(self._root):
            return None
        return full[len(self._root) :].replace(os.sep, "/")

    def _write(self, event: Dict[str, Any]) -> None:
        if os.getpid() != self._pid:
            return  # a test forked and its copy of this plugin lives on: it has no say
        line = (self._token + json.dumps(event) + "\n").encode()
        view = memoryview(line)
        while view:
            view = view[os.write(self._fd, view) :]


def _raise_timeout(limit: float) -> None:
    raise TestTimeout("took longer than %g s" % limit)


def _short_text(error: BaseException) -> str:
    try:
        return str(error)[:TEXT_LIMIT]
    except Exception as problem:  # __str__ is the project's code and may raise anything
        return "<str() of the exception raised %s>" % type(problem).__name__


def _short_repr(value: Any) -> str:
    try:
        return repr(value)[:TEXT_LIMIT]
    except Exception as problem:  # __repr__ is the project's code and may raise anything
        return "<repr() raised %s>" % type(problem).__name__
