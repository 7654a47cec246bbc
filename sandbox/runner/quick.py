"""Verdicts on candidates from forks of processes that have the project loaded.

There are two such zygotes. The project's has collected the tests of a few files with pytest; it knows
which of them are mere calls, and for those there is another, lighter one without pytest. A zygote gives
verdicts on a test only after it was seen to judge it on the unchanged project as a whole run does.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from . import attempt
from .workspace import Workspace
from .zygote import Zygote, ZygoteLost

Order = Dict[str, Any]
Report = Dict[str, Any]
Beat = Callable[[], None]
Essence = Tuple[str, str]
FILES = 8
RESTARTS = 50
BRIEF_S = 0.1  # what takes longer may need all processors
# So many tests are run for one candidate in hundreds: to see first that they end here as in a whole run takes
# as long as the whole run.
MANY, MANY_S = 50, 3.0


class QuickRuns:
    """Quick verdicts on the tests that ``known`` has whole verdicts on.

    ``files`` says where tests are, ``seconds`` what they took in whole runs.
    ``start`` makes a zygote from an entry and the settings to add; ``note`` hears why a way is closed.
    """

    def __init__(
        self,
        start: Callable[[str, Dict[str, Any]], Zygote],
        workspace: Workspace,
        known: Dict[str, Essence],
        files: Dict[str, str],
        seconds: Dict[str, float],
        note: Callable[[str], None],
    ) -> None:
        self._start, self._workspace = start, workspace
        self._known, self._files, self._seconds, self._note = known, files, seconds, note
        self._project: Optional[_Judge] = None
        self._light: Optional[_Judge] = None
        self._held: "set[str]" = set()  # the files whose tests the zygotes hold
        self._closed = False
        self._starts = 0
        self._rest: List[Callable[[], Any]] = []
        self.reason = ""  # why the last run was not quick

    def run(self, order: Order, changes: Dict[str, bytes], heartbeat: Beat) -> Optional[Report]:
        """A quick report on ``order``; None where only a whole run will do."""
        tests = order["tests"]
        if self._closed:
            return None
        self.reason = "a test of which no verdict of a whole run is known"
        if any("::" not in test or test not in self._known for test in tests):
            return None
        self.reason = "many tests that are run for one candidate in hundreds"
        if changes and len(tests) > MANY and self._untried_s(tests) > MANY_S:
            return None
        try:
            self.reason = "tests of more files than are held loaded"
            if not self._hold({self._files[test] for test in tests}, heartbeat):
                return None
            self.reason = "a test that ends otherwise in a fork of the loaded project"
            for judge in self._judges(order):
                if not self._agrees(judge, order, heartbeat):
                    continue
                report = judge.judge(order, changes, self._workspace, self._rest, heartbeat)
                if report["results"] and not report.get("unfit") and self._ends_as_known(order, report):
                    return report
                self.reason = report.get("unfit") or "no verdict, or another one than in a whole run"
                self.tidy()
        except ZygoteLost:
            # Its next verdict needs a new one; this one is left to a whole run.
            self.reason = "the process that has the project loaded was lost"
        self.tidy()
        return None

    def tidy(self) -> None:
        """Do what need not be done before a verdict is given: wait for the process, put the files back."""
        while self._rest:
            self._rest[0]()
            del self._rest[0]

    def close(self) -> None:
        """End the zygotes."""
        self.tidy()
        for judge in (self._project, self._light):
            if judge is not None:
                judge.zygote.close()
        self._project = self._light = None

    def _untried_s(self, tests: List[str]) -> float:
        """What those of ``tests`` take that were not seen yet to end as in a whole run."""
        agreed = self._project.agreed if self._project is not None else ()
        return sum(self._seconds.get(test, 0.0) for test in tests if test not in agreed)

    def _hold(self, files: "set[str]", heartbeat: Beat) -> bool:
        """Have a living zygote with the tests of ``files``."""
        if self._project is not None and self._project.zygote.alive and files <= self._held:
            return True
        wanted = self._held | files if len(self._held | files) <= FILES else files
        if len(wanted) > FILES or self._starts >= RESTARTS:
            return False
        self.close()
        self._starts += 1
        self._held = wanted
        zygote = self._start("project_zygote", {"files": sorted(wanted)})
        ready = zygote.receive(heartbeat)
        if "problem" in ready:
            zygote.close()
            self._close(ready["problem"])
            return False
        self._project = _Judge(zygote, None)
        if ready["direct"]:
            light = self._start("direct_zygote", {"tests": ready["direct"], "path": ready["path"]})
            self._light = _Judge(light, set(ready["direct"]))
            if "problem" in light.receive(heartbeat):
                light.close()
                self._light = None
        return True

    def _judges(self, order: Order) -> "List[_Judge]":
        """Who may judge ``order``, the quickest first; a trace begins and ends at hooks of pytest."""
        found = [self._project] if order.get("trace") else [self._light, self._project]
        return [judge for judge in found if judge is not None]

    def _ends_as_known(self, order: Order, report: Report) -> bool:
        """Whether traced tests of the unchanged project end as they do in a whole run."""
        if order["changes"] or not order.get("trace"):
            return True
        return report["complete"] and all(
            essence(result) == self._known[result["id"]] for result in report["results"]
        )

    def _agrees(self, judge: "_Judge", order: Order, heartbeat: Beat) -> bool:
        """Whether ``judge`` was seen to judge the tests of ``order`` rightly, or will show it."""
        if not judge.zygote.alive:
            return False
        tests = order["tests"]
        if order.get("trace") and not order["changes"]:
            return not judge.unlike.intersection(tests)
        if not judge.agreed.issuperset(tests):
            if not judge.holds(tests) or judge.unlike.intersection(tests):
                return False
            # A test that hangs on the unchanged project is not waited for a second time.
            judge.agreed.update(test for test in tests if self._known[test][0] == "timeout")
            untried = [test for test in tests if test not in judge.agreed]
            if untried:
                self._try(judge, dict(order, tests=untried), heartbeat)
        return judge.agreed.issuperset(tests)

    def _try(self, judge: "_Judge", order: Order, heartbeat: Beat) -> None:
        whole = dict(order, changes=[], stop_at_first_failure=False, trace=False)
        report = judge.judge(whole, {}, self._workspace, self._rest, heartbeat)
        self.tidy()
        if not report["results"] and judge is self._project:
            self._close("in a fork of the loaded project " + (report["problem"] or "no test ran"))
        for result in report["results"]:
            test = result["id"]
            if essence(result) == self._known.get(test):
                judge.agreed.add(test)
                continue
            judge.unlike.add(test)
            if judge is self._project:
                self._note(
                    "%s takes a whole run of pytest for each candidate, which is slower: it ends otherwise "
                    "in a fork of the loaded project" % test
                )

    def _close(self, reason: str) -> None:
        self.close()
        self._closed, self.reason = True, reason
        self._note("each candidate takes a whole run of pytest, which is slower: " + reason)


class _Judge:
    """A zygote with what is known of its judgement; ``tests`` are all that it holds, None for any."""

    def __init__(self, zygote: Zygote, tests: Optional["set[str]"]) -> None:
        self.zygote, self._tests = zygote, tests
        self.agreed: "set[str]" = set()
        self.unlike: "set[str]" = set()
        self._remembered: "set[str]" = set()
        self._is_brief = False  # as the last verdict was

    def holds(self, tests: List[str]) -> bool:
        return self._tests is None or self._tests.issuperset(tests)

    def judge(
        self,
        order: Order,
        changes: Dict[str, bytes],
        workspace: Workspace,
        rest: List[Callable[[], Any]],
        heartbeat: Beat,
    ) -> Report:
        """A report; what is left to do after it is added to ``rest``."""
        new = [path for path in changes if path not in self._remembered]
        if new:
            self.zygote.ask({"op": "remember", "paths": new}, heartbeat)
            self._remembered.update(new)
        self.zygote.stay_near(self._is_brief)
        workspace.lay(changes)
        try:
            report = attempt.run(dict(order, restarts=0), self.zygote.start, heartbeat, rest.append)
        finally:
            rest.append(workspace.restore)
        self._is_brief = report["seconds"] < BRIEF_S
        return report


def essence(result: Dict[str, Any]) -> Essence:
    """What two ways of running a test have to agree on."""
    return result["status"], str(result.get("exception", ""))
