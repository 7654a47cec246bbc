"""A zygote that is being loaded with the project, perhaps while something else runs."""

from __future__ import annotations

from time import monotonic
from typing import Any, Callable, Dict, Optional

from . import suspects
from .zygote import Zygote, ZygoteLost

Start = Callable[[str, Dict[str, Any]], Zygote]


class Loading:
    """``project`` collects the tests of ``files``; a ``light`` one may be there for what are mere calls.

    Raises:
        ZygoteLost: what the project's is a copy of made none.
    """

    def __init__(self, files: "set[str]", start: Start) -> None:
        self.files, self._began = files, monotonic()
        self.seconds = 0.0  # until it was ready
        self._ready: Optional[Dict[str, Any]] = None
        self.light: Optional[Zygote] = None
        self.project = start("project_zygote", {"files": sorted(files)})

    def ready(self, heartbeat: Callable[[], None]) -> Dict[str, Any]:
        """What the project's zygote says when it has loaded; see ``Zygote.receive``."""
        if self._ready is None:
            self._ready = self.project.receive(heartbeat)
            self.seconds = monotonic() - self._began
        return self._ready

    def close(self) -> None:
        """End them."""
        for zygote in (self.project, self.light):
            if zygote is not None:
                zygote.close()


class Ahead:
    """What is loaded before it is asked for, if anything is; ``start`` makes its zygotes."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._begun: Optional[Loading] = None

    def beside(
        self,
        run: Callable[[], Dict[str, Any]],
        order: Dict[str, Any],
        files: "set[str]",
        heartbeat: Callable[[], None],
    ) -> Dict[str, Any]:
        """The report of ``run``, with ``files`` loaded meanwhile: that ends before any file is put back.

        Where a test crashed or hung, this may have been in its way: it is given up, and ``run`` asked again.
        """
        try:
            self._begun = Loading(files, self._start)
        except (ZygoteLost, OSError):
            return run()
        try:
            report = run()
            self._finish(heartbeat)
        except BaseException:
            self.drop()
            raise
        if report["problem"] or suspects.of(order, report):
            self.drop()
            return run()
        return report

    def _finish(self, heartbeat: Callable[[], None]) -> None:
        """Wait until it is loaded; what the run was in the way of is loaded anew when it is asked for."""
        try:
            if self._begun is not None and "problem" in self._begun.ready(heartbeat):
                self.drop()
        except ZygoteLost:
            self.drop()

    def taken(self, files: "set[str]") -> Loading:
        """What loads ``files``.

        Raises:
            ZygoteLost: what the project's zygote is a copy of made none.
        """
        begun, self._begun = self._begun, None
        if begun is not None and begun.files != files:
            begun.close()
            begun = None
        return begun or Loading(files, self._start)

    def drop(self) -> None:
        """End what was begun."""
        if self._begun is not None:
            self._begun.close()
        self._begun = None
