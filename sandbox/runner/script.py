"""Runs a Python program as one test: a script or a module, as ``python`` would, in a fresh fork.

It passes when the program came to its end, or left by ``sys.exit`` with a status of success, and the
process ended as it said it would. Whatever ends the process in another way, ``os._exit(0)`` included, is no
pass; nor is success that was declared by a file which a candidate changed.
"""

from __future__ import annotations

import atexit
import linecache
import os
import runpy
import sys
import threading
import traceback
from functools import partial
from time import perf_counter  # the program may replace that of the module
from types import TracebackType
from typing import Any, Dict, List, Optional, Tuple

from . import control
from .alarm import Alarm, TestTimeout
from .explain import Explainer, entries
from .fork import Fork
from .pytest_child import ChildSettings
from .tracer import LineTracer
from .wire import Wire

# What Python says and how it ends when the program is not there.
NOT_FOUND = 2
INTERRUPTED = 130
SILENT_EXIT = "the program left by SystemExit in %s, which was changed"


def main(payload: Dict[str, Any]) -> None:
    """Load nothing, and run what is ordered."""
    settings = payload["settings"]
    fork = Fork(settings)
    fork.say({"ready": True})
    fork.serve(partial(run_script, fork.settings, settings["script"]), lambda _order: {})


def run_script(
    settings: ChildSettings, script: Dict[str, Any], order: Dict[str, Any], wire: Wire
) -> Tuple[int, Dict[str, Any]]:
    """Run ``script`` and report it to ``wire`` as one test; the exit status, and nothing more."""
    name = script["name"]
    limit = float(order.get("timeouts_s", {}).get(name) or order["timeout_s"])
    settings.enter()
    path = script.get("path", "")
    if path and not os.path.exists(path):
        sys.stderr.write("python: can't open file %r: there is no such file\n" % path)
        wire.send({"t": "collected", "items": []})
        return NOT_FOUND, {}
    wire.send({"t": "collected", "items": [[name, path]]})
    wire.send({"t": "start", "id": name})
    wire.phase(limit)
    program = _Program(script, settings)
    tracer = LineTracer(settings.root) if order.get("trace") else None
    started = perf_counter()
    error = program.run(limit, tracer, wire.fd)
    seconds = round(perf_counter() - started, 6)
    lines = tracer.stop() if tracer else {}
    result = dict(program.verdict(error, order), t="result", id=name, seconds=seconds, lines=lines)
    status = result.pop("exit")
    wire.send(result)
    if status == 0:
        wire.send({"t": "control", "blunted": _blunted()})
    return status, {}


class _Program:
    def __init__(self, script: Dict[str, Any], settings: ChildSettings) -> None:
        self._path, self._module = script.get("path", ""), script.get("module", "")
        self._arguments: List[str] = settings.arguments
        self._explainer = Explainer(settings.root)

    def run(self, limit: float, tracer: Optional[LineTracer], stack_fd: int) -> Optional[BaseException]:
        """Run it from its beginning to the end of its process; what it raised."""
        alarm = Alarm(stack_fd)
        alarm.install()
        if tracer:
            tracer.start()
        started = perf_counter()
        alarm.start(limit)
        try:
            error = self._caught(self._start)
            self._caught(_finish)  # what it raises does not change how a process ends
        finally:
            alarm.stop()
        # The alarm's exception may have been swallowed.
        late = perf_counter() - started >= limit
        return (
            TestTimeout("took longer than %g s" % limit)
            if late and not isinstance(error, TestTimeout)
            else error
        )

    @staticmethod
    def _caught(step: Any) -> Optional[BaseException]:
        try:
            step()
        except BaseException as error:  # a program may raise anything
            return error
        return None

    def _start(self) -> None:
        sys.argv = [self._path or "-m", *self._arguments]
        if self._module:
            runpy.run_module(self._module, run_name="__main__", alter_sys=True)
        else:
            # Absolute, so that its frames are found again wherever the program goes.
            runpy.run_path(os.path.abspath(self._path), run_name="__main__")

    def verdict(self, error: Optional[BaseException], order: Dict[str, Any]) -> Dict[str, Any]:
        """The test's ``status`` with what explains it, and the process's ``exit`` status."""
        if error is None:
            return {"status": "passed", "exit": 0}
        if isinstance(error, SystemExit):
            return self._exit(error, order)
        _show(error)
        details = self._explainer.explain(error)
        if not details["message"] and isinstance(error, AssertionError):
            details["message"] = _statement(error)
        if isinstance(error, TestTimeout):
            return dict(details, status="timeout", exit=1)
        return dict(details, status="failed", exit=INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1)

    def _exit(self, error: SystemExit, order: Dict[str, Any]) -> Dict[str, Any]:
        status = _exit_status(error.code)
        details = self._explainer.explain(error)
        frames = details["frames"]
        if status == 0 and frames and frames[-1][0] in order.get("changes", ()):
            status, details["message"] = 1, SILENT_EXIT % frames[-1][0]
        if status == 0:
            return {"status": "passed", "exit": 0}
        return dict(details, status="failed", exit=status)


def _exit_status(code: Any) -> int:
    """What a process that leaves by ``sys.exit(code)`` ends with; never 0 for another code than success."""
    if code is None:
        return 0
    if isinstance(code, int):
        return (code & 0xFF) or (1 if code else 0)
    sys.stderr.write("%s\n" % (code,))
    return 1


def _finish() -> None:
    """What an interpreter does at its end: wait for the threads, and call what was registered."""
    shutdown = getattr(threading, "_shutdown", None)
    if shutdown:
        shutdown()
    atexit._run_exitfuncs()


def _blunted() -> List[str]:
    """What no longer fails though it must; see ``control``."""
    blunted = control.blunted()
    runner: Any = sys.modules.get("unittest.runner")
    if runner is not None and _unittest_is_blunt():
        blunted.append("unittest's runner")
    return blunted


def _unittest_is_blunt() -> bool:
    import io
    import unittest

    def fails() -> None:
        raise control.Control(control.NAME)

    suite = unittest.TestSuite([unittest.FunctionTestCase(fails)])
    try:
        return bool(unittest.TextTestRunner(stream=io.StringIO()).run(suite).wasSuccessful())
    except Exception:  # a runner that fails is not one that says yes
        return False


def _show(error: BaseException) -> None:
    """Print the traceback as the interpreter would, without the frames that started the program."""
    try:
        theirs = (entry for entry in entries(error) if not _is_ours(entry))
        traceback.print_exception(type(error), error, next(theirs, error.__traceback__))
    except BaseException as problem:  # an exception's own code may raise anything
        sys.stderr.write("%s: the traceback cannot be shown\n" % type(problem).__name__)


def _is_ours(entry: TracebackType) -> bool:
    file = entry.tb_frame.f_code.co_filename
    return file.startswith("<regreen>") or os.path.basename(file) == "runpy.py" or file == "<frozen runpy>"


def _statement(error: BaseException) -> str:
    """The text of the line that raised ``error``: what a bare ``assert`` has to say."""
    *_, last = entries(error)
    return linecache.getline(last.tb_frame.f_code.co_filename, last.tb_lineno).strip()
