"""The project's modules that this process has loaded, and how to bring other contents of their files in."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from threading import get_ident
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from .executed import Executed, Key
from .modules import asked, file_of
from .swap import Swap, Swapper, Unfit

# pytest's own rewrites assertions only, and a module too of which it was given the file, for its doctests.
LOADERS = "SourceFileLoader", "AssertionRewritingHook"


class Plan(NamedTuple):
    """How to bring changes in: the ``swaps`` to make, or that all has to be imported ``anew``, or neither.

    Swaps may rest on the assumption that what ran at the import has left no traces.
    """

    swaps: List[Swap]
    anew: bool
    unfit: str
    assumed: bool = False


class FirstImport:
    """A finder of modules that finds none, and calls ``then`` when this thread asks it for the first one."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._then: Optional[Callable[[], None]] = then
        self._thread = get_ident()

    def find_spec(self, *_asked: Any) -> None:
        """See ``importlib.abc.MetaPathFinder``."""
        if self._then is not None and get_ident() == self._thread:
            then, self._then = self._then, None
            then()


class Loaded:
    """Watches the import of the project from ``watch`` until ``done``, when all is loaded.

    ``early`` are the modules that cannot be imported anew; by default those that are there already.
    ``is_early`` says that some of the project was loaded before, and maybe forgotten.
    """

    def __init__(self, root: str, *, is_early: bool = False) -> None:
        self.prefix = os.path.realpath(root) + os.sep
        self.early = set(sys.modules)
        self._executed = Executed(self.prefix)
        self._real: Dict[str, str] = {}  # files as modules name them → where they are
        self._names: Dict[str, List[str]] = {}
        self._forgettable: List[str] = []
        self._unswappable: "set[str]" = set()
        self._unseen: "set[str]" = set()
        self._watched = True
        self._late_conftest = False
        self._is_early = is_early
        self._first = FirstImport(self._watch)
        self._unfrozen: List[Any] = []  # among what the collector lists, until somebody freezes that
        self._assumable: "Optional[set[Key]]" = None  # what ran before the set-up

    def watch_from_import(self) -> None:
        """``watch`` when a module is first looked for: it slows down, and most runs load nothing before."""
        sys.meta_path.insert(0, self._first)

    def watch(self) -> None:
        """From now on, see which of the project's functions run."""
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self._first]
        self._first.find_spec()

    def _watch(self) -> None:
        self._unseen.update(self.files().values())  # what ran of these already is not known
        frame: Any = sys._getframe()
        while frame is not None:  # of those that run, not all stand among the modules
            file = frame.f_code.co_filename
            if os.path.isabs(file) and os.path.realpath(file).startswith(self.prefix):
                self._unseen.add(os.path.realpath(file))
            frame = frame.f_back
        self._executed.start()

    def watch_more(self) -> None:
        """After ``done``: more of the project is about to run in this process, until ``done`` once more.

        What a test needs of that has to be exact: no swap assumes that it left no traces.
        """
        self._assumable = self._executed.keys()
        del self._swapper  # it keeps code too
        self._executed.start()

    def done(self) -> None:
        """Take stock."""
        self._watched = self._executed.stop() and self._watched
        objects = self._made_since()  # before the collector, which forgets dicts of plain values
        self._executed.note_waiting(objects)
        self._names, self._forgettable = {}, []
        files = self.files()
        for name, path in files.items():
            self._names.setdefault(path, []).append(name)
            if type(asked(sys.modules[name], "__loader__")).__name__ not in LOADERS:
                self._unswappable.add(path)  # not loaded from its text as it is
            if name not in self.early:
                self._forgettable.append(name)
                self._late_conftest |= os.path.basename(path) == "conftest.py"
        executed = self._executed.keys()
        traced = executed - self._assumable if self._assumable is not None else set()
        held = self._executed.held(objects)
        self._swapper = Swapper(self.prefix, objects, executed, self._unseen, traced, held)
        del objects
        gc.collect()
        gc.freeze()

    def _made_since(self) -> List[Any]:
        """The objects that were made since this one was, and maybe more.

        To look at what was frozen before would copy its memory to this process. It is none of the project's,
        but where that was loaded before as well.
        """
        if self._is_early or self._unseen or not any(one is self._unfrozen for one in gc.get_objects()):
            gc.unfreeze()
        return gc.get_objects()

    def files(self) -> Dict[str, str]:
        """The project's modules in this process: name → file."""
        found = {}
        for name, module in list(sys.modules.items()):
            file = file_of(module)
            if file and file not in self._real:
                self._real[file] = os.path.realpath(file)
            if file and self._real[file].startswith(self.prefix):
                found[name] = self._real[file]
        return found

    def remember(self, order: Dict[str, Any]) -> Dict[str, Any]:
        """Read the files that are about to change, as they were loaded; ``paths`` are relative."""
        full = {self.prefix + path for path in order["paths"]}
        for path in full.intersection(self._names) - self._unswappable:
            self._swapper.remember(path)
        return {}

    def plan(self, order: Dict[str, Any]) -> Plan:
        """How to bring in what the changed files say now. Runs nothing of theirs: it is for before the fork.

        With ``trace`` the lines of all code have the numbers that they have in the files; where one function
        is swapped in, those below it stay where they were.
        """
        # What nobody has imported yet will be imported by the test, as it is now.
        changed = [path for path in map(self.prefix.__add__, order["changes"]) if self._is_loaded(path)]
        try:
            if not self._watched:
                raise Unfit("the import could not be watched")
            if order.get("trace") and changed:
                raise Unfit("the lines below may have moved")
            plans = [self._swapper.plan(path, bool(order.get("assume"))) for path in changed]
            assumed = any(assumed for _swaps, assumed in plans)
            return Plan([swap for swaps, _assumed in plans for swap in swaps], False, "", assumed)
        except Unfit:
            try:
                self._check_forgettable(changed)
            except Unfit as reason:
                return Plan([], False, str(reason))
            return Plan([], True, "")

    def bring_in(self, plan: Plan) -> str:
        """Carry out ``plan``: ``swap`` when all is done, ``import`` when the caller has to import anew.

        ``assumed`` is a swap that rests on an assumption.

        Raises:
            Unfit: neither is possible.
        """
        if plan.unfit:
            raise Unfit(plan.unfit)
        if not plan.anew:
            for function, code in plan.swaps:
                function.__code__ = code
            return "assumed" if plan.assumed else "swap"
        for name in self._forgettable:
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return "import"

    def _is_loaded(self, path: str) -> bool:
        return path in self._names or self._swapper.loaded(path) or not path.endswith(".py")

    def _check_forgettable(self, changed: List[str]) -> None:
        if any(path not in self._names for path in changed):
            raise Unfit("a changed file is not loaded as a module")
        if self._late_conftest:
            raise Unfit("a conftest.py was loaded during the collection")
        if any(name in self.early for path in changed for name in self._names[path]):
            raise Unfit("a changed file was imported before the collection")
