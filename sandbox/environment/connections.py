"""A Unix socket that is served, a thread a connection: only so many at a time, and ended at the end."""

from __future__ import annotations

import errno
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore, Lock, Thread

MAX_CONNECTIONS = 64
PAUSE_S = 0.05
_SHUT = frozenset({errno.EINVAL, errno.EBADF})


class Connections:
    """The sockets that are open, so that they can be ended."""

    def __init__(self) -> None:
        self._open: set[socket.socket] = set()
        self._lock, self.ended = Lock(), False

    @contextmanager
    def holding(self, *sockets: socket.socket) -> Iterator[None]:
        """End them where all is ended; they are closed at the end in any case."""
        with self._lock:
            self._open.update(sockets)
            if self.ended:
                _shut(sockets)
        try:
            yield
        finally:
            with self._lock:
                self._open.difference_update(sockets)
            for one in sockets:
                one.close()

    def end(self) -> None:
        """End all, also those to come."""
        with self._lock:
            self.ended = True
            _shut(self._open)


def _shut(sockets: Iterable[socket.socket]) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


Serve = Callable[[socket.socket, Connections], None]


@contextmanager
def listening(directory: int, name: str, serve: Serve) -> Iterator[None]:
    """Serve each connection to a new Unix socket in ``directory``, until the context ends."""
    path = f"/proc/self/fd/{directory}/{name}"  # the path of a socket has at most 107 bytes
    connections = Connections()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        os.chmod(path, 0o666)  # noqa: S103 - for whoever is inside, where nobody is the owner
        server.listen()
        accepting = Thread(
            target=_accept, args=(server, serve, connections), name="regreen-proxy", daemon=True
        )
        accepting.start()
        try:
            yield
        finally:
            connections.end()
            server.shutdown(socket.SHUT_RDWR)
            accepting.join()


def _accept(server: socket.socket, serve: Serve, connections: Connections) -> None:
    """Accept connections until ``server`` is shut down; no more at a time than there is room for."""
    room = BoundedSemaphore(MAX_CONNECTIONS)

    def served(connection: socket.socket) -> None:
        try:
            with connections.holding(connection), suppress(OSError):
                serve(connection, connections)
        finally:
            room.release()

    while not connections.ended:
        if not room.acquire(timeout=PAUSE_S):
            continue
        try:
            connection, _ = server.accept()
        except OSError as error:
            room.release()
            if error.errno in _SHUT:
                return
            time.sleep(PAUSE_S)  # no descriptor is free
            continue
        try:
            Thread(target=served, args=(connection,), daemon=True).start()
        except RuntimeError:  # no thread is to be had
            room.release()
            connection.close()
            time.sleep(PAUSE_S)
