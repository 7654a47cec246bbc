"""Which functions of the project each test calls, by ``sys.monitoring`` (CPython 3.12 or newer).

It is nearly free, unlike a trace of lines: what lies outside of the project is reported once and never again,
and a test that calls the project very often is no longer watched.
"""

from __future__ import annotations

import sys
from typing import Any, Dict, List, Optional, Set, Tuple

from .within import Within

Function = Tuple[str, int]  # a path relative to the project's root, and the first line, decorators included
TOOLS = (4, 3)  # the tool ids that CPython gives to nobody
MANY = 2_000  # calls in one test after which each function is reported once only
FOREIGN = -1


class CalledFunctions:
    """Numbers of the functions that were called since ``take`` was last called."""

    def __init__(self, root: str) -> None:
        self._within = Within(root)
        self._monitoring: Any = getattr(sys, "monitoring", None)
        self._tool: Optional[int] = None
        self._numbers: Dict[int, int] = {}
        self._codes: List[Any] = []  # kept, so that no other gets one's identity
        self._new: List[Function] = []
        self._count = 0
        self._now: Set[int] = set()
        self._calls = 0
        self._is_disabled = False

    def start(self) -> bool:
        """Begin to watch; False where the interpreter cannot."""
        if self._monitoring is None:
            return False
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
        """Watch no longer."""
        if self._tool is not None and self._monitoring.get_tool(self._tool) == "regreen":
            self._monitoring.set_events(self._tool, 0)
            self._monitoring.free_tool_id(self._tool)
        self._tool = None

    def take(self) -> Dict[str, Any]:
        """The ``called`` functions' numbers, and ``functions``: those that got the next numbers."""
        taken = {"called": sorted(self._now), "functions": self._new}
        self._now, self._new, self._calls = set(), [], 0
        if self._is_disabled:
            self._is_disabled = False
            self._monitoring.restart_events()
        return taken

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

    def _number(self, code: Any) -> int:
        path = self._within.relative(code.co_filename)
        number = FOREIGN
        if path is not None:
            number = self._count
            self._count += 1
            self._new.append((path, code.co_firstlineno))
        self._codes.append(code)
        self._numbers[id(code)] = number
        return number


class CallRecord:
    """What a supervisor makes of it over the processes of one run: which tests called which function.

    What was called before the first test, while the project was imported, counts for the test ``""``.
    """

    def __init__(self) -> None:
        self._tests: List[str] = []
        self._found: Dict[Function, List[int]] = {}
        self._functions: List[Function] = []

    def new_process(self) -> None:
        """Forget the numbers: another process gives its own."""
        self._functions = []

    def see(self, test: str, event: Dict[str, Any]) -> None:
        """Take ``called`` and ``functions`` out of ``event``.

        Raises:
            TypeError: they are not what ``CalledFunctions`` makes.
            ValueError: likewise.
            IndexError: likewise.
        """
        called = event.pop("called", None)
        if called is None:
            return
        self._functions += [(str(path), int(line)) for path, line in event.pop("functions")]
        self._tests.append(test)
        for number in called:
            self._found.setdefault(self._functions[number], []).append(len(self._tests) - 1)

    def report(self) -> Dict[str, Any]:
        """``tests`` by index, and for each function its path, its first line and the tests."""
        functions = [[path, line, tests] for (path, line), tests in self._found.items()]
        return {"tests": self._tests, "functions": functions}
