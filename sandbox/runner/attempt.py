"""One test process: fork it, read its verdicts as they come, end it; and go on after one that died.

This runs in whatever forks the test process: a zygote, or the supervisor itself for a cold start.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

from .processes import Tail, become_child, exit_code, supervise
from .wire import Reading, Wire

OUTPUT_LIMIT_BYTES = 20_000
RESTARTS = 20
STATUSES = frozenset({"passed", "failed", "error", "skipped", "xfailed", "timeout"})
RED = frozenset({"failed", "error", "timeout", "crashed"})
UNTRUSTED = "the run cannot be trusted: a control test that must fail %s"

# What the child does: given its wire and the tests to leave out, it returns pytest's exit status and the
# keys to add to the report.
Body = Callable[[Wire, Tuple[str, ...]], Tuple[int, Dict[str, Any]]]


def run(
    order: Dict[str, Any], body: Body, limits: Dict[str, int], heartbeat: Callable[[], None]
) -> Dict[str, Any]:
    """Run the tests that ``order`` names until each has a verdict; see ``server`` for its keys."""
    started = time.monotonic()
    suite_end = started + float(order["suite_timeout_s"])
    wanted: Optional[List[str]] = order.get("tests")
    results: List[Dict[str, Any]] = []
    files: Dict[str, str] = {}
    report: Dict[str, Any] = {}
    settled: List[str] = []
    for _restart in range(order.get("restarts", RESTARTS) + 1):
        attempt = _Attempt(order, tuple(settled), suite_end)
        report = attempt.run(body, limits, heartbeat)
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

    def __init__(self, order: Dict[str, Any], skip: Tuple[str, ...], suite_end: float) -> None:
        self._order, self._skip, self._suite_end = order, skip, suite_end
        self._token = os.urandom(16).hex()
        self._reading = Reading(self._token)
        self._running: Optional[str] = None
        self._end: Optional[Dict[str, Any]] = None
        self._control: Optional[Dict[str, Any]] = None
        self._collected: Optional[List[str]] = None
        self._test_timeout = float(order["timeout_s"])
        self._deadline = time.monotonic() + float(order["collect_timeout_s"])
        self.results: List[Dict[str, Any]] = []
        self.files: Dict[str, str] = {}
        self.lost: Optional[Dict[str, Any]] = None

    def run(self, body: Body, limits: Dict[str, int], heartbeat: Callable[[], None]) -> Dict[str, Any]:
        report_read, report_write = os.pipe()
        output_read, output_write = os.pipe()
        output = Tail(int(self._order.get("output_limit", OUTPUT_LIMIT_BYTES)))
        pid = os.fork()
        if pid == 0:
            self._child(body, limits, report_write, output_write)
        os.close(report_write)
        os.close(output_write)
        status = supervise(
            pid,
            {report_read: self._on_report, output_read: output.feed},
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

    def _child(self, body: Body, limits: Dict[str, int], report_fd: int, output_fd: int) -> None:
        """In the fork: do the work, report, and leave without the parent's clean-up. Never returns."""
        status = 70
        try:
            os.dup2(output_fd, 1)
            os.dup2(output_fd, 2)
            become_child(limits, keep=(report_fd,))
            wire = Wire(report_fd, self._token)
            status, extra = body(wire, self._skip)
            wire.send({"t": "end", "exit": status, "extra": extra})
        except BaseException as error:  # whatever happened, this process must not go on
            os.write(2, ("regreen: the test process failed: %r\n" % error).encode("utf-8", "replace"))
        finally:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(status)
