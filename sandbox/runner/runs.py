"""Decides how to run the tests that were ordered: in a fork of what is loaded, and if need be from cold.

Cheapest first: a fork of the project's zygote with the candidate swapped in (``quick`` orders only); a
whole run of pytest in a fork of pytest's zygote; a whole run in a fork of one that has nothing loaded. A
quick verdict is given only on tests that were found to end on the unchanged project as they do in whole
runs. Each step down is told in the report's ``notes``.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from . import attempt
from .workspace import Workspace
from .zygote import Zygote, ZygoteLost

Order = Dict[str, Any]
Report = Dict[str, Any]
Beat = Callable[[], None]
QUICK_FILES = 8
QUICK_RESTARTS = 8
LOST = "a test ended or stopped the process that watches it"


class TestRuns:
    """The tests of one project, run as often as asked."""

    __test__ = False

    def __init__(self, parcel: Dict[str, Any], settings: Dict[str, Any], workspace: Workspace) -> None:
        self._parcel, self._settings, self._workspace = parcel, settings, workspace
        self._zygote: Optional[Zygote] = None
        self._empty: Optional[Zygote] = None
        self._project: Optional[Zygote] = None
        self._cold = ""  # why nothing may be preloaded
        self._slow = ""  # why no verdict is quick
        self._files: Dict[str, str] = {}
        self._known: Dict[str, Tuple[str, str]] = {}  # verdicts on the unchanged project
        self._tried: "set[str]" = set()
        self._unlike: "set[str]" = set()  # tests that end otherwise when they are run the quick way
        self._quick_files: "set[str]" = set()
        self._remembered: "set[str]" = set()
        self._starts = 0
        self._notes: List[str] = []
        self._compared = False

    def prepare(self, heartbeat: Beat) -> Dict[str, Any]:
        """Load pytest; its version, or a ``problem``."""
        self.close()
        try:
            self._zygote = Zygote(self._parcel, "pytest_zygote", self._settings)
            ready = self._zygote.receive(heartbeat)
        except ZygoteLost as error:
            return {"problem": "pytest cannot be loaded: %s" % error}
        if ready.get("threads", 1) != 1:
            self._go_cold("a plugin of pytest starts threads when it is loaded")
        return ready

    def run(self, order: Order, changes: Dict[str, bytes], heartbeat: Beat) -> Report:
        """Run what ``order`` names with ``changes`` laid over the project, until each has a verdict."""
        order = dict(order, changes=sorted(changes))
        report = self._quick(order, changes, heartbeat) if order.get("quick") else None
        if report is None:
            report = self._whole(order, changes, heartbeat)
        report["notes"], self._notes = self._notes, []
        return report

    def close(self) -> None:
        """End the zygotes."""
        for zygote in (self._zygote, self._project, self._empty):
            if zygote is not None:
                zygote.close()
        self._zygote = self._project = self._empty = None

    # Whole runs ----------------------------------------------------------------------------------

    def _whole(self, order: Order, changes: Dict[str, bytes], heartbeat: Beat) -> Report:
        self._workspace.lay(changes)
        try:
            report = self._forked(self._with_files(order), heartbeat)
            if not changes and not self._compared:
                report = self._compare_with_cold(order, report, heartbeat)
        finally:
            self._workspace.restore()
        self._files.update(report.pop("files", {}))
        if not changes:
            for result in report["results"]:
                self._known.setdefault(result["id"], _essence(result))
        return report

    def _forked(self, order: Order, heartbeat: Beat) -> Report:
        if self._cold:
            return self._run_cold(order, heartbeat)

        def start(order: Order) -> Zygote:
            if not (self._zygote and self._zygote.alive):
                ready = self.prepare(heartbeat)
                if "problem" in ready:
                    raise ZygoteLost(ready["problem"])
            assert self._zygote is not None
            return self._zygote.start(order)

        try:
            report = attempt.run(order, start, heartbeat)
            modules = report.pop("modules", None)
            if modules and self._zygote and self._zygote.alive:
                self._zygote.ask({"op": "warm", "modules": modules}, heartbeat)
        except ZygoteLost as error:
            self._go_cold("pytest cannot be kept loaded: %s" % error)
            return self._run_cold(order, heartbeat)
        return report

    def _compare_with_cold(self, order: Order, report: Report, heartbeat: Beat) -> Report:
        """Where a preloaded run met a crash or a hang: is it the preloading? Asked once."""
        suspects = [r["id"] for r in report["results"] if r["status"] in ("crashed", "timeout")]
        if not suspects and report["exit_status"] in (0, 1, 5):
            return report
        self._compared = True
        tests = suspects[:1] or order.get("tests")
        trial = self._with_files(dict(order, tests=tests, trace=False))
        cold = self._run_cold(trial, heartbeat)
        if not _settled(cold) or (self._cold and suspects):
            return report
        self._go_cold("the tests crash or hang in a fork of a process that has their modules loaded")
        return self._run_cold(self._with_files(order), heartbeat)

    def _run_cold(self, order: Order, heartbeat: Beat) -> Report:
        """Run in a fork of a process that has nothing loaded."""

        def start(order: Order) -> Zygote:
            self._empty = self._revived(self._empty, "empty_zygote", heartbeat)
            return self._empty.start(order)

        try:
            return attempt.run(order, start, heartbeat)
        except ZygoteLost as error:
            return _lost(str(error))

    def _revived(self, zygote: Optional[Zygote], entry: str, heartbeat: Beat) -> Zygote:
        """``zygote``, or a new one in its place where that is gone."""
        if zygote is not None and zygote.alive:
            return zygote
        if zygote is not None:
            zygote.close()
        zygote = Zygote(self._parcel, entry, self._settings)
        zygote.receive(heartbeat)
        return zygote

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

    # Quick verdicts ------------------------------------------------------------------------------

    def _quick(self, order: Order, changes: Dict[str, bytes], heartbeat: Beat) -> Optional[Report]:
        """A verdict from a fork of the loaded project; None where only a whole run will do."""
        if self._cold or self._slow or not order.get("tests") or order.get("trace"):
            return None
        try:
            zygote = self._project_zygote(order, heartbeat)
            if zygote is None:
                return None
            new = [path for path in changes if path not in self._remembered]
            if new:
                zygote.ask({"op": "remember", "paths": new}, heartbeat)
                self._remembered.update(new)
            self._workspace.lay(changes)
            try:
                report = attempt.run(dict(order, restarts=0), zygote.start, heartbeat)
            finally:
                self._workspace.restore()
        except ZygoteLost as error:
            return _lost(str(error))
        return None if report.get("unfit") or _unclear(report) else report

    def _project_zygote(self, order: Order, heartbeat: Beat) -> Optional[Zygote]:
        """A zygote that holds the tests of ``order`` and was seen to judge them rightly."""
        tests = order["tests"]
        missing = [test for test in tests if test not in self._known]
        if missing:
            self._whole(_plain(order, missing), {}, heartbeat)
        if any("::" not in test or test not in self._known or test in self._unlike for test in tests):
            return None
        if not self._start_project({self._files[test] for test in tests}, heartbeat):
            return None
        untried = [t for t in tests if t not in self._tried and self._known[t][0] != "timeout"]
        if untried and not self._try(_plain(order, untried), heartbeat):
            return None
        return self._project

    def _start_project(self, files: "set[str]", heartbeat: Beat) -> bool:
        if self._project is not None and self._project.alive and files <= self._quick_files:
            return True
        wanted = self._quick_files | files
        if len(wanted) > QUICK_FILES:
            wanted = files
        if len(files) > QUICK_FILES or self._starts > QUICK_RESTARTS:
            return False
        if self._project is not None:
            self._project.close()
        self._starts += 1
        self._quick_files, self._remembered, self._tried = wanted, set(), set()
        settings = dict(self._settings, files=sorted(wanted))
        self._project = Zygote(self._parcel, "project_zygote", settings)
        ready = self._project.receive(heartbeat)
        if "problem" in ready:
            self._project.close()
            self._project = None
            self._go_slow(ready["problem"])
            return False
        return True

    def _try(self, order: Order, heartbeat: Beat) -> bool:
        """Whether quick verdicts on the unchanged project are what whole runs said."""
        assert self._project is not None
        report = attempt.run(dict(order, quick=True, restarts=0), self._project.start, heartbeat)
        if not report["results"]:
            self._go_slow("in a fork of the loaded project " + (report["problem"] or "no test ran"))
            return False
        for result in report["results"]:
            if _essence(result) == self._known.get(result["id"]):
                self._tried.add(result["id"])
            elif result["id"] not in self._unlike:
                self._unlike.add(result["id"])
                self._notes.append(
                    "%s takes a whole run of pytest for each candidate, which is slower: "
                    "it ends otherwise in a fork of the loaded project" % result["id"]
                )
        return self._tried.issuperset(order["tests"])

    def _go_slow(self, reason: str) -> None:
        if self._project is not None:
            self._project.close()
            self._project = None
        self._slow = reason
        self._notes.append("each candidate takes a whole run of pytest, which is slower: " + reason)


def _plain(order: Order, tests: List[str]) -> Order:
    return dict(order, tests=tests, changes=[], trace=False, stop_at_first_failure=False, quick=False)


def _essence(result: Dict[str, Any]) -> Tuple[str, str]:
    return result["status"], str(result.get("exception", ""))


def _settled(report: Report) -> bool:
    """Whether every test ended by itself."""
    ends = {result["status"] for result in report["results"]}
    return report["complete"] and not ends & {"crashed", "timeout"}


def _unclear(report: Report) -> bool:
    """Whether a report says less than a whole run would."""
    return not report["results"]


def _lost(reason: str) -> Report:
    return {
        "results": [],
        "complete": False,
        "exit_status": None,
        "seconds": 0.0,
        "problem": "%s: %s" % (LOST, reason),
        "output": "",
    }
