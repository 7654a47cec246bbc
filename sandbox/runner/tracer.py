"""Which lines of the project a test executes, by ``sys.settrace``; the project's files only."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any, Callable, Dict, List, Optional, Set


class LineTracer:
    """Records executed lines of files under ``root`` between ``start`` and ``stop``."""

    def __init__(self, root: str) -> None:
        self._prefix = os.path.realpath(root) + os.sep
        self._local: Dict[str, Optional[Callable[..., Any]]] = {}
        self._lines: Dict[str, Set[int]] = {}

    def start(self) -> None:
        """Begin to record, from nothing."""
        for lines in self._lines.values():
            lines.clear()
        threading.settrace(self._trace_call)
        sys.settrace(self._trace_call)

    def stop(self) -> Dict[str, List[int]]:
        """Stop; the executed lines by relative path."""
        sys.settrace(None)
        threading.settrace(None)
        return {path: sorted(lines) for path, lines in self._lines.items() if lines}

    def _trace_call(self, frame: Any, event: str, _argument: Any) -> Optional[Callable[..., Any]]:
        filename = frame.f_code.co_filename
        try:
            local = self._local[filename]
        except KeyError:
            local = self._local[filename] = self._local_tracer(filename)
        return local

    def _local_tracer(self, filename: str) -> Optional[Callable[..., Any]]:
        if filename.startswith("<"):
            return None  # code without a file, such as a dataclass's methods
        full = os.path.realpath(filename)
        if not full.startswith(self._prefix):
            return None
        add = self._lines.setdefault(full[len(self._prefix) :].replace(os.sep, "/"), set()).add

        def trace_line(frame: Any, event: str, _argument: Any) -> Callable[..., Any]:
            if event == "line":
                add(frame.f_lineno)
            return trace_line

        return trace_line
