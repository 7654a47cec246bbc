"""Which lines of the project the Python programs execute that a test starts.

They are watched by a ``sitecustomize`` module in a directory of its own, which they find by ``PYTHONPATH``;
the project's own one is imported by it. What ends by ``os._exit``, or does not read that variable, is not
seen. Each program imports its modules anew, whatever the test is about: lines of modules and classes that
it only imports are left out, unless an exception ended it.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional

MAX_FILES, MAX_BYTES = 200, 1_000_000
_PATH, _ROOT = "PYTHONPATH", "REGREEN_TRACED_ROOT"
_HOOK = """\
def watch():
    import atexit, json, os, sys, threading

    here = os.path.dirname(os.path.abspath(__file__))
    root = os.environ.get("ROOT", "") + os.sep
    called, imported, tracers = {}, {}, {}

    def tracer(path, lines):
        full = os.path.abspath(path)
        if not full.startswith(root) or path.startswith("<"):
            return None
        executed = lines.setdefault(full[len(root):].replace(os.sep, "/"), set())

        def trace_line(frame, event, argument):
            if event == "line":
                executed.add(frame.f_lineno)
            return trace_line

        return trace_line

    def trace_call(frame, event, argument):
        path = frame.f_code.co_filename
        is_own = frame.f_code.co_flags & 1 or frame.f_globals.get("__name__") == "__main__"
        key = path, bool(is_own)
        if key not in tracers:
            tracers[key] = tracer(path, called if is_own else imported)
        return tracers[key]

    def save():
        sys.settrace(None)
        lines = {path: set(found) for path, found in called.items()}
        if getattr(sys, "last_value", None) is not None:
            for path, found in imported.items():
                lines.setdefault(path, set()).update(found)
        with open(os.path.join(here, os.urandom(8).hex() + ".json"), "w") as file:
            json.dump({path: sorted(found) for path, found in lines.items()}, file)

    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != here]
    del sys.modules["sitecustomize"]
    try:
        import sitecustomize
    except ImportError:
        pass
    atexit.register(save)
    if hasattr(sys, "addaudithook"):
        sys.addaudithook(lambda event, arguments: save() if event == "os.exec" else None)
    threading.settrace(trace_call)
    sys.settrace(trace_call)


watch()
"""


class ChildTracer:
    """Between ``start`` and ``stop``, the Python programs that this process starts are watched."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)
        self._directory = ""
        self._before: Optional[str] = None

    def start(self) -> None:
        """Begin; does nothing where no file can be written, or a test has replaced what is used here."""
        import tempfile

        try:
            self._directory = tempfile.mkdtemp()
            with open(os.path.join(self._directory, "sitecustomize.py"), "w", encoding="utf-8") as file:
                file.write(_HOOK.replace('"ROOT"', repr(_ROOT)))
        except Exception:
            return
        self._before = os.environ.get(_PATH)
        os.environ[_PATH] = os.pathsep.join(filter(None, (self._directory, self._before)))
        os.environ[_ROOT] = self._root

    def stop(self) -> Dict[str, List[int]]:
        """End; the lines that those programs executed which are over, by relative path."""
        import shutil

        directory, self._directory = self._directory, ""
        if not directory:
            return {}
        os.environ.pop(_ROOT, None)
        if self._before is None:
            os.environ.pop(_PATH, None)
        else:
            os.environ[_PATH] = self._before
        lines: Dict[str, List[int]] = {}
        try:
            names = sorted(name for name in os.listdir(directory) if name.endswith(".json"))
            for name in names[:MAX_FILES]:
                for path, found in _read(os.path.join(directory, name)).items():
                    lines[path] = sorted({*lines.get(path, ()), *found})
        except Exception:  # a test may have replaced what is used here
            pass
        shutil.rmtree(directory, ignore_errors=True)
        return lines


def _read(path: str) -> Dict[str, List[int]]:
    """What one program wrote; nothing where it is not of that form."""
    try:
        with open(path, encoding="utf-8") as file:
            found: Any = json.loads(file.read(MAX_BYTES))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {
        path: lines
        for path, lines in found.items()
        if isinstance(lines, list) and all(isinstance(line, int) for line in lines)
    }
