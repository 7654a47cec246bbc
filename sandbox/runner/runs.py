"""Decides how to run the tests that were ordered: in a fork of what is loaded, and if need be from cold.

Cheapest first: a quick verdict from a fork of the loaded project (``quick``); a whole run in a fork of
pytest's zygote; one in a fork that has nothing loaded. The report's ``notes`` name each step down.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any, Callable, Dict, List, Optional

from . import attempt, probing, suspects
from .limits import collecting
from .quick import Essence, QuickRuns, essence
from .started import Started
from .workspace import Workspace
from .zygote import Zygote, ZygoteLost

Order = Dict[str, Any]
Report = Dict[str, Any]
Beat = Callable[[], None]
SETTLED = (0, 1, 5)  # pytest's exit statuses after a run that came to its end
LOST = ("crashed", "timeout")
VOUCHED = 3  # tests of one candidate's that are tried without it: one is enough to stop the importing


class TestRuns:
    """The tests of one project, run as often as asked."""

    __test__ = False

    def __init__(self, zygotes: Started, workspace: Workspace) -> None:
        self._workspace, self._zygotes = workspace, zygotes
        self._cold = ""  # why nothing may be preloaded
        self._files: Dict[str, str] = {}  # where tests were collected from
        self._known: Dict[str, Essence] = {}  # how they end on the unchanged project
        self._notes: List[str] = []
        self._compared = False
        self._warm: Optional[bool] = None  # whether foreign modules are imported ahead; None: not yet
        self._vouched: "set[str]" = set()  # tests that pass with these, or fail without them as well
        self._changed: "set[str]" = set()  # what the unchanged project does to pytest and such
        self._is_changed_known = False  # once a run of it has come to its end
        self._changes: Dict[str, bytes] = {}
        self._collecting_s = 0.0  # what importing the unchanged project took at most; 0: not known
        self._quick_runs = QuickRuns(
            self._zygotes.start,
            workspace,
            self._known,
            self._files,
            self._notes.append,
            lambda: self._collecting_s,
        )

    def prepare(self, heartbeat: Beat) -> Dict[str, Any]:
        """Load pytest; its version, or a ``problem``."""
        try:
            ready = self._zygotes.load_pytest(heartbeat)
        except ZygoteLost as error:
            return {"problem": "pytest cannot be loaded: %s" % error}
        if ready.get("threads", 1) != 1:
            self._go_cold("a plugin of pytest starts threads when it is loaded")
        elif ready.get("own"):
            self._go_cold("pytest consists of the project's own code: " + ", ".join(ready["own"]))
        return ready

    def run(self, order: Order, changes: Dict[str, bytes], heartbeat: Beat) -> Report:
        """Run what ``order`` names with ``changes`` laid over the project, until each has a verdict."""
        ends = time.monotonic() + float(order["suite_timeout_s"])
        order = dict(order, changes=sorted(changes), ends=ends, root=self._workspace.root)
        if changes:
            order["collect_timeout_s"] = collecting(order, self._collecting_s)
        report = self._quick(order, changes, heartbeat) if order.get("quick") else None
        if report is None:
            report = self._whole(order, changes, heartbeat)
            reason = self._cold or (self._quick_runs.reason if order.get("quick") else "")
            report.update(means="cold" if self._cold else "whole", reason=reason)
        self._check_changed(order, report, heartbeat)
        report["notes"] = self._notes[:]
        self._notes.clear()
        return report

    def tidy(self) -> None:
        """Do what a report need not wait for."""
        self._quick_runs.tidy()
        self._zygotes.tidy()

    def probe(self, order: Order, heartbeat: Beat) -> Report:
        """Compare versions of some functions; see ``probing``. The first one lies in the workspace."""

        def start(order: Order) -> Zygote:
            if not self._cold and not self._zygotes.pytest():
                self.prepare(heartbeat)
            return (self._zygotes.pytest() or self._zygotes.empty(heartbeat)).start(order)

        try:
            return probing.run(self._with_files(order), start, heartbeat)
        except ZygoteLost as error:
            return probing.lost(str(error))

    def close(self) -> None:
        """End the zygotes."""
        self._quick_runs.close()
        self._zygotes.close()

    def _check_changed(self, order: Order, report: Report, heartbeat: Beat) -> None:
        """Distrust a candidate's run that changed what tests are made of, where the project does not."""
        changed = set(report.pop("changed", ()))
        if not order["changes"] or not changed:
            return
        if not self._is_changed_known:
            # How the tests end is known: those that hang are not waited for.
            plain = dict(order, changes=[], stop_at_first_failure=False, trace=False)
            plain.update(timeouts_s={}, adaptive=True, hangs=1, confirm=False)
            report = self._whole(plain, {}, heartbeat)
            if not self._is_changed_known:  # the last test took its process with it
                ended = [one["id"] for one in report["results"] if one["status"] not in LOST]
                self._whole(dict(plain, tests=ended), {}, heartbeat)
                self._is_changed_known = True
        strange = sorted(changed - self._changed)
        if strange:
            attempt.distrust(report, "the run cannot be trusted: it changed " + ", ".join(strange[:5]))

    # Whole runs ----------------------------------------------------------------------------------

    def _whole(self, order: Order, changes: Dict[str, bytes], heartbeat: Beat) -> Report:
        report = self._laid(order, changes, heartbeat)
        if changes and self._warm and self._misled(order, report, heartbeat):
            self._warm = False
            self.close()
            report = self._laid(order, changes, heartbeat)
        return report

    def _misled(self, order: Order, report: Report, heartbeat: Beat) -> bool:
        """Whether a test fails on the unchanged project too, and only because modules were imported ahead."""
        not_passed = [one["id"] for one in report["results"] if one["status"] != "passed"]
        tests = [test for test in not_passed if self._known.get(test, ("",))[0] == "passed"]
        tests = [test for test in tests if test not in self._vouched][:VOUCHED]
        if not tests:
            return False
        plain = dict(order, tests=tests, changes=[], stop_at_first_failure=False, trace=False, quick=False)
        self._vouched.update(tests)
        failing = suspects.not_passed(tests, self._forked(self._with_files(plain), heartbeat))
        if not failing:
            return False
        cold = self._run_cold(self._with_files(dict(plain, tests=failing)), heartbeat)
        misled = [test for test in failing if test not in suspects.not_passed(failing, cold)]
        if misled:
            self._notes.append("no module is imported ahead, which is slower: %s fails then" % misled[0])
        return bool(misled)

    def _laid(self, order: Order, changes: Dict[str, bytes], heartbeat: Beat) -> Report:
        """A whole run with ``changes`` laid over the project."""
        self.tidy()
        self._workspace.inspect()
        self._changes = changes
        self._workspace.lay(changes)
        try:
            forked = partial(self._forked, self._with_files(order), heartbeat)
            ahead = order.get("ahead") and not self._cold
            report = self._quick_runs.beside(forked, order, heartbeat) if ahead else forked()
            if not changes and not self._compared and order.get("confirm", True):
                report = self._confirmed(order, report, heartbeat)
        finally:
            self._workspace.restore()
        files = report.pop("files", {})
        # A candidate has no say in where the tests lie that are known.
        self._files.update({test: at for test, at in files.items() if not (changes and test in self._files)})
        if not changes:
            self._changed.update(report.get("changed", ()))
            self._is_changed_known |= not report["problem"]
            self._collecting_s = max(self._collecting_s, report["collecting_s"])
            for result in report["results"]:
                self._known.setdefault(result["id"], essence(result))
        return report

    def _forked(self, order: Order, heartbeat: Beat) -> Report:
        if self._cold:
            return self._run_cold(order, heartbeat)

        def start(order: Order) -> Zygote:
            self._renew(order)
            ready = {} if self._zygotes.pytest() else self.prepare(heartbeat)
            zygote = self._zygotes.pytest()
            if "problem" in ready or zygote is None:
                raise ZygoteLost(ready.get("problem", "it ended"))
            return zygote.start(order)

        try:
            report = attempt.run(order, start, heartbeat)
            modules = report.pop("modules", None)
            # A candidate's list is not to be believed: it could name what does harm when it is imported.
            believed = modules and not order["changes"] and self._warm is not False
            zygote = self._zygotes.pytest() if believed else None
            if zygote is not None:
                zygote.ask({"op": "warm", "modules": modules}, heartbeat)
                self._warm = True
        except ZygoteLost as error:
            self._go_cold("pytest cannot be kept loaded: %s" % error)
            return self._run_cold(order, heartbeat)
        return report

    def _renew(self, order: Order) -> None:
        """Before the run goes on after a test that ended it: nothing of what that did to the files stays."""
        if order["skip"]:
            self._quick_runs.ahead.drop()
            self._workspace.restore()
            self._workspace.inspect()
            self._workspace.lay(self._changes)

    def _confirmed(self, order: Order, report: Report, heartbeat: Beat) -> Report:
        """Where a preloaded run met a crash or a hang: is it the preloading, or slowness? Asked once."""
        found = suspects.of(order, report)
        if not found and (report["cut"] or report["exit_status"] in SETTLED):
            return report
        left = order["ends"] - time.monotonic()
        if not found and report["seconds"] > left:
            return report  # the whole again would not end in time
        self._compared = True
        tests = suspects.one_of_each_kind(found) or order.get("tests")
        cold = self._run_cold(self._with_files(suspects.trial(order, report, tests, left)), heartbeat)
        verdicts = {result["id"]: result for result in cold["results"]}
        if found and (cold["cut"] or not verdicts):
            return report  # there was no time for it
        confirmed, slow = suspects.sorted_out(found, verdicts)
        if slow:
            report = suspects.with_verdicts(report, cold["results"])
            again = [result for result in found if result["id"] not in {*confirmed, *verdicts}]
            if again:
                order = dict(order, tests=[one["id"] for one in again], slowest_s=max(slow))
                more = self._forked(self._with_files(order), heartbeat)
                report = suspects.with_verdicts(report, more["results"])
        elif not confirmed and not self._cold and attempt.settled(cold):
            if report["seconds"] < order["ends"] - time.monotonic() and not report["cut"]:
                self._go_cold("the tests crash or hang in a fork of a process that has their modules loaded")
                slowest = max((float(result.get("seconds", 0.0)) for result in cold["results"]), default=0.0)
                return self._run_cold(self._with_files(dict(order, slowest_s=slowest)), heartbeat)
            report = suspects.with_verdicts(report, cold["results"])
        return dict(report, confirmed=confirmed)

    def _run_cold(self, order: Order, heartbeat: Beat) -> Report:
        """Run in a fork of a process that has nothing loaded."""

        def start(order: Order) -> Zygote:
            self._renew(order)
            return self._zygotes.empty(heartbeat).start(order)

        try:
            return attempt.run(order, start, heartbeat)
        except ZygoteLost as error:
            return attempt.nothing(problem=attempt.LOST % error)

    def _go_cold(self, reason: str) -> None:
        self.close()
        self._cold = reason
        self._notes.append("each run starts from an empty process, which is slower: " + reason)

    def _with_files(self, order: Order) -> Order:
        """``order`` with the files that hold its tests: those are what has to be collected."""
        if order.get("tests") is None:
            return order
        files = [self._files.get(test, test.split("::")[0]) for test in order["tests"]]
        return dict(order, files=list(dict.fromkeys(files)))

    def _quick(self, order: Order, changes: Dict[str, bytes], heartbeat: Beat) -> Optional[Report]:
        if self._cold or not order.get("tests"):
            return None
        missing = [test for test in order["tests"] if test not in self._known]
        if missing:
            plain = dict(order, tests=missing, changes=[], stop_at_first_failure=False)
            self._whole(dict(plain, quick=False, trace=False), {}, heartbeat)
        report = self._quick_runs.run(order, changes, heartbeat)
        odd = [test for test in order["tests"] if test in self._quick_runs.odd]
        rest = [test for test in order["tests"] if test not in odd]
        if report is None and odd and rest and changes and not order.get("trace"):
            report = self._quick_runs.run(dict(order, tests=rest), changes, heartbeat)
            if report is not None and not (
                order.get("stop_at_first_failure") and suspects.not_passed(rest, report)
            ):
                report = attempt.joined(report, self._whole(dict(order, tests=odd), changes, heartbeat))
        return report
