"""The inside of a zygote: waits for orders, and forks a test process for each that runs tests."""

from __future__ import annotations

import array
import fcntl
import os
import socket
from importlib import import_module
from time import monotonic, sleep  # the project may replace those of the module when it is imported
from typing import Any, Callable, Dict, List, Optional

from . import frames, test_process
from .processes import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    become_child,
    end_descendants,
    fork_bare,
    has_children,
    prctl,
    protect_supervisor,
    stay_on,
)
from .pytest_child import ChildSettings
from .wire import Wire

ENDING_S = 0.5


class Fork:
    """What ``settings`` of ``zygote.Zygote`` become: the way to the supervisor, and how pytest is started."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        protect_supervisor()
        self.limits: Dict[str, int] = settings["limits"]
        self.settings = ChildSettings(settings)
        self._fd, self._wire = settings["fd"], Wire(settings["report_fd"])
        self.report_fd: int = settings["report_fd"]
        self._flags = [(fd, fcntl.fcntl(fd, fcntl.F_GETFL)) for fd in (1, 2, settings["report_fd"])]

    def say(self, message: Dict[str, Any]) -> None:
        """Inform the supervisor."""
        frames.send(self._fd, message)

    def order(self) -> Optional[Dict[str, Any]]:
        """The supervisor's next order; None once it is gone."""
        message = frames.receive(self._fd)
        return None if message is None else message[0]

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
            order = self.order()
            if order is None:
                return
            if order["op"] != "tests":
                self.say(work(order))
                continue
            for fd, flags in self._flags:
                # They belong to the open file, which all test processes share, and any of them can set them.
                fcntl.fcntl(fd, fcntl.F_SETFL, flags)
            if "processors" in order:
                stay_on(order["processors"])
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

    def copy(self, order: Dict[str, Any]) -> Dict[str, Any]:
        """Start the zygote that ``order`` names as a copy of this process; its ``pid``.

        It becomes a child of our parent, which waits for it as if it had started it.
        """
        fds = self._received(3)
        read_fd, write_fd = os.pipe()
        prctl(PR_SET_CHILD_SUBREAPER, 0)
        between = os.fork()
        if between == 0:
            try:
                pid = os.fork()
                if pid == 0:
                    self._become(order, fds)
                os.write(write_fd, b"%d" % pid)
            finally:
                os._exit(0)
        os.waitpid(between, 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        pid = int(os.read(read_fd, 16))
        for fd in (*fds, read_fd, write_fd):
            os.close(fd)
        return {"pid": pid}

    def _received(self, count: int) -> List[int]:
        """Descriptors that the supervisor sent along."""
        found = array.array("i")
        with socket.socket(fileno=os.dup(self._fd)) as ours:
            _data, messages, _flags, _address = ours.recvmsg(1, socket.CMSG_SPACE(count * found.itemsize))
        found.frombytes(messages[0][2])
        return list(found)

    def _become(self, order: Dict[str, Any], fds: List[int]) -> None:
        """In the copy: start what ``order`` names. Never returns."""
        try:
            fd, report_fd, output_fd = fds
            os.dup2(output_fd, 1)
            os.dup2(output_fd, 2)
            become_child(self.limits, keep=(fd, report_fd))
            settings = dict(order["settings"], fd=fd, report_fd=report_fd)
            import_module("%s.%s" % (__package__, order["entry"])).main({"settings": settings})
        finally:
            os._exit(0)


def threads() -> int:
    """The threads of this process; more than one, and a fork would leave their locks locked for ever.

    One that was joined takes the kernel a moment to remove: it is waited for.
    """
    end = monotonic() + ENDING_S
    while True:
        count = len(os.listdir("/proc/self/task"))
        if count == 1 or monotonic() >= end:
            return count
        sleep(0.001)
