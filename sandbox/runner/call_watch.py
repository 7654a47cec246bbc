"""Sees, inside a test process, which functions of the project each test calls.

From CPython 3.12 on ``sys.monitoring`` does it nearly for nothing: what lies outside of the project is
reported once and never again, and what a test calls very often is no longer watched in that test. Before that
each call is traced, without its lines; a test that calls so often that this takes long is watched in part.
"""

from __future__ import annotations

import sys
import threading
from typing import Any, Dict, List, Optional, Set

from .called import Function
from .within import Within

TOOLS = (4, 3)  # the tool ids that CPython gives to nobody
MANY = 2_000  # calls in one test after which each function is reported once only
MAX_TRACED = 100_000  # calls in one test, of whatever function: some 15 ms
MAX_TRACED_IN_ALL = 20_000_000  # in the whole run: some 3 s
FOREIGN = -1


class CallWatch:
    """Numbers of the functions that were called since ``take`` was last called."""

    def __init__(self, root: str) -> None:
        self._within = Within(root)
        self._numbers: Dict[int, int] = {}
        self._codes: List[Any] = []  # kept, so that no other gets one's identity
        self._new: List[Function] = []
        self._count = 0
        self._now: Set[int] = set()
        self._calls = 0

    def start(self) -> bool:
        """Begin to watch; False where the interpreter cannot, or somebody else does."""
        raise NotImplementedError

    def stop(self) -> None:
        """Watch no longer."""
        raise NotImplementedError

    def take(self) -> Dict[str, Any]:
        """The ``called`` functions' numbers, and ``functions``: those that got the next numbers.

        ``unwatched`` says that there may be more.
        """
        taken = {"called": sorted(self._now), "functions": self._new}
        self._now, self._new, self._calls = set(), [], 0
        return taken

    def _number(self, code: Any) -> int:
        path = self._within.relative(code.co_filename)
        number = FOREIGN
        # A module begins in the line in which its first function may, and is none.
        if path is not None and code.co_name != "<module>":
            number = self._count
            self._count += 1
            self._new.append((path, code.co_firstlineno))
        self._codes.append(code)
        self._numbers[id(code)] = number
        return number


class MonitoredCalls(CallWatch):
    """By ``sys.monitoring``."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._monitoring: Any = getattr(sys, "monitoring", None)
        self._restart: Any = getattr(self._monitoring, "restart_events", None)
        self._tool: Optional[int] = None
        self._is_disabled = False

    def start(self) -> bool:
        """See ``CallWatch``."""
        free = [tool for tool in TOOLS if self._monitoring.get_tool(tool) is None]
        if not free:
            return False
        self._tool = free[0]
        self._monitoring.use_tool_id(self._tool, "regreen")
        begins = self._monitoring.events.PY_START
        self._monitoring.register_callback(self._tool, begins, self._on_start)
        self._monitoring.set_events(self._tool, begins)
        return True

    def stop(self) -> None:
        """See ``CallWatch``."""
        if self._tool is not None and self._monitoring.get_tool(self._tool) == "regreen":
            self._monitoring.set_events(self._tool, 0)
            self._monitoring.free_tool_id(self._tool)
        self._tool = None

    def take(self) -> Dict[str, Any]:
        """See ``CallWatch``."""
        if self._is_disabled:
            self._is_disabled = False
            self._restart()
        return super().take()

    def _on_start(self, code: Any, _offset: int) -> Any:
        number = self._numbers.get(id(code))
        if number is None:
            number = self._number(code)
        if number == FOREIGN:
            return self._monitoring.DISABLE
        self._now.add(number)
        self._calls += 1
        if self._calls > MANY:
            self._is_disabled = True
            return self._monitoring.DISABLE
        return None


class TracedCalls(CallWatch):
    """By ``sys.settrace``, which any test may use for itself."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        # Bound here, before a test replaces them.
        self._trace, self._traced = sys.settrace, sys.gettrace
        self._trace_threads = threading.settrace
        self._is_over = False
        self._left = MAX_TRACED_IN_ALL

    def start(self) -> bool:
        """See ``CallWatch``."""
        if self._traced() is not None:
            return False
        self._watch()
        return True

    def stop(self) -> None:
        """See ``CallWatch``."""
        if self._traced() == self._on_call:
            self._trace(None)
        self._trace_threads(None)

    def take(self) -> Dict[str, Any]:
        """See ``CallWatch``."""
        is_unwatched = self._is_over or self._traced() != self._on_call
        self._left -= self._calls
        taken = super().take()
        if is_unwatched:
            taken["unwatched"] = True
            if self._left > 0:
                self._watch()
        return taken

    def _watch(self) -> None:
        self._is_over = False
        self._trace_threads(self._on_call)
        self._trace(self._on_call)

    def _on_call(self, frame: Any, _event: str, _argument: Any) -> None:
        code = frame.f_code
        number = self._numbers.get(id(code))
        if number is None:
            number = self._number(code)
        if number != FOREIGN:
            self._now.add(number)
        self._calls += 1
        if self._calls > MAX_TRACED or self._calls > self._left:
            self._is_over = True
            self._trace(None)


def watch_calls(root: str) -> Optional[CallWatch]:
    """A watch over the project at ``root`` that has begun; None where there can be none."""
    watch: CallWatch = MonitoredCalls(root) if hasattr(sys, "monitoring") else TracedCalls(root)
    return watch if watch.start() else None
