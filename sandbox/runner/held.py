"""Zygotes that have the project loaded, each with what is known of its judgement."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from . import attempt
from .workspace import Workspace
from .zygote import Zygote

Order = Dict[str, Any]
Report = Dict[str, Any]
Beat = Callable[[], None]
BRIEF_S = 0.1  # what takes longer may need all processors
MAX_SHARED = 20


class Held:
    """Zygotes with the tests of ``files``: ``project`` holds all, ``light`` those that are mere calls."""

    def __init__(self, files: "set[str]", project: "Judge") -> None:
        self.files, self.project = files, project
        self.light: Optional[Judge] = None

    def judges(self, order: Order) -> "List[Judge]":
        """Who may judge ``order``, the quickest first; a trace begins and ends at hooks of pytest."""
        found = [self.project] if order.get("trace") else [self.light, self.project]
        return [judge for judge in found if judge is not None]

    def close(self) -> None:
        """End them."""
        for judge in (self.project, self.light):
            if judge is not None:
                judge.zygote.close()


class Judge:
    """A zygote with what is known of its judgement; ``tests`` are all that it holds, None for any."""

    def __init__(self, zygote: Zygote, tests: Optional["set[str]"]) -> None:
        self.zygote, self._tests = zygote, tests
        self.is_last = tests is None  # nobody is left to judge after it
        self.agreed: "set[str]" = set()
        self.unlike: "set[str]" = set()
        self.shared: "set[str]" = set()  # fixtures that are set up in it
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

    def share(self, order: Order, test: str, names: List[str], heartbeat: Beat) -> str:
        """Have it set up the fixtures ``names`` of ``test``; why they cannot be kept, or the empty string."""
        answer = self.zygote.ask(dict(order, op="share", test=test, fixtures=names), heartbeat)
        self.shared.update(names)
        self._remembered = set()
        return str(answer.get("problem", "no answer"))


def reported(found: Any) -> Tuple[str, List[str]]:
    """The test and the names that a test process reported; empty where it says anything else."""
    if isinstance(found, list) and len(found) == 2:
        test, names = found
        if isinstance(test, str) and isinstance(names, list) and all(isinstance(name, str) for name in names):
            return test, names[:MAX_SHARED]
    return "", []
