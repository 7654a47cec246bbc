"""Verdicts on candidates from forks of processes that have the project loaded.

There are two such zygotes. The project's has collected the tests of a few files with pytest; it knows
which of them are mere calls, and for those there is another, lighter one without pytest. Where the tests of
one candidate lie in more files, a third zygote holds all files. What a zygote says of a test that does not
pass is believed only after it was seen to judge it on the unchanged project as a whole run does.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Callable, Dict, List, Optional, Tuple

from .held import Beat, Held, Judge, Order, Report, reported
from .loading import Ahead, Start
from .workspace import Workspace
from .zygote import Zygote, ZygoteLost

Essence = Tuple[str, str]
FILES = 8
ALL_S = 3.0
RESTARTS = 50
NOT_HELD = "tests of more files than can be held loaded"
ODD = "a test that ends otherwise in a fork of the loaded project"


class QuickRuns:
    """Quick verdicts on the tests that ``known`` has whole verdicts on.

    ``files`` says where tests are. ``start`` makes a zygote from an entry and the settings to add; ``note``
    hears why a way is closed; ``collecting_s`` says how long it takes to collect all tests.
    """

    def __init__(
        self,
        start: Start,
        workspace: Workspace,
        known: Dict[str, Essence],
        files: Dict[str, str],
        note: Callable[[str], None],
        collecting_s: Callable[[], float],
    ) -> None:
        self._start, self._workspace, self._all_s = start, workspace, collecting_s
        self._known, self._files, self._note = known, files, note
        self._few: Optional[Held] = None
        self._all: Optional[Held] = None
        self._closed = False
        self._shares = True  # whether fixtures of the session may be set up before the fork
        self._all_closed = ""  # why not all files can be held
        self._is_light = True  # whether tests of the last group were mere calls, and could be called
        self._starts, self._loading_s = 0, 0.0
        self._rest: List[Callable[[], Any]] = []
        self.ahead = Ahead(start)
        self.reason = ""  # why the last run was not quick
        self.odd: "set[str]" = set()  # tests that end otherwise in a fork of the loaded project

    def run(self, order: Order, changes: Dict[str, bytes], heartbeat: Beat) -> Optional[Report]:
        """A quick report on ``order``; None where only a whole run will do."""
        tests = order["tests"]
        if self._closed:
            return None
        self.reason = "a test of which no verdict of a whole run is known"
        if any("::" not in test or test not in self._known for test in tests):
            return None
        try:
            self.reason = NOT_HELD
            held = self._hold({self._files[test] for test in tests}, heartbeat)
            if held is None:
                return None
            self.reason = ODD
            if self.odd.intersection(tests):
                return None
            if order.get("trace") and held.project.shared:
                self.reason = "what fixtures of the session run is to be traced"
                return None
            for judge in held.judges(order):
                if not self._agrees(judge, order, heartbeat):
                    continue
                report = judge.judge(order, changes, self._workspace, self._rest, heartbeat)
                if report["results"] and not report.get("unfit") and self._ends_as_known(order, report):
                    if self._confirmed(judge, order, report, heartbeat):
                        self._heed(judge, order, report, heartbeat)
                        return report
                    continue
                self.reason = report.get("unfit") or "no verdict, or another one than in a whole run"
                self.tidy()
        except ZygoteLost:
            # Its next verdict needs a new one; this one is left to a whole run.
            self.reason = "the process that has the project loaded was lost"
        self.tidy()
        return None

    def beside(self, run: Callable[[], Report], order: Order, heartbeat: Beat) -> Report:
        """What ``run`` gives; beside it, what quick verdicts on the same tests need is loaded."""
        tests = order["tests"]
        files = {self._files[test] for test in tests if "::" in test and test in self._known}
        if order["changes"] or self._starts or self._closed or not 0 < len(files) <= FILES:
            return run()
        return self.ahead.beside(run, order, files, heartbeat)

    def tidy(self) -> None:
        """Do what need not be done before a verdict is given: wait for the process, put the files back."""
        while self._rest:
            self._rest[0]()
            del self._rest[0]

    def close(self) -> None:
        """End the zygotes."""
        self.tidy()
        for held in (self._few, self._all):
            if held is not None:
                held.close()
        self._few = self._all = None
        self.ahead.drop()

    def _hold(self, files: "set[str]", heartbeat: Beat) -> "Optional[Held]":
        """Living zygotes with the tests of ``files``."""
        for held in (self._few, self._all):
            if held is not None and held.project.zygote.alive and files <= held.files:
                return held
        self.tidy()
        before = self._few.files if self._few is not None else set()
        wanted = before | files if len(before | files) <= FILES else files
        # Where it is no matter of time, a second group of files is the last one that is waited for; elsewhere
        # when as much time went into groups as all would take.
        enough_s = max(ALL_S, self._loading_s)
        all_at_once = (
            bool(before) and not files <= before and not self._all_closed and self._all_s() <= enough_s
        )
        if self._starts >= RESTARTS or (len(wanted) > FILES and self._all_closed):
            self.reason = self._all_closed or NOT_HELD
            return None
        self._starts += 1
        if all_at_once or len(wanted) > FILES:
            return self._hold_all(wanted, heartbeat)
        if self._few is not None:
            self._few.close()
        self._few, problem = self._loaded(wanted, heartbeat, light=True)
        if problem:
            self._close(problem)
        return self._few

    def _hold_all(self, files: "set[str]", heartbeat: Beat) -> "Optional[Held]":
        """A zygote with all files of tests that are known: the next candidate's tests may lie in others."""
        if self._all is not None:
            self._all.close()
        # A file that could not be collected goes by its own name, and would not be now.
        known = {self._files[test] for test in self._known if "::" in test and test in self._files}
        self._all, self._all_closed = self._loaded(files | known, heartbeat, light=False)
        self.reason = self._all_closed
        return self._all

    def _loaded(self, files: "set[str]", heartbeat: Beat, light: bool) -> "Tuple[Optional[Held], str]":
        """Zygotes with ``files``, or why there are none."""
        loading = self.ahead.taken(files)
        with ExitStack() as failing:
            failing.callback(loading.close)
            if light and self._is_light:  # while the other one collects, as the last one was of use
                loading.light = self._start("direct_zygote", {})
            ready = loading.ready(heartbeat)
            self._loading_s += loading.seconds if light else 0.0
            if "problem" in ready:
                return None, str(ready["problem"])
            held = Held(files, Judge(loading.project, None))
            if light:
                held.light = self._light(loading.light, ready, heartbeat)
                self._is_light = held.light is not None
            failing.pop_all()
        return held, ""

    def _light(self, direct: Optional[Zygote], ready: Report, heartbeat: Beat) -> Optional[Judge]:
        """Who judges the tests that are mere calls, in ``direct`` or a new process; None where nobody can."""
        judge: Optional[Judge] = None
        try:
            if ready["direct"]:
                direct = direct or self._start("direct_zygote", {})
                order = {"op": "load", "tests": ready["direct"], "path": ready["path"]}
                if "problem" not in direct.ask(order, heartbeat):
                    judge = Judge(direct, set(ready["direct"]))
        except ZygoteLost:
            pass  # pytest's way is left
        finally:
            if judge is None and direct is not None:
                direct.close()
        return judge

    def _ends_as_known(self, order: Order, report: Report) -> bool:
        """Whether traced tests of the unchanged project end as they do in a whole run."""
        if order["changes"] or not order.get("trace"):
            return True
        return report["complete"] and all(
            essence(result) == self._known[result["id"]] for result in report["results"]
        )

    def _agrees(self, judge: "Judge", order: Order, heartbeat: Beat) -> bool:
        """Whether ``judge`` may judge ``order``; of tests that do not pass it says what is known already."""
        if not judge.zygote.alive or not judge.holds(order["tests"]):
            return False
        if judge.unlike.intersection(order["tests"]):
            return False
        if order.get("trace") and not order["changes"]:
            return True
        # A test that hangs on the unchanged project is not waited for a second time.
        judge.agreed.update(test for test in order["tests"] if self._known[test][0] == "timeout")
        urgent = [test for test in order["tests"] if not self._may_wait(test, order)]
        return self._tried(judge, order, urgent, heartbeat)

    def _may_wait(self, test: str, order: Order) -> bool:
        """Whether a trial of ``test`` can wait until it fails with a candidate: passing shows enough."""
        return bool(order["changes"]) and not order.get("trace") and self._known[test][0] == "passed"

    def _confirmed(self, judge: "Judge", order: Order, report: Report, heartbeat: Beat) -> bool:
        """Whether what did not pass in ``report`` ends as known without the change."""
        failing = {result["id"] for result in report["results"] if result["status"] != "passed"}
        doubtful = [test for test in order["tests"] if test in failing and test not in judge.agreed]
        if not doubtful or not order["changes"] or order.get("trace"):
            return True
        self.tidy()
        before = order["tests"][: order["tests"].index(doubtful[-1]) + 1]
        self._tried(judge, order, before, heartbeat)
        return judge.agreed.issuperset(doubtful)

    def _heed(self, judge: Judge, order: Order, report: Report, heartbeat: Beat) -> None:
        """Where a candidate's tests set slow fixtures up, see whether the unchanged project's do."""
        test, names = reported(report.pop("shared", None))
        is_news = test in order["tests"] and test not in judge.agreed and not judge.shared.issuperset(names)
        if self._shares and is_news:
            self.tidy()
            self._tried(judge, order, [test], heartbeat)

    def _tried(self, judge: "Judge", order: Order, tests: List[str], heartbeat: Beat) -> bool:
        """Whether ``judge`` says of ``tests`` of the unchanged project what a whole run says."""
        untried = [test for test in tests if test not in judge.agreed]
        if untried:
            self._try(judge, dict(order, tests=untried), heartbeat)
        return judge.zygote.alive and judge.agreed.issuperset(tests)

    def _try(self, judge: Judge, order: Order, heartbeat: Beat) -> None:
        report = self._trial(judge, order, heartbeat)
        if not report["results"] and judge.is_last and not report.get("cut"):  # cut: no time was left for it
            self._close("in a fork of the loaded project " + (report["problem"] or "no test ran"))
        for result in report["results"]:
            test = result["id"]
            if essence(result) == self._known.get(test):
                judge.agreed.add(test)
                continue
            judge.unlike.add(test)
            if judge.is_last and test not in self.odd:
                self.odd.add(test)
                self._note(
                    "%s takes a whole run of pytest for each candidate, which is slower: it ends otherwise "
                    "in a fork of the loaded project" % test
                )
        self._share(judge, order, report, heartbeat)

    def _trial(self, judge: Judge, order: Order, heartbeat: Beat) -> Report:
        """What ``judge`` says of tests of the unchanged project."""
        whole = dict(order, changes=[], stop_at_first_failure=False, trace=False)
        report = judge.judge(whole, {}, self._workspace, self._rest, heartbeat)
        self.tidy()
        return report

    def _share(self, judge: Judge, order: Order, report: Report, heartbeat: Beat) -> None:
        """Have the slow fixtures that ``report`` names set up before the fork, if that changes no verdict."""
        test, names = reported(report.get("shared"))
        if not self._shares or test not in judge.agreed or judge.shared.issuperset(names):
            return
        try:
            problem = judge.share(order, test, names, heartbeat)
        except ZygoteLost:
            self._shares = False
            raise
        if not problem and not self._workspace.untouched():
            problem = "it leaves files"
        if not problem:
            tests = [test for test in order["tests"] if test in judge.agreed]
            again = self._trial(judge, dict(order, tests=tests), heartbeat)
            ends = {result["id"]: essence(result) for result in again["results"]}
            # Of other tests it is not known how they end now.
            judge.agreed = set(tests)
            if ends == {one: self._known[one] for one in tests}:
                self._share(judge, order, again, heartbeat)  # what other tests need
                return
            problem = "a test ends otherwise then"
        self._shares = False
        self._note("each candidate's tests set %s up anew, which is slower: %s" % (names[-1], problem))
        judge.zygote.close()  # what is in there cannot be taken back
        self._workspace.restore()

    def _close(self, reason: str) -> None:
        self.close()
        self._closed, self.reason = True, reason
        self._note("each candidate takes a whole run of pytest, which is slower: " + reason)


def essence(result: Dict[str, Any]) -> Essence:
    """What two ways of running a test have to agree on."""
    return result["status"], str(result.get("exception", ""))
