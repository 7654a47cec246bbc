"""Which test called which function of the project, put together from what the test processes report."""

from __future__ import annotations

from typing import Any, Dict, List, Set, Tuple

Function = Tuple[str, int]  # a path relative to the project's root, and the first line, decorators included
MAX_PATH, MAX_LINE = 4_096, 10_000_000
MAX_ENTRIES = 2_000_000
"""Of the whole record, functions and calls: beyond that it is none."""


class CallRecord:
    """What a supervisor makes of it over the processes of one run: which tests called which function.

    What was called before the first test, while the project was imported, counts for the test ``""``. A test
    that was not watched to its end counts as one that calls every function.
    """

    def __init__(self) -> None:
        self._tests: List[str] = []
        self._found: Dict[Function, List[int]] = {}
        self._functions: List[Function] = []
        self._unwatched: Set[int] = set()
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
        is_unwatched = bool(event.pop("unwatched", False))
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
        if is_unwatched:
            self._unwatched.add(len(self._tests))
        self._tests.append(test)
        for number in set(called):
            self._found.setdefault(self._functions[number], []).append(len(self._tests) - 1)

    def _end(self) -> None:
        self._is_over = True
        self._tests, self._found, self._functions, self._unwatched = [], {}, [], set()

    def report(self) -> Dict[str, Any]:
        """``tests`` by index, and for each function its path, its first line and the tests."""
        functions = [
            [path, line, sorted(self._unwatched.union(tests)) if self._unwatched else tests]
            for (path, line), tests in self._found.items()
        ]
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
