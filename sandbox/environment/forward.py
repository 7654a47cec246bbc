"""Carry connections from one socket to another. Runs INSIDE as a program as well, before a step.

As a program it listens on ports of a loopback that nothing else can reach, carries each connection to the
Unix socket that belongs to the port, and becomes the step. Standard library only.
"""

import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread

CHUNK = 1 << 16


def carry(one: socket.socket, other: socket.socket) -> None:
    """Hand on what comes from each to the other until both have ended; both are closed then."""
    back = Thread(target=_hand_on, args=(other, one), daemon=True)
    back.start()
    _hand_on(one, other)
    back.join()
    one.close()
    other.close()


def _hand_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while chunk := source.recv(CHUNK):
            sink.sendall(chunk)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def _serve(listening: socket.socket, path: str) -> None:
    while True:
        connection, _ = listening.accept()
        Thread(target=_connect, args=(connection, path), daemon=True).start()


def _connect(connection: socket.socket, path: str) -> None:
    outside = socket.socket(socket.AF_UNIX)
    try:
        outside.connect(path)
    except OSError:
        connection.close()
        outside.close()
        return
    carry(connection, outside)


def _serve_all(sockets: Mapping[str, socket.socket]) -> None:
    """Serve in a process of its own that keeps nothing of the step's open."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    threads = [Thread(target=_serve, args=(listening, path)) for path, listening in sockets.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main() -> None:
    """Arguments: ``ADDRESS=PORT=PATH`` for each way, ``--``, and the step's words."""
    end = sys.argv.index("--")
    sockets = {}
    for given in sys.argv[1:end]:
        address, port, path = given.split("=", 2)
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        sockets[path] = socket.create_server((address, int(port)), family=family)
    if os.fork() == 0:
        try:
            _serve_all(sockets)
        finally:
            os._exit(1)
    for listening in sockets.values():
        listening.close()
    os.execvp(sys.argv[end + 1], sys.argv[end + 1 :])  # noqa: S606 - the words as they were given


if __name__ == "__main__":
    main()
