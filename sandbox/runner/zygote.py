"""Zygotes: processes that have loaded what takes long, and fork once for each run.

They hold the project's plugins or the project itself, so they are as hostile as those. The supervisor,
which holds the way to the host, imports nothing of that: it forks zygotes while it is clean, asks them
over a socket, waits no longer than they give signs of life, and ends them when they do not.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from typing import Any, Callable, Dict

from . import frames
from .processes import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, become_child, end_everything, prctl

BEAT_S = 1.0
# While it waits for a test, a zygote beats each second; while it loads modules it cannot.
SILENCE_S = 20.0
LOADING_S = 180.0
MESSAGE_S = 30.0


class ZygoteLost(Exception):
    """The zygote ended, did not answer in time, or answered nonsense."""


class Zygote:
    """One zygote as its supervisor sees it; ``main`` is called in it with its end of the socket."""

    def __init__(self, main: Callable[[int], None], limits: Dict[str, int]) -> None:
        ours, theirs = socket.socketpair()
        ours.settimeout(MESSAGE_S)
        self._socket = ours
        self._pid = os.fork()
        if self._pid == 0:
            ours.close()
            _run(main, theirs.detach(), limits)
        theirs.close()

    def ask(
        self, order: Dict[str, Any], heartbeat: Callable[[], None], silence_s: float = SILENCE_S
    ) -> Dict[str, Any]:
        """The answer to ``order``.

        Raises:
            ZygoteLost: there is none. The zygote and everything below it is gone.
        """
        try:
            self._socket.sendall(frames.pack(order))
        except OSError as error:
            self.close()
            raise ZygoteLost("it takes no orders: %s" % error) from error
        return self.receive(heartbeat, silence_s)

    def receive(self, heartbeat: Callable[[], None], silence_s: float = SILENCE_S) -> Dict[str, Any]:
        """The next message that is not a sign of life; see ``ask``."""
        try:
            while True:
                self._wait(heartbeat, silence_s)
                message = frames.receive_by(self._socket.recv)
                if message is None:
                    raise ZygoteLost("it ended")
                if "alive" not in message[0]:
                    return message[0]
        except ZygoteLost:
            self.close()
            raise
        except (OSError, ValueError) as error:
            self.close()
            raise ZygoteLost("%s: %s" % (type(error).__name__, error)) from error

    def _wait(self, heartbeat: Callable[[], None], silence_s: float) -> None:
        end = time.monotonic() + silence_s
        poll = select.poll()
        poll.register(self._socket.fileno(), select.POLLIN)
        while not poll.poll(BEAT_S * 1000):
            heartbeat()
            if time.monotonic() >= end:
                raise ZygoteLost("silent for %g s" % silence_s)

    def close(self) -> None:
        """End it and everything below it."""
        self._socket.close()
        try:
            # Whoever was collected already may have lent its number to another process.
            alive = self._pid and os.waitpid(self._pid, os.WNOHANG)[0] == 0
        except ChildProcessError:
            alive = False
        if alive:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            end_everything(self._pid)
        self._pid = 0


def answer(fd: int, work: Callable[[Dict[str, Any], Callable[[], None]], Dict[str, Any]]) -> None:
    """In a zygote: work off orders until the supervisor is gone."""

    def beat() -> None:
        frames.send(fd, {"alive": True})

    while True:
        message = frames.receive(fd)
        if message is None:
            return
        frames.send(fd, work(message[0], beat))


def threads() -> int:
    """The threads of this process; more than one, and a fork would leave their locks locked for ever."""
    return len(os.listdir("/proc/self/task"))


def _run(main: Callable[[int], None], fd: int, limits: Dict[str, int]) -> None:
    try:
        become_child(limits, keep=(fd,))
        prctl(PR_SET_DUMPABLE, 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        main(fd)
    except BaseException:  # the supervisor sees the end of the socket
        pass
    finally:
        os._exit(0)
