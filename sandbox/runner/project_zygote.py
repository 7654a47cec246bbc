"""The zygote that has the project loaded and some of its tests collected: for verdicts on candidates.

A candidate is swapped into a fork of it: by new code objects where only a function's body changed,
otherwise by importing anew what was imported since the collection began. Where neither is safe the answer
says so, and the supervisor orders a whole run.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import Any, Dict, List, Tuple

import pytest

from . import control
from .fork import Fork, threads
from .plain import Plain
from .processes import fork_bare
from .pytest_child import OPTIONS
from .reporter import Reporter
from .swap import Executed, Swapper, Unfit
from .wire import Wire

# Output goes to the runner's pipe: there is nothing to capture it for.
SERVING_OPTIONS = ("--tb=no", "-q", "-s")


def main(parcel: Dict[str, Any]) -> None:
    """Collect the tests of some files, say whether that went well, and give verdicts on demand."""
    fork = Fork(parcel["settings"])
    settings = fork.settings
    settings.enter()
    executed = Executed(os.path.realpath(settings.root) + os.sep)
    executed.start()
    reporter = Reporter(settings.root, parcel["settings"]["files"])
    project = _Project(fork, settings.root, reporter, executed)
    pytest.main([*settings.arguments, *OPTIONS, *SERVING_OPTIONS], plugins=[reporter, project])
    if not project.served:
        fork.say({"problem": "the tests could not be collected"})


class _Project:
    """The plugin that serves instead of running the tests."""

    def __init__(self, fork: Fork, root: str, reporter: Reporter, executed: Executed) -> None:
        self._fork, self._reporter, self._executed = fork, reporter, executed
        self._prefix = os.path.realpath(root) + os.sep
        self._early: "set[str]" = set()
        self._rewritten: "set[str]" = set()  # loaded in another way than from their text as it is
        self.served = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: Any) -> None:
        self._early = set(sys.modules)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        undisturbed = self._executed.stop()
        self.served = True
        problem = ""
        if session.testsfailed or not session.items:
            problem = "the tests could not be collected"
        elif threads() != 1:
            problem = "importing the project starts threads"
        if problem:
            self._fork.say({"problem": problem})
            os._exit(0)
        self._session, self._plain = session, Plain(session.config, self._reporter)
        self._items: Dict[str, List[Any]] = {}
        for item in session.items:
            self._items.setdefault(item.nodeid, []).append(item)
        self._plain_ids = self._plain.prepare(session.items)
        loaded = self._loaded_files()
        self._late_conftest = any(
            name not in self._early and os.path.basename(path) == "conftest.py"
            for name, path in loaded.items()
        )
        self._swapper = Swapper(self._prefix, self._executed.keys()) if undisturbed else None
        self._names: Dict[str, List[str]] = {}
        for name, path in loaded.items():
            self._names.setdefault(path, []).append(name)
            if type(getattr(sys.modules[name], "__loader__", None)).__name__ != "SourceFileLoader":
                self._rewritten.add(path)
        gc.collect()
        gc.freeze()
        self._fork.say({"tests": [item.nodeid for item in session.items]})
        self._fork.serve(self._verdict, self._remember, fork_bare)
        os._exit(0)

    def _loaded_files(self) -> Dict[str, str]:
        """The project's modules in this process: name → file."""
        found = {}
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and os.path.realpath(file).startswith(self._prefix):
                found[name] = os.path.realpath(file)
        return found

    def _remember(self, order: Dict[str, Any]) -> Dict[str, Any]:
        """Read the files that are about to change, as they were loaded."""
        paths = {self._prefix + path for path in order["paths"]}
        for path in paths.intersection(self._names) - self._rewritten:
            if self._swapper is not None:
                self._swapper.remember(path)
        return {}

    # In the fork ---------------------------------------------------------------------------------

    def _verdict(self, order: Dict[str, Any], wire: Wire) -> Tuple[int, Dict[str, Any]]:
        self._plain.begin(order)
        try:
            means = self._load(order["changes"])
        except Unfit as reason:
            return 0, {"unfit": str(reason)}
        if means == "import":
            self._reporter.begin(wire, order)
            self._session.perform_collect()
            items = self._session.items
            self._plain_ids = self._plain.prepare(items)
        else:
            items = [item for test in order["tests"] for item in self._items.get(test, ())]
            if not self._plain_ids.issuperset(order["tests"]):
                self._reporter.begin(wire, order)
        return self._run(items, wire, bool(order.get("stop_at_first_failure"))), {"means": means}

    def _load(self, changed: List[str]) -> str:
        """Bring the changed files in; returns by which means.

        Raises:
            Unfit: it takes a whole run.
        """
        try:
            if self._swapper is None:
                raise Unfit("the import could not be watched")
            for path in changed:
                self._swapper.swap(self._prefix + path)
            return "swap"
        except Unfit:
            self._forget([self._prefix + path for path in changed])
            return "import"

    def _forget(self, changed: List[str]) -> None:
        """Unload the project's modules that pytest's collection imported, to import them anew."""
        if any(path not in self._names for path in changed):
            raise Unfit("a changed file is not loaded as a module")
        if self._late_conftest:
            raise Unfit("a conftest.py was loaded during the collection")
        if any(name in self._early for path in changed for name in self._names[path]):
            raise Unfit("a changed file was imported before the collection")
        for name in self._loaded_files():
            if name not in self._early:
                sys.modules.pop(name, None)
        importlib.invalidate_caches()

    def _run(self, items: List[Any], wire: Wire, stop: bool) -> int:
        red, hooked = bool(self._session.testsfailed), False
        for item, following in zip(items, [*items[1:], None]):
            if item.nodeid in self._plain_ids:
                if item is not items[0]:
                    wire.send({"t": "start", "id": item.nodeid})
                red = self._plain.run(item, following, wire, stop) or red
            else:
                hooked = True
                self._session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                red = bool(self._session.testsfailed) or red
            if red and stop:
                break
        if not red:
            blunted = self._reporter.blunted(self._session) if hooked else control.blunted()
            wire.send({"t": "control", "blunted": blunted})
        return 1 if red else 0 if items else 5
