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
MAX_PATH, MAX_LINE = 4_096, 10_000_000
MAX_ENTRIES = 2_000_000
"""Of the whole record, functions and calls: beyond that it is none."""


class CalledFunctions:
    """Numbers of the functions that were called since ``take`` was last called."""

    def __init__(self, root: str) -> None:
        self._within = Within(root)
        self._monitoring: Any = getattr(sys, "monitoring", None)
        self._restart: Any = getattr(self._monitoring, "restart_events", None)
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
            self._restart()
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
        # A module begins in the line in which its first function may, and is none.
        if path is not None and code.co_name != "<module>":
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
        self._entries = 0
        self._is_over = False

    def new_process(self) -> None:
        """Forget the numbers: another process gives its own."""
        self._functions = []

    def see(self, test: str, event: Dict[str, Any]) -> None:
        """Take ``called`` and ``functions`` out of ``event``, which a test may have written.

        What is not of the shape that ``CalledFunctions`` gives it ends the record: nothing of it is believed.
        """
        called, functions = event.pop("called", None), event.pop("functions", None)
        if called is None or self._is_over:
            return
        if not (_are_functions(functions) and isinstance(called, list)):
            self._end()
            return
        known = len(self._functions) + len(functions)
        self._entries += len(functions) + len(called)
        if self._entries > MAX_ENTRIES or not all(type(one) is int and 0 <= one < known for one in called):
            self._end()
            return
        self._functions += [(path, line) for path, line in functions]
        self._tests.append(test)
        for number in set(called):
            self._found.setdefault(self._functions[number], []).append(len(self._tests) - 1)

    def _end(self) -> None:
        self._is_over = True
        self._tests, self._found, self._functions = [], {}, []

    def report(self) -> Dict[str, Any]:
        """``tests`` by index, and for each function its path, its first line and the tests."""
        functions = [[path, line, tests] for (path, line), tests in self._found.items()]
        return {"tests": self._tests, "functions": functions}


def _are_functions(found: Any) -> bool:
    """Whether each is a path below the project's root and a line."""
    if not isinstance(found, list):
        return False
    for one in found:
        if not (isinstance(one, list) and len(one) == 2):
            return False
        path, line = one
        if not (isinstance(path, str) and 0 < len(path) <= MAX_PATH and ".." not in path.split("/")):
            return False
        if path.startswith("/") or type(line) is not int or not 0 <= line <= MAX_LINE:
            return False
    return True
