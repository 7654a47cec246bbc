"""Run pytest in a forked child and gather its verdicts; go on after a test that kills the process."""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

from .processes import Head, Tail, become_child, exit_code, supervise
from .pytest_child import ChildSettings, foreign_modules, import_all, load_plugins, run_pytest

WARM_TIMEOUT_S = 120
LINE_LIMIT_BYTES = 64 * 1024 * 1024
STATUSES = frozenset({"passed", "failed", "error", "skipped", "xfailed", "timeout"})


class PytestRun:
    """The tests of one project, run as often as asked.

    Nothing of the project is imported in this process, nor is its folder on the path here: a module of
    its own that is called like one of the standard library's must not end up in the supervisor.
    """

    def __init__(self, settings: ChildSettings, limits: Dict[str, int]) -> None:
        self.settings = settings
        self.limits = limits

    def preload(self) -> Dict[str, Any]:
        """Import pytest and its plugins here, so that each fork starts with them loaded.

        Returns pytest's version, or a ``problem``.
        """
        try:
            import pytest

            from . import reporter  # noqa: F401
        except ImportError as error:
            return {"problem": "cannot import pytest: %s" % error}
        load_plugins()
        gc.collect()
        gc.freeze()
        return {"pytest": pytest.__version__}

    def warm(self, modules: List[str], heartbeat: Callable[[], None]) -> bool:
        """Import here what each fork was seen to import from outside the project.

        It is tried in a fork first: where it leaves a second thread, which no later fork would copy,
        nothing is imported and False returned.
        """
        read_fd, write_fd = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                become_child(self.limits, keep=(write_fd,))
                import_all(modules)
                os.write(write_fd, b"%d" % len(os.listdir("/proc/self/task")))
            finally:
                os._exit(0)
        os.close(write_fd)
        threads = Head(16)
        deadline = time.monotonic() + WARM_TIMEOUT_S
        supervise(pid, {read_fd: threads.feed}, lambda: deadline, heartbeat)
        if threads.data != b"1":
            return False
        import_all(modules)
        gc.collect()
        gc.freeze()
        return True

    def run(self, order: Dict[str, Any], heartbeat: Callable[[], None]) -> Dict[str, Any]:
        """Run the tests that ``order`` names until each has a verdict; see ``server`` for its keys."""
        started = time.monotonic()
        wanted: Optional[List[str]] = order.get("tests")
        results: List[Dict[str, Any]] = []
        report: Dict[str, Any] = {}
        settled: List[str] = []
        for _restart in range(order.get("restarts", 20) + 1):
            attempt = _Attempt(self, order, tuple(settled), heartbeat)
            report = attempt.run()
            results += attempt.results
            if attempt.lost is None:
                break
            results.append(attempt.lost)
            settled = [result["id"] for result in results]
            if order.get("stop_at_first_failure"):
                break
            if wanted is not None and set(wanted) <= set(settled):
                break
        report["results"] = results
        report["seconds"] = time.monotonic() - started
        return report


class _Attempt:
    """One child process; ``lost`` is the verdict of the test that it died in, if it did."""

    def __init__(
        self, run: PytestRun, order: Dict[str, Any], skip: Tuple[str, ...], heartbeat: Callable[[], None]
    ) -> None:
        self._run, self._order, self._skip, self._heartbeat = run, order, skip, heartbeat
        self._token = os.urandom(16).hex()
        self._pending = b""
        self._running: Optional[str] = None
        self._end: Optional[Dict[str, Any]] = None
        self._collected: Optional[List[str]] = None
        self._test_timeout = float(order["timeout_s"])
        self._deadline = time.monotonic() + float(order["collect_timeout_s"])
        self._suite_end = time.monotonic() + float(order["suite_timeout_s"])
        self.results: List[Dict[str, Any]] = []
        self.lost: Optional[Dict[str, Any]] = None

    def run(self) -> Dict[str, Any]:
        report_read, report_write = os.pipe()
        output_read, output_write = os.pipe()
        output = Tail(int(self._order.get("output_limit", 20_000)))
        pid = os.fork()
        if pid == 0:
            self._child(report_write, output_write)
        os.close(report_write)
        os.close(output_write)
        status = supervise(
            pid,
            {report_read: self._on_report, output_read: output.feed},
            lambda: min(self._deadline, self._suite_end),
            self._heartbeat,
        )
        return self._conclude(exit_code(status), output)

    def _conclude(self, status: Optional[int], output: Tail) -> Dict[str, Any]:
        problem = ""
        ended = self._end is not None and status == self._end.get("exit")
        if not ended:
            problem = self._explain_end(status)
        elif self._collected is None and not self.results:
            problem = "pytest stopped before it collected tests (exit status %s)" % status
        report = {
            "exit_status": status,
            "complete": ended and not self._missing(),
            "problem": problem,
            "output": output.data.decode("utf-8", "replace"),
            "modules": (self._end or {}).get("modules", []),
        }
        return report

    def _explain_end(self, status: Optional[int]) -> str:
        how = "did not finish in time" if status is None else "ended with exit status %s" % status
        if self._running is None:
            stage = "collecting the tests" if self._collected is None else "running the tests"
            return "the test process %s while %s" % (how, stage)
        message = "the test process %s in this test" % how
        self.lost = {
            "id": self._running,
            "status": "timeout" if status is None else "crashed",
            "seconds": self._test_timeout if status is None else 0.0,
            "exception": "Timeout" if status is None else "Crash",
            "message": message,
        }
        if time.monotonic() >= self._suite_end:
            self.lost = None
            return "the suite did not finish within %g s" % float(self._order["suite_timeout_s"])
        return message + ": " + self._running

    def _missing(self) -> bool:
        seen = {result["id"] for result in self.results} | set(self._skip)
        expected = set(self._collected or ())
        return not expected <= seen

    def _on_report(self, chunk: bytes) -> None:
        *lines, rest = (self._pending + chunk).split(b"\n")
        self._pending = rest[:LINE_LIMIT_BYTES]
        token = self._token.encode()
        for line in lines:
            if line.startswith(token):
                try:
                    self._on_event(json.loads(line[len(token) :].decode()))
                except (ValueError, KeyError, TypeError, AttributeError):
                    pass  # not what the reporter writes: it has no say

    def _on_event(self, event: Dict[str, Any]) -> None:
        kind, limit = event.pop("t"), self._test_timeout
        if kind == "collected":
            self._collected = [test for test, _file in event["items"]]
            self._run.settings.files.update(dict(event["items"]))
        elif kind == "start":
            self._running = event["id"]
        elif kind == "phase":
            limit = float(event["limit"])
        elif kind == "result" and event["status"] in STATUSES:
            self._running = None
            self.results.append(event)
            if event.get("path"):
                self._run.settings.files[event["id"]] = event["path"]
        elif kind == "end":
            self._end = event
        # Two seconds and a half more than the alarm inside, which gives a better report.
        self._deadline = time.monotonic() + 2.0 + 1.5 * limit

    def _child(self, report_fd: int, output_fd: int) -> None:
        """In the fork: run pytest, report, and leave without the parent's clean-up. Never returns."""
        status = 70
        try:
            os.dup2(output_fd, 1)
            os.dup2(output_fd, 2)
            become_child(self._run.limits, keep=(report_fd,))
            before = set(sys.modules)
            settings = self._run.settings
            status = run_pytest(settings, self._order, self._skip, report_fd, self._token)
            end = {"t": "end", "exit": status, "modules": foreign_modules(before, settings.root)}
            os.write(report_fd, (self._token + json.dumps(end) + "\n").encode())
        except BaseException as error:  # whatever happened, this process must not go on
            os.write(2, ("regreen: the test process failed: %r\n" % error).encode("utf-8", "replace"))
        finally:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(status)
