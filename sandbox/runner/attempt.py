"""One test process as the supervisor sees it: read its verdicts as they come, believe what is sound."""

from __future__ import annotations

import os
import time
from functools import partial
from typing import Any, Callable, Dict, List, Optional, Set

from .called import MAX_LINE, CallRecord
from .kept import Tail
from .limits import learned
from .processes import UNDER_WAY, exit_code, supervise
from .sequence import Sequence
from .stack import Stack
from .wire import MALFORMED, WireReader

OUTPUT_LIMIT_BYTES = 20_000
RESTARTS = 20
QUICK_GRACE_S = 0.5
STATUSES = frozenset({"passed", "failed", "error", "skipped", "xfailed", "timeout"})
FAILING = frozenset({"failed", "error", "timeout", "crashed"})
LONGEST_S = 1e6  # of what a test may say that it took: eleven days
EXTRA = ("changed", "means", "modules", "shared", "unfit")
LOST = "a test ended or stopped the process that watches it: %s"
UNTRUSTED = "the run cannot be trusted: a control test that must fail %s"

# Starts a test process for an order; the result is a child for ``supervise`` with ``report_fd`` and
# ``output_fd``.
Start = Callable[[Dict[str, Any]], Any]
Later = Callable[[Callable[[], Any]], Any]


def run(
    order: Dict[str, Any], start: Start, heartbeat: Callable[[], None], later: Optional[Later] = None
) -> Dict[str, Any]:
    """Run the tests that ``order`` names until each has a verdict; see ``server`` for its keys.

    After a test that ended the process, the others go on in a new one. Where nothing passed, the process's
    end proves nothing either: ``later``, if there is one, is then given what has to be called to wait for it.
    """
    started = time.monotonic()
    suite_end = float(order.get("ends", started + float(order["suite_timeout_s"])))
    wanted: Optional[List[str]] = order.get("tests")
    results: List[Dict[str, Any]] = []
    files: Dict[str, str] = {}
    report: Dict[str, Any] = {}
    settled: List[str] = []
    changed: Set[str] = set()
    collected, collecting_s, is_cut, calls = 0, 0.0, False, CallRecord()
    for _restart in range(order.get("restarts", RESTARTS) + 1):
        calls.new_process()
        attempt = _Attempt(dict(order, **learned(results)) if settled else order, settled, suite_end, calls)
        report = attempt.run(start, heartbeat, later)
        changed.update(attempt.changed)
        files.update(attempt.files)
        collected = collected or attempt.collected
        collecting_s = max(collecting_s, attempt.collecting_s)
        is_cut = attempt.is_cut
        if attempt.lost is not None and order.get("changes") and not order.get("stop_at_first_failure"):
            # What passed before a candidate ended the process has no control test to speak for it.
            attempt.results = [result for result in attempt.results if result["status"] != "passed"]
        results += attempt.results
        if attempt.lost is None:
            break
        results.append(attempt.lost)
        settled = [result["id"] for result in results]
        if order.get("stop_at_first_failure") or (wanted is not None and set(wanted) <= set(settled)):
            break
    report.update(results=results, files=files, changed=sorted(changed), collected=collected, cut=is_cut)
    report["collecting_s"] = collecting_s
    if order.get("calls"):
        report["calls"] = calls.report()
    if order.get("changes") and not attempt.trusted:
        distrust(report, report["problem"] or UNTRUSTED % "was not run")
    report["seconds"] = time.monotonic() - started
    return report


def nothing(
    *, complete: bool = False, exit_status: Optional[int] = None, problem: str = ""
) -> Dict[str, Any]:
    """The report where no test ran."""
    report: Dict[str, Any] = {"results": [], "output": "", "seconds": 0.0, "collecting_s": 0.0}
    return dict(report, complete=complete, exit_status=exit_status, problem=problem, collected=0, cut=False)


def settled(report: Dict[str, Any]) -> bool:
    """Whether every test ended by itself."""
    ends = {result["status"] for result in report["results"]}
    return report["complete"] and not ends & {"crashed", "timeout"}


def joined(first: Dict[str, Any], second: Dict[str, Any]) -> Dict[str, Any]:
    """The report of two runs on parts of the tests, in the way of the ``first``."""
    return dict(
        first,
        results=first["results"] + second["results"],
        complete=first["complete"] and second["complete"],
        exit_status=first["exit_status"] or second["exit_status"],
        problem=first["problem"] or second["problem"],
        output=first["output"] + second["output"],
        seconds=first["seconds"] + second["seconds"],
        changed=sorted({*first.get("changed", ()), *second.get("changed", ())}),
        cut=first["cut"] or second["cut"],
        collected=first["collected"] + second["collected"],
        reason="%d of the tests in a whole run" % len(second["results"]),
    )


def distrust(report: Dict[str, Any], reason: str) -> None:
    """Let nothing in ``report`` count as passed."""
    report.update(complete=False, problem=reason)
    for result in report["results"]:
        if result["status"] == "passed":
            result.update(status="error", exception="Untrusted", message=reason)


class _Attempt:
    """One child process; ``lost`` is the verdict of the test that it died in, if it did."""

    def __init__(self, order: Dict[str, Any], skip: List[str], suite_end: float, calls: CallRecord) -> None:
        self._calls = calls
        self._order, self._skip, self._suite_end = order, skip, suite_end
        self._token = os.urandom(16).hex()
        self._stack = Stack()
        self._reading = WireReader(self._token, self._stack.feed)
        # A quick run announces no first test and collects nothing: that was done when the project was loaded.
        self._running: Optional[str] = order["tests"][0] if order.get("quick") else None
        self._end: Optional[Dict[str, Any]] = None
        self._control: Optional[Dict[str, Any]] = None
        self._collected: Optional[List[str]] = order["tests"] if order.get("quick") else None
        self._sequence = Sequence(self._collected)
        self._test_timeout, self._grace = float(order["timeout_s"]), float(order["grace_s"])
        self._limit = self._test_timeout  # of the phase in hand
        self._deadline = time.monotonic() + float(order["collect_timeout_s"])
        self.results: List[Dict[str, Any]] = []
        self.files: Dict[str, str] = {}
        self.lost: Optional[Dict[str, Any]] = None
        self.is_cut = False  # the time for all of it was over
        self.changed: List[str] = []
        self.trusted = False
        self._started, self.collecting_s = time.monotonic(), 0.0

    def run(self, start: Start, heartbeat: Callable[[], None], later: Optional[Later]) -> Dict[str, Any]:
        output = Tail(int(self._order.get("output_limit", OUTPUT_LIMIT_BYTES)))
        child = start(dict(self._order, op="tests", token=self._token, skip=self._skip))
        watch = partial(
            supervise,
            child,
            {child.report_fd: self._on_report, child.output_fd: output.feed},
            lambda: min(self._deadline, self._suite_end),
        )
        if later is None:
            return self._conclude(exit_code(watch(heartbeat)), output)
        status = watch(heartbeat, self._is_failing)
        if status != UNDER_WAY:
            return self._conclude(exit_code(status), output)
        # The host may speak meanwhile, so nothing says that this process lives.
        later(partial(watch, lambda: None))
        return self._conclude(1, output)

    @property
    def collected(self) -> int:
        """How many tests were chosen; 0 where that is not known."""
        return len(self._collected or ()) + len(self._skip)

    def _is_failing(self) -> bool:
        """Whether the process said that it ends, and that nothing passed."""
        return (
            self._end is not None
            and self._end.get("exit") == 1
            and bool(self.results)
            and all(result["status"] in FAILING for result in self.results)
        )

    def _conclude(self, status: Optional[int], output: Tail) -> Dict[str, Any]:
        problem = ""
        ended = self._end is not None and status == self._end.get("exit")
        if not ended:
            problem = self._explain_end(status)
        elif self._collected is None and not self.results:
            problem = "pytest stopped before it collected tests (exit status %s)" % status
        elif any(result["status"] == "passed" for result in self.results):
            problem = self._distrust()
        self.trusted = ended and not problem
        extra = (self._end or {}).get("extra")
        report = {key: extra[key] for key in EXTRA if key in extra} if isinstance(extra, dict) else {}
        changed = report.pop("changed", ())
        self.changed += map(str, changed if isinstance(changed, list) else ["?"] if changed else [])
        self.changed += ["the order of reports (%s)" % violation for violation in self._sequence.violations]
        report.update(
            exit_status=status,
            complete=ended and not self._missing() and not problem.startswith(UNTRUSTED[:20]),
            problem=problem,
            output=output.data.decode("utf-8", "replace"),
        )
        return report

    def _distrust(self) -> str:
        """Why what passed is not believed; empty when the control tests did fail."""
        if self._control is None:
            return UNTRUSTED % "was not run"
        blunted = self._control["blunted"]
        return UNTRUSTED % ("passed (%s)" % ", ".join(map(str, blunted))) if blunted else ""

    def _explain_end(self, status: Optional[int]) -> str:
        if status is None and time.monotonic() >= self._suite_end:
            self.is_cut = True
            return "the suite did not finish within %g s" % float(self._order["suite_timeout_s"])
        how = "did not finish in time" if status is None else "ended with exit status %s" % status
        if self._running is None:
            stage = "collecting the tests" if self._collected is None else "running the tests"
            return "the test process %s while %s" % (how, stage)
        message = "the test process %s in this test" % how
        self.lost = {
            "id": self._running,
            "status": "timeout" if status is None else "crashed",
            "seconds": self._limit if status is None else 0.0,
            "exception": "Timeout" if status is None else "Crash",
            "message": message,
        }
        if status is None and self._order.get("root"):
            self.lost["frames"] = self._stack.frames(self._order["root"])
        return message + ": " + self._running

    def _missing(self) -> bool:
        seen = {result["id"] for result in self.results} | set(self._skip)
        return not set(self._collected or ()) <= seen

    def _on_report(self, chunk: bytes) -> None:
        for event in self._reading.feed(chunk):
            try:
                self._on_event(event)
            except MALFORMED:
                pass  # not what the reporter writes: it has no say

    def _on_event(self, event: Dict[str, Any]) -> None:
        kind, limit = event.pop("t"), self._limit
        self._sequence.see(kind, event)
        if kind == "collected":
            items = [(str(test), str(file)) for test, file in event["items"]]
            self._collected = [test for test, _file in items]
            self.collecting_s = time.monotonic() - self._started
            self._calls.see("", event)
            self.files.update(items)
        elif kind == "start":
            self._running = str(event["id"])
            limit = self._allowed(event.get("limit", limit))
        elif kind == "phase":
            limit = self._allowed(event["limit"])
        elif kind == "result" and event["status"] in STATUSES and is_sound(event):
            self._running = None
            self.results.append(event)
            if isinstance(event.get("path"), str):
                self.files[event["id"]] = event["path"]
            self._calls.see(event["id"], event)
        elif kind == "control":
            self.changed = list(map(str, event.get("changed", ())))
            self._control = {"blunted": list(event["blunted"])}
        elif kind == "end":
            self._end = event
        # Later than the alarm inside, which gives a better report.
        self._deadline = time.monotonic() + self._patience(limit) + 1.5 * limit

    def _allowed(self, limit: Any) -> float:
        """``limit`` as that of the phase in hand, if it is one."""
        if not _is_time(limit):
            raise ValueError("not a time")
        self._limit = limit
        return float(limit)

    def _patience(self, limit: float) -> float:
        """How long the process may take to hear that a test's time is over; a short test is given less."""
        return min(self._grace, QUICK_GRACE_S + 4 * limit) if self._order.get("quick") else self._grace


def is_sound(result: Dict[str, Any]) -> bool:
    """Whether a result has the shape that the host expects; TypeError or ValueError where it has not."""
    for path, line, function in result.get("frames", ()):
        if not (isinstance(path, str) and _is_line(line) and isinstance(function, str)):
            return False
    for lines in result.get("lines", {}).values():
        if not all(map(_is_line, lines)):
            return False
    comparison = result.get("comparison")
    if comparison and not (isinstance(comparison, list) and len(comparison) == 3):
        return False
    texts = [result["id"], result.get("exception", ""), result.get("message", ""), *(comparison or ())]
    return _is_time(result.get("seconds", 0.0)) and all(isinstance(text, str) for text in texts)


def _is_line(line: Any) -> bool:
    return type(line) is int and 0 <= line <= MAX_LINE


def _is_time(seconds: Any) -> bool:
    return (
        isinstance(seconds, (int, float)) and 0 <= seconds <= LONGEST_S
    )  # which is false of what is no number
