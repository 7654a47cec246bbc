"""The zygote that has the project loaded and some of its tests collected: for verdicts on candidates.

A candidate is swapped into a fork of it: by new code objects where only a function's body changed,
otherwise by importing anew what was imported since the collection began. Where neither is safe the answer
says so, and the supervisor orders a whole run.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Dict, List, Tuple

import pytest
from _pytest.unittest import TestCaseFunction

from . import control
from .direct_zygote import Entry
from .fork import Fork, threads
from .hypothesis_runs import end_early
from .loaded import Loaded
from .modules import stands_in
from .plain import Plain
from .pytest_child import OPTIONS
from .reporter import Reporter, path_of
from .seal import hide, settle
from .shared import SharedFixtures
from .swap import Unfit
from .wire import Wire

# Output goes to the runner's pipe: there is nothing to capture it for.
SERVING_OPTIONS = ("--tb=no", "-q", "-s")


def main(payload: Dict[str, Any]) -> None:
    """Collect the tests of some files, say whether that went well, and give verdicts on demand."""
    fork = Fork(payload["settings"])
    control.prepare()
    settings = fork.settings
    settings.enter()
    hide()
    reporter = Reporter(settings.root, payload["settings"]["files"])
    shared = SharedFixtures()
    project = _Project(fork, reporter, shared)
    pytest.main([*settings.arguments, *OPTIONS, *SERVING_OPTIONS], plugins=[reporter, project, shared])
    if not project.served:
        fork.say({"problem": "the tests could not be collected"})


class _Project:
    """The plugin that serves instead of running the tests."""

    def __init__(self, fork: Fork, reporter: Reporter, shared: SharedFixtures) -> None:
        self._fork, self._reporter, self._shared = fork, reporter, shared
        self._loaded = Loaded(fork.settings.root, is_early=fork.settings.forgot)
        self.served = False

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self) -> Any:
        self._loaded.watch_from_import()  # what came before is pytest and its plugins
        yield

    def pytest_itemcollected(self, item: Any) -> None:
        """A candidate's verdict is wanted at once."""
        end_early(getattr(item, "obj", None))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: Any) -> None:
        self._loaded.watch()
        self._loaded.early = set(sys.modules)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        self.served = True
        problem = ""
        if session.testsfailed or not session.items:
            problem = "the tests could not be collected"
        elif threads() != 1:
            problem = "importing the project starts threads"
        if problem:
            self._fork.say({"problem": problem})
            os._exit(0)
        self._session, self._plain = session, Plain(session.config, self._reporter, self._fork.report_fd)
        self._items: Dict[str, List[Any]] = {}
        for item in session.items:
            self._items.setdefault(item.nodeid, []).append(item)
        self._plain_ids = self._plain.prepare(session.items)
        self._uncollected: Dict[str, str] = {}  # tests, by what file they are in
        settle()
        self._loaded.done()
        self._fork.say({"direct": self._direct_tests(), "path": sys.path})
        self._fork.serve(self._verdict, self._work, self._loaded.plan)
        os._exit(0)

    def _direct_tests(self) -> Dict[str, Entry]:
        """The tests that need nothing of pytest, as ``direct_zygote`` wants them."""
        if any(os.path.basename(path) == "conftest.py" for path in self._loaded.files().values()):
            return {}
        found: Dict[str, Entry] = {}
        for item in self._session.items:
            if item.nodeid in self._plain_ids and self._plain.is_direct(item):
                if item.cls is not None and not stands_in(item.module, item.cls):
                    continue
                owner = item.cls.__qualname__ if item.cls is not None else ""
                is_case = isinstance(item, TestCaseFunction)
                found[item.nodeid] = item.module.__name__, owner, item.originalname or item.name, is_case
        return found

    def _work(self, order: Dict[str, Any]) -> Dict[str, Any]:
        """An order that is for this process and not for a fork of it."""
        if order["op"] != "share":
            return self._loaded.remember(order)
        self._plain.begin(order)
        self._loaded.watch_more()
        try:
            problem = self._shared.make(self._items[order["test"]][0], order["fixtures"], self._plain.within)
        finally:
            settle()
            self._loaded.done()
        return {"problem": problem}

    # In the fork ---------------------------------------------------------------------------------

    def _verdict(self, order: Dict[str, Any], wire: Wire) -> Tuple[int, Dict[str, Any]]:
        self._plain.begin(order)
        try:
            if order["plan"].anew and self._shared.made:
                raise Unfit("fixtures of the session are set up already")
            means = self._loaded.bring_in(order["plan"])
        except Unfit as reason:
            return 0, {"unfit": str(reason)}
        if means == "import":
            self._reporter.begin(wire, order, announce=False)
            self._forget(order)
        elif order.get("trace"):
            self._plain_ids = set()  # the reporter traces, around pytest's own hooks
        if means != "import" and not self._plain_ids.issuperset(order["tests"]):
            self._reporter.begin(wire, order)
        status = self._run(order, wire)
        slow = self._shared.slow() if self._plain.is_recent else []
        return status, {"means": means, **({"shared": slow} if slow else {})}

    def _forget(self, order: Dict[str, Any]) -> None:
        """Have the tests of ``order`` collected anew, each file when its first test is to run."""
        self._is_traced, self._collecting_s = bool(order.get("trace")), order["collect_timeout_s"]
        items = self._items
        self._uncollected = {test: path_of(items[test][0]) for test in order["tests"] if test in items}
        self._items, self._plain_ids = {}, set()

    def _found(self, test: str, wire: Wire) -> List[Any]:
        """The items of ``test``; most candidates fail before the last file has to be collected."""
        path = self._uncollected.pop(test, "")
        if path:
            self._uncollected = {name: at for name, at in self._uncollected.items() if at != path}
            wire.phase(self._collecting_s)
            self._session.perform_collect([path])
            for item in self._session.items:
                self._items.setdefault(item.nodeid, []).append(item)
            if not self._is_traced:
                self._plain_ids |= self._plain.prepare(self._session.items)
        return self._items.get(test, [])

    def _run(self, order: Dict[str, Any], wire: Wire) -> int:
        stop, session, tests = bool(order.get("stop_at_first_failure")), self._session, order["tests"]
        any_failed = hooked = any_passed = any_ran = False
        for test, after in zip(tests, [*tests[1:], ""]):
            items = [] if any_failed and stop else self._found(test, wire)
            any_failed = any_failed or bool(session.testsfailed)
            if any_failed and stop:
                break
            # Of a test that is not collected yet, or no more, it is only known to be of this session.
            then = next(iter(self._items.get(after, ())), session if after else None)
            for item, following in zip(items, [*items[1:], then]):
                if item.nodeid in self._plain_ids:
                    if any_ran or test is not tests[0]:  # that the first comes first is known
                        wire.send({"t": "start", "id": item.nodeid})
                    failed = self._plain.run(item, following, wire, stop)
                else:
                    hooked = True
                    before = session.testsfailed
                    session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                    failed = session.testsfailed > before
                any_failed, any_passed, any_ran = any_failed or failed, any_passed or not failed, True
                if any_failed and stop:
                    break
        if any_passed:
            wire.send(self._reporter.control_event(session) if hooked else control.event())
        return 1 if any_failed else 0 if any_ran else 5
