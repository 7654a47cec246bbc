"""One test process as the supervisor sees it: read its verdicts as they come, believe what is sound."""

from __future__ import annotations

import os
import time
from typing import Any, Callable, Dict, List, Optional

from .processes import Tail, exit_code, supervise
from .wire import Reading

OUTPUT_LIMIT_BYTES = 20_000
RESTARTS = 20
STATUSES = frozenset({"passed", "failed", "error", "skipped", "xfailed", "timeout"})
RED = frozenset({"failed", "error", "timeout", "crashed"})
UNTRUSTED = "the run cannot be trusted: a control test that must fail %s"

# Starts a test process for an order; the result is a child for ``supervise`` with ``report_fd`` and
# ``output_fd``.
Start = Callable[[Dict[str, Any]], Any]


def run(order: Dict[str, Any], start: Start, heartbeat: Callable[[], None]) -> Dict[str, Any]:
    """Run the tests that ``order`` names until each has a verdict; see ``server`` for its keys.

    After a test that ended the process, the others go on in a new one.
    """
    started = time.monotonic()
    suite_end = started + float(order["suite_timeout_s"])
    wanted: Optional[List[str]] = order.get("tests")
    results: List[Dict[str, Any]] = []
    files: Dict[str, str] = {}
    report: Dict[str, Any] = {}
    settled: List[str] = []
    for _restart in range(order.get("restarts", RESTARTS) + 1):
        attempt = _Attempt(order, settled, suite_end)
        report = attempt.run(start, heartbeat)
        results += attempt.results
        files.update(attempt.files)
        if attempt.lost is None:
            break
        results.append(attempt.lost)
        settled = [result["id"] for result in results]
        if order.get("stop_at_first_failure") or (wanted is not None and set(wanted) <= set(settled)):
            break
    report["results"] = results
    report["files"] = files
    report["seconds"] = time.monotonic() - started
    return report


class _Attempt:
    """One child process; ``lost`` is the verdict of the test that it died in, if it did."""

    def __init__(self, order: Dict[str, Any], skip: List[str], suite_end: float) -> None:
        self._order, self._skip, self._suite_end = order, skip, suite_end
        self._token = os.urandom(16).hex()
        self._reading = Reading(self._token)
        # A quick run announces no first test and collects nothing: that was done when the project was loaded.
        self._running: Optional[str] = order["tests"][0] if order.get("quick") else None
        self._end: Optional[Dict[str, Any]] = None
        self._control: Optional[Dict[str, Any]] = None
        self._collected: Optional[List[str]] = order["tests"] if order.get("quick") else None
        self._test_timeout = float(order["timeout_s"])
        self._deadline = time.monotonic() + float(order["collect_timeout_s"])
        self.results: List[Dict[str, Any]] = []
        self.files: Dict[str, str] = {}
        self.lost: Optional[Dict[str, Any]] = None

    def run(self, start: Start, heartbeat: Callable[[], None]) -> Dict[str, Any]:
        output = Tail(int(self._order.get("output_limit", OUTPUT_LIMIT_BYTES)))
        child = start(dict(self._order, op="tests", token=self._token, skip=self._skip))
        status = supervise(
            child,
            {child.report_fd: self._on_report, child.output_fd: output.feed},
            lambda: min(self._deadline, self._suite_end),
            heartbeat,
        )
        return self._conclude(exit_code(status), output)

    def _conclude(self, status: Optional[int], output: Tail) -> Dict[str, Any]:
        problem = ""
        ended = self._end is not None and status == self._end.get("exit")
        if not ended:
            problem = self._explain_end(status)
        elif self._collected is None and not self.results:
            problem = "pytest stopped before it collected tests (exit status %s)" % status
        elif self.results and not any(result["status"] in RED for result in self.results):
            problem = self._distrust()
        report = dict((self._end or {}).get("extra", {}))
        report.update(
            exit_status=status,
            complete=ended and not self._missing() and not problem.startswith(UNTRUSTED[:20]),
            problem=problem,
            output=output.data.decode("utf-8", "replace"),
        )
        return report

    def _distrust(self) -> str:
        """Why a run without a failure is not believed; empty when its control tests did fail."""
        if self._control is None:
            return UNTRUSTED % "was not run"
        blunted = self._control.get("blunted", ["?"])
        return UNTRUSTED % ("passed (%s)" % ", ".join(map(str, blunted))) if blunted else ""

    def _explain_end(self, status: Optional[int]) -> str:
        how = "did not finish in time" if status is None else "ended with exit status %s" % status
        if self._running is None:
            stage = "collecting the tests" if self._collected is None else "running the tests"
            return "the test process %s while %s" % (how, stage)
        message = "the test process %s in this test" % how
        if time.monotonic() >= self._suite_end:
            return "the suite did not finish within %g s" % float(self._order["suite_timeout_s"])
        self.lost = {
            "id": self._running,
            "status": "timeout" if status is None else "crashed",
            "seconds": self._test_timeout if status is None else 0.0,
            "exception": "Timeout" if status is None else "Crash",
            "message": message,
        }
        return message + ": " + self._running

    def _missing(self) -> bool:
        seen = {result["id"] for result in self.results} | set(self._skip)
        return not set(self._collected or ()) <= seen

    def _on_report(self, chunk: bytes) -> None:
        for event in self._reading.feed(chunk):
            try:
                self._on_event(event)
            except (ValueError, KeyError, TypeError, AttributeError):
                pass  # not what the reporter writes: it has no say

    def _on_event(self, event: Dict[str, Any]) -> None:
        kind, limit = event.pop("t"), self._test_timeout
        if kind == "collected":
            self._collected = [test for test, _file in event["items"]]
            self.files.update(dict(event["items"]))
        elif kind == "start":
            self._running = event["id"]
        elif kind == "phase":
            limit = float(event["limit"])
        elif kind == "result" and event["status"] in STATUSES:
            self._running = None
            self.results.append(event)
            if event.get("path"):
                self.files[event["id"]] = event["path"]
        elif kind == "control":
            self._control = event
        elif kind == "end":
            self._end = event
        # Two seconds and a half more than the alarm inside, which gives a better report.
        self._deadline = time.monotonic() + 2.0 + 1.5 * limit
