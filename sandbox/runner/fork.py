"""The inside of a zygote: waits for orders, and forks a test process for each that runs tests."""

from __future__ import annotations

import fcntl
import os
from typing import Any, Callable, Dict, Optional

from . import frames, test_process
from .processes import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    end_descendants,
    fork_bare,
    has_children,
    prctl,
)
from .pytest_child import ChildSettings
from .wire import Wire


class Fork:
    """What ``settings`` of ``zygote.Zygote`` become: the way to the supervisor, and how pytest is started."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        prctl(PR_SET_DUMPABLE, 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.limits: Dict[str, int] = settings["limits"]
        self.settings = ChildSettings(settings)
        self._fd, self._wire = settings["fd"], Wire(settings["report_fd"])
        self._flags = [(fd, fcntl.fcntl(fd, fcntl.F_GETFL)) for fd in (1, 2, settings["report_fd"])]

    def say(self, message: Dict[str, Any]) -> None:
        """Tell the supervisor."""
        frames.send(self._fd, message)

    def serve(
        self,
        body: test_process.Body,
        work: Callable[[Dict[str, Any]], Dict[str, Any]],
        plan: Optional[Callable[[Dict[str, Any]], Any]] = None,
    ) -> None:
        """Until the supervisor is gone: ``tests`` by ``body`` in a fork, all other orders by ``work``.

        What ``plan`` makes of an order before the fork is the order's ``plan``. It is for processes that
        have only one thread, and they are forked without CPython's own steps around it: see ``fork_bare``.
        """
        while True:
            message = frames.receive(self._fd)
            if message is None:
                return
            order = message[0]
            if order["op"] != "tests":
                self.say(work(order))
                continue
            for fd, flags in self._flags:
                # They belong to the open file, which all test processes share, and any of them can set them.
                fcntl.fcntl(fd, fcntl.F_SETFL, flags)
            if plan is not None:
                order["plan"] = plan(order)
            pid = os.fork() if plan is None else fork_bare()
            if pid == 0:
                os.close(self._fd)
                os.setsid()
                prctl(PR_SET_DUMPABLE, 1)
                test_process.run(body, order, self._wire)
            status = os.waitpid(pid, 0)[1]
            strays = False
            if has_children():
                end_descendants()
                strays = has_children()
            self.say({"status": status, "strays": strays})


def threads() -> int:
    """The threads of this process; more than one, and a fork would leave their locks locked for ever."""
    return len(os.listdir("/proc/self/task"))
