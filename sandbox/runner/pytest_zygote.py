"""The zygote that has pytest, its plugins and the project's foreign modules loaded: for whole runs."""

from __future__ import annotations

import gc
import os
import time
from functools import partial
from typing import Any, Dict, List

from .fork import Fork, threads
from .kept import Head
from .modules import brought_parts_of_pytest, import_all
from .processes import Child, become_child, supervise
from .pytest_child import load_plugins, run_pytest
from .seal import seal

WARM_TIMEOUT_S = 120


def main(payload: Dict[str, Any]) -> None:
    """Load pytest, say so, and run what is ordered."""
    fork = Fork(payload["settings"])
    if not payload["settings"].get("alone"):
        fork.say({"up": True})
        order = fork.order()
        if order is None:
            return
        fork.say(fork.copy(order))  # while there is little to copy: see ``started``
    gc.disable()  # until pytest is loaded: little of it is garbage
    try:
        import inspect

        import pytest

        from . import hidden_text, reporter  # noqa: F401
    except ImportError as error:
        fork.say({"problem": "cannot import pytest: %s" % error})
        return
    gc.enable()
    gc.freeze()  # pytest collects garbage five times when it ends
    load_plugins(fork.settings.arguments)
    # Whoever shows a traceback looks up each module's file once; that takes longer than many a test.
    inspect.getmodule(main.__code__, "none")
    seal()
    gc.collect()
    gc.freeze()
    root = fork.settings.root
    own = brought_parts_of_pytest([root, *fork.settings.directories], root)
    fork.say({"pytest": pytest.__version__, "threads": threads(), "own": own})

    def work(order: Dict[str, Any]) -> Dict[str, Any]:
        if order["op"] == "copy":
            return fork.copy(order)
        return {"warm": _warm(order["modules"], fork.limits)}

    fork.serve(partial(run_pytest, fork.settings), work)


def _warm(modules: List[str], limits: Dict[str, int]) -> bool:
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
    supervise(Child(pid), {read_fd: seen.feed}, lambda: deadline, lambda: None)
    os.close(read_fd)
    if seen.data != b"1":
        return False
    import_all(modules)
    seal()
    gc.collect()
    gc.freeze()
    return True
