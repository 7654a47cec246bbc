"""Which lines of the project a test executes, by ``sys.settrace``; the project's files only.

Those of a Python program that it starts count as executed at the end (``child_tracer``).

A test is a sequence of steps: each time that the test's own file is back at work, outside of any call into
the project, a new one begins. What only the last step executed, in which the test failed, is more suspicious
than what the steps before it executed as well and did not fail.
"""

from __future__ import annotations

import sys
import threading
from itertools import count
from typing import Any, Callable, Dict, List, Optional

from .child_tracer import ChildTracer
from .within import Within

Trace = Callable[..., Any]


class LineTracer:
    """Records executed lines of files under ``root`` between ``start`` and ``stop``."""

    def __init__(self, root: str) -> None:
        self._within = Within(root)
        self._children = ChildTracer(root)
        self._local: Dict[str, Optional[Trace]] = {}
        self._test = ""
        self._outer: Optional[Trace] = None
        self._begin()

    def _begin(self) -> None:
        self._ticks = count(1)
        self._depth = 0  # calls into the project that have not returned
        self._steps = 0
        self._pending = False
        # By path: lines with the time when each was executed last, in this step; in how many steps before.
        self._now: Dict[str, Dict[int, int]] = {}
        self._before: Dict[str, Dict[int, int]] = {}
        self._tests_own: Dict[int, int] = {}
        self._local.clear()

    def start(self, test_file: str = "") -> None:
        """Begin to record, from nothing. ``test_file`` is the test's own, relative to the root.

        Without one, everything is one step.
        """
        self._test = test_file
        self._begin()
        self._children.start()
        threading.settrace(self._trace_call)
        sys.settrace(self._trace_call)

    def stop(self) -> Dict[str, List[int]]:
        """Stop; the executed lines by relative path."""
        sys.settrace(None)
        threading.settrace(None)
        for path, found in self._children.stop().items():
            executed = self._now.setdefault(path, {})
            executed.update({line: next(self._ticks) for line in found if line not in executed})
        lines: Dict[str, List[int]] = {}
        for path in {**self._now, **self._before}:
            lines[path] = sorted({**self._now.get(path, {}), **self._before.get(path, {})})
        if self._tests_own:
            lines[self._test] = sorted(self._tests_own)
        return {path: found for path, found in lines.items() if found}

    def steps(self) -> Dict[str, Any]:
        """What the steps executed outside of the test's file: ``count``, ``earlier`` and ``last``.

        ``count`` steps came before the last one. ``earlier`` holds, by path, pairs of a line and the number
        of those steps that executed it; ``last``, by path, the lines of the last step in the order in which
        each was executed for the last time.
        """
        return {
            "count": self._steps,
            "earlier": {path: sorted(lines.items()) for path, lines in self._before.items()},
            "last": {
                path: sorted(lines, key=lines.__getitem__) for path, lines in self._now.items() if lines
            },
        }

    def _next_step(self) -> None:
        """End the step in hand, unless it has done nothing yet."""
        self._pending = False
        # Lists of them: another thread may add to the dictionaries meanwhile.
        now = list(self._now.items())
        if not any(lines for _path, lines in now):
            return
        self._steps += 1
        for path, lines in now:
            before = self._before.setdefault(path, {})
            for line in list(lines):
                before[line] = before.get(line, 0) + 1
            lines.clear()

    def _trace_call(self, frame: Any, event: str, _argument: Any) -> Optional[Trace]:
        filename = frame.f_code.co_filename
        try:
            local = self._local[filename]
        except KeyError:
            local = self._local[filename] = self._local_tracer(filename)
        if local is not None and local is not self._outer:
            if self._pending and self._depth == 0:
                self._next_step()
            self._depth += 1
        return local

    def _local_tracer(self, filename: str) -> Optional[Trace]:
        path = self._within.relative(filename)
        if path is None:
            return None
        if path == self._test:
            self._outer = self._trace_test
            return self._outer
        executed, ticks = self._now.setdefault(path, {}), self._ticks

        def trace_line(frame: Any, event: str, _argument: Any) -> Trace:
            if event == "line":
                executed[frame.f_lineno] = next(ticks)
            elif event == "return":
                self._depth -= 1
            return trace_line

        return trace_line

    def _trace_test(self, frame: Any, event: str, _argument: Any) -> Trace:
        if event == "line":
            self._tests_own[frame.f_lineno] = 1
            # It begins with the next call: a statement may come back here once more at its end.
            self._pending = self._pending or self._depth == 0
        return self._outer or self._trace_test
