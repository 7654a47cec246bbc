"""Runs a program as one test, in a fork of a process that has nothing of the project loaded.

Every run imports all anew, so there is no quicker way for a candidate and nothing to fall back on.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

from . import attempt, probing
from .workspace import Workspace
from .zygote import Zygote, ZygoteLost

NO_TESTS = 5
Beat = Callable[[], None]


class ScriptRuns:
    """The one test of a program, run as often as asked; it stands in the place of ``runs.TestRuns``."""

    def __init__(self, payload: Dict[str, Any], settings: Dict[str, Any], workspace: Workspace) -> None:
        self._payload, self._settings, self._workspace = payload, settings, workspace
        self._name: str = settings["script"]["name"]
        self._zygote: Optional[Zygote] = None

    def prepare(self, heartbeat: Beat) -> Dict[str, Any]:
        """Start the process to fork from; its first message, or a ``problem``."""
        self.close()
        try:
            self._zygote = Zygote(self._payload, "script", self._settings)
            return self._zygote.receive(heartbeat)
        except ZygoteLost as error:
            return {"problem": "Python cannot be started: %s" % error}

    def run(self, order: Dict[str, Any], changes: Dict[str, bytes], heartbeat: Beat) -> Dict[str, Any]:
        """Run the program with ``changes`` laid over the project; nothing where it was not asked for."""
        if order.get("tests") is not None and self._name not in order["tests"]:
            return attempt.nothing(complete=True, exit_status=NO_TESTS)
        order = dict(order, changes=sorted(changes), quick=False, restarts=0)
        self._workspace.inspect()
        self._workspace.lay(changes)
        try:
            report = attempt.run(order, lambda order: self._revived(heartbeat).start(order), heartbeat)
        except ZygoteLost as error:
            return attempt.nothing(problem=attempt.LOST % error)
        finally:
            self._workspace.restore()
        if report["results"]:
            # However the process ended, the one test that there is has its verdict.
            report["complete"] = not report["problem"].startswith(attempt.UNTRUSTED[:20])
        return report

    def tidy(self) -> None:
        """See ``TestRuns.tidy``; here a report waits for everything."""

    def probe(self, order: Dict[str, Any], heartbeat: Beat) -> Dict[str, Any]:
        """Compare versions of some functions; see ``probing``. The first one lies in the workspace."""
        try:
            return probing.run(order, lambda order: self._revived(heartbeat).start(order), heartbeat)
        except ZygoteLost as error:
            return probing.lost(str(error))

    def close(self) -> None:
        """End the process that is forked from."""
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None

    def _revived(self, heartbeat: Beat) -> Zygote:
        if not (self._zygote and self._zygote.alive):
            ready = self.prepare(heartbeat)
            if "problem" in ready:
                raise ZygoteLost(ready["problem"])
        assert self._zygote is not None
        return self._zygote
