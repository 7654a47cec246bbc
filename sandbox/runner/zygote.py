"""Zygotes: processes that have loaded what takes long, and fork a test process for each run.

They hold the project's plugins or the project itself, so they are as hostile as those. The supervisor,
which holds the way to the host, imports nothing of that: it starts them as interpreters of their own,
asks them over a socket, and reads the test processes' reports itself. One that does not answer is ended.
"""

from __future__ import annotations

import array
import marshal
import os
import select
import signal
import socket
import sys
import time
from typing import Any, Callable, Dict, Optional, Tuple

from . import frames
from .processes import become_child, drain_once, end_descendants, stay_on

BEAT_S = 1.0
LOADING_S = 180.0
MESSAGE_S = 30.0
Beat = Callable[[], None]
_ALL = os.sched_getaffinity(0)  # the processors that there are
_LIVING: "set[int]" = set()  # the end of one zygote is not that of the others

# Variables that an interpreter reads when it starts, but for those that would stop or blunt our own code.
AT_START = (
    *("PYTHONDEVMODE", "PYTHONHASHSEED", "PYTHONINTMAXSTRDIGITS", "PYTHONIOENCODING", "PYTHONTRACEMALLOC"),
    *("PYTHONUTF8", "PYTHONWARNDEFAULTENCODING"),
)


class ZygoteLost(Exception):
    """The zygote ended, did not answer in time, or answered nonsense."""


class Zygote:
    """One zygote as its supervisor sees it: a process in which the module ``entry`` is started.

    It is a new interpreter, or a copy of the zygote ``parent`` with all that this has loaded. ``payload`` is
    what the supervisor itself was started from, see ``loader``; ``settings`` are for ``entry``. There are
    two pipes from which the supervisor reads, and of which each test process inherits the other ends: one
    for reports, one for what is printed.

    Raises:
        ZygoteLost: ``parent`` made no copy of itself.
    """

    def __init__(
        self,
        payload: Dict[str, Any],
        entry: str,
        settings: Dict[str, Any],
        parent: "Optional[Zygote]" = None,
    ) -> None:
        self._socket, theirs = socket.socketpair()
        self._socket.settimeout(MESSAGE_S)
        self.end_fd = self._socket.fileno()
        self.report_fd, report_write = os.pipe()
        self.output_fd, output_write = os.pipe()
        for fd in (self.report_fd, self.output_fd):
            os.set_blocking(fd, False)
        self._status: Optional[int] = None
        self._processor = settings.get("processor")
        self._is_near, self._pid = False, 0
        self._processors: Any = None  # those that the zygote is to use from now on
        fds = theirs.fileno(), report_write, output_write
        try:
            if parent is not None:
                self._pid = parent._copied(entry, settings, fds)
            else:
                self._pid = _interpreter(payload, settings, fds)
            _LIVING.add(self._pid)
        except ZygoteLost:
            self._socket.close()
            self.close()
            raise
        finally:
            theirs.close()
            os.close(report_write)
            os.close(output_write)
        if parent is None:
            named = dict(settings, fd=fds[0], report_fd=report_write)
            self._deliver(dict(payload, confine="", entry=entry, settings=named))

    def _copied(self, entry: str, settings: Dict[str, Any], fds: Tuple[int, int, int]) -> int:
        """The number of a copy of this zygote that starts ``entry`` with ``fds``; see ``fork.Fork.copy``."""
        self._send({"op": "copy", "entry": entry, "settings": settings})
        rights = socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds)
        try:
            self._socket.sendmsg([b"f"], [rights])
            pid = int(self._message()["pid"])
            # It says what it likes: only a child of ours that is no other zygote can be one.
            if pid > 1 and pid not in _LIVING and os.waitpid(pid, os.WNOHANG) == (0, 0):
                return pid
        except (OSError, KeyError, TypeError, ValueError):
            pass
        self._kill()
        raise ZygoteLost("it made no copy of itself")

    def _deliver(self, payload: Dict[str, Any]) -> None:
        data = marshal.dumps(payload, 2)
        try:
            self._socket.sendall(b"%08x" % len(data) + data)
        except OSError:
            pass  # the first answer will not come

    def ask(self, order: Dict[str, Any], heartbeat: Beat) -> Dict[str, Any]:
        """The answer to ``order``.

        Raises:
            ZygoteLost: there is none. The zygote and everything below it is gone.
        """
        self._send(order)
        return self.receive(heartbeat)

    def receive(self, heartbeat: Beat) -> Dict[str, Any]:
        """The next message; see ``ask``. What the zygote prints meanwhile is dropped."""
        now = time.monotonic()
        end, next_beat = now + LOADING_S, now + BEAT_S
        poll = select.poll()
        for fd in (self.end_fd, self.report_fd, self.output_fd):
            poll.register(fd, select.POLLIN)
        while True:
            ready = [fd for fd, _event in poll.poll(BEAT_S * 1000)]
            for fd in ready:
                if fd != self.end_fd and not drain_once(fd, lambda _chunk: None):
                    poll.unregister(fd)
            if self.end_fd in ready:
                return self._message()
            now = time.monotonic()
            if now >= next_beat:
                heartbeat()
                next_beat = now + BEAT_S
            if now >= end:
                self._kill()
                raise ZygoteLost("silent for %g s" % LOADING_S)

    # As the child of a supervised run; see ``processes.supervise`` -----------------------------------

    def stay_near(self, near: bool) -> None:
        """Have what is forked from now on share this sandbox's own processor with the supervisor, or not.

        Waking a process on another processor takes longer than many a verdict; see ``sandbox.testing``.
        """
        if near == self._is_near or self._processor not in _ALL or not self._pid:
            return
        self._is_near = near
        self._processors = [self._processor] if near else sorted(_ALL)
        stay_on(self._processors)

    def start(self, order: Dict[str, Any]) -> "Zygote":
        """Have it fork a test process for ``order``."""
        self._status = None
        # The zygote does it for itself: the filter lets nobody do that for another process.
        self._send(dict(order, processors=self._processors) if self._processors else order)
        self._processors = None
        return self

    def status(self) -> Optional[int]:
        """The test process's wait status, once ``end_fd`` is readable."""
        try:
            answer = self._message()
            self._status = int(answer["status"])
        except (ZygoteLost, KeyError, TypeError, ValueError):
            self._status = signal.SIGKILL  # a test ended its parent, and ends with it
            self._kill()
        else:
            if answer.get("strays"):
                self._kill()
        return self._status

    def end(self) -> None:
        """After the run. A test process that still runs can only be ended with its zygote."""
        if self._status is None:
            self._kill()

    @property
    def alive(self) -> bool:
        """Whether it can be asked; the end of another process's run may have been its end too."""
        if self._pid and not self._running():
            self._kill()
        return self._pid != 0

    def close(self) -> None:
        """End it and everything below it, and let go of its pipes."""
        self._kill()
        for fd in (self.report_fd, self.output_fd):
            if fd >= 0:
                os.close(fd)
        self.report_fd = self.output_fd = -1

    def _kill(self) -> None:
        if not self._pid:
            return
        self._socket.close()
        if self._running():
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        _LIVING.discard(self._pid)
        end_descendants(spare=_LIVING)
        self._pid = 0

    def _running(self) -> bool:
        try:
            # Whoever was collected already may have lent its number to another process.
            return os.waitpid(self._pid, os.WNOHANG)[0] == 0
        except ChildProcessError:
            return False

    def _send(self, order: Dict[str, Any]) -> None:
        try:
            if self._pid:
                os.kill(self._pid, signal.SIGCONT)  # a test of another zygote may have stopped this one
            self._socket.sendall(frames.pack(order))
        except OSError as error:
            self._kill()
            raise ZygoteLost("it takes no orders: %s" % error) from error

    def _message(self) -> Dict[str, Any]:
        try:
            message = frames.receive_by(self._socket.recv)
        except (OSError, ValueError) as error:
            self._kill()
            raise ZygoteLost("%s: %s" % (type(error).__name__, error)) from error
        if message is None:
            self._kill()
            raise ZygoteLost("it ended")
        return message[0]


def _interpreter(payload: Dict[str, Any], settings: Dict[str, Any], fds: Tuple[int, int, int]) -> int:
    """The number of a new process: the interpreter of the project's environment, with its ``options``."""
    pid = os.fork()
    if pid:
        return pid
    fd, report_fd, output_fd = fds
    try:
        os.dup2(output_fd, 1)
        os.dup2(output_fd, 2)
        os.sched_setaffinity(0, _ALL)
        become_child(payload["settings"]["limits"], keep=(fd, report_fd))
        for kept in (fd, report_fd):
            os.set_inheritable(kept, True)
        python = payload["settings"].get("python") or sys.executable
        # -s: below the home directory, which tests can write, lies what an interpreter would run at its
        # start.
        argv = [python, "-s", *settings.get("options", []), "-c", payload["bootstrap"], str(fd)]
        given = settings.get("environment", {})
        os.execve(python, argv, dict(os.environ, **{name: given[name] for name in AT_START if name in given}))
    finally:
        os._exit(127)
