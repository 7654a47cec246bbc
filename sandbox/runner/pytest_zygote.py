"""The zygote that has pytest, its plugins and the project's foreign modules loaded: for whole runs."""

from __future__ import annotations

import gc
import os
import time
from typing import Any, Callable, Dict, List, Tuple

from . import attempt, frames
from .processes import Head, become_child, supervise
from .pytest_child import ChildSettings, import_all, load_plugins, run_pytest
from .wire import Wire
from .zygote import answer, threads

WARM_TIMEOUT_S = 120


def whole_run(
    settings: ChildSettings,
    order: Dict[str, Any],
    limits: Dict[str, int],
    heartbeat: Callable[[], None],
) -> Dict[str, Any]:
    """A run of pytest in a fork of this process, whatever is loaded here; the report."""

    def body(wire: Wire, skip: Tuple[str, ...]) -> Tuple[int, Dict[str, Any]]:
        return run_pytest(settings, order, wire, skip)

    return attempt.run(order, body, limits, heartbeat)


def main(fd: int, settings: ChildSettings, limits: Dict[str, int]) -> None:
    """Load pytest, say so, and run what is ordered."""
    try:
        import pytest

        from . import reporter  # noqa: F401
    except ImportError as error:
        frames.send(fd, {"problem": "cannot import pytest: %s" % error})
        return
    load_plugins()
    gc.collect()
    gc.freeze()
    frames.send(fd, {"pytest": pytest.__version__, "threads": threads()})

    def work(order: Dict[str, Any], beat: Callable[[], None]) -> Dict[str, Any]:
        if order["op"] == "warm":
            return {"warm": _warm(order["modules"], limits, beat)}
        return whole_run(settings, order, limits, beat)

    answer(fd, work)


def _warm(modules: List[str], limits: Dict[str, int], heartbeat: Callable[[], None]) -> bool:
    """Import here what each fork was seen to import from outside the project.

    It is tried in a fork first: where it leaves a second thread, which no later fork would copy, nothing
    is imported and False returned.
    """
    read_fd, write_fd = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            become_child(limits, keep=(write_fd,))
            import_all(modules)
            os.write(write_fd, b"%d" % threads())
        finally:
            os._exit(0)
    os.close(write_fd)
    seen = Head(16)
    deadline = time.monotonic() + WARM_TIMEOUT_S
    supervise(pid, {read_fd: seen.feed}, lambda: deadline, heartbeat)
    if seen.data != b"1":
        return False
    import_all(modules)
    gc.collect()
    gc.freeze()
    return True
