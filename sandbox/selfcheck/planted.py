"""What the checks plant on the host, so that an attack which gets out has something to find.

A secret in the environment, in files at home and in the temporary directories, and behind real sockets. All
of it is random, and gone when the context ends.
"""

import os
import secrets
import selectors
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from sandbox import leftovers
from sandbox.environment.own_network import own_address
from sandbox.owner import mark, start_time

PREFIX = "self-check-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """``secret`` is what must not be seen inside; the rest says where it lies."""

    secret: str
    variable: str
    files: tuple[str, ...]
    sockets: tuple[tuple[str, object], ...]
    pid: int
    started: str


@contextmanager
def planted() -> Iterator[Planted]:
    """Plant a secret all over the host."""
    secret = secrets.token_hex(16)
    variable = f"REGREEN_SELF_CHECK_{secrets.token_hex(4).upper()}"
    with ExitStack() as resources:
        files = tuple(resources.enter_context(_file(directory, secret)) for directory in _directories())
        sockets = resources.enter_context(_sockets(secret))
        os.environ[variable] = secret
        resources.callback(os.environ.pop, variable, None)
        yield Planted(
            secret=secret,
            variable=variable,
            files=files,
            sockets=sockets,
            pid=os.getpid(),
            started=start_time(os.getpid()),
        )


def _directories() -> list[str]:
    # Where nobody knows of a home, the directory is called "~", and there is none.
    wanted = {os.path.expanduser("~"), tempfile.gettempdir(), "/var/tmp", "/dev/shm", os.getcwd()}  # noqa: S108
    return [
        directory
        for directory in sorted(wanted)
        if os.path.isdir(directory) and os.access(directory, os.W_OK)
    ]


@contextmanager
def _file(directory: str, secret: str) -> Iterator[str]:
    descriptor, path = tempfile.mkstemp(prefix=mark() + PREFIX, dir=directory)
    try:
        os.write(descriptor, secret.encode())
        os.close(descriptor)
        yield path
    finally:
        with suppress(FileNotFoundError):
            os.remove(path)


@contextmanager
def _sockets(secret: str) -> Iterator[tuple[tuple[str, object], ...]]:
    """Sockets of the host that answer whoever knocks with the secret."""
    abstract = mark() + PREFIX + secrets.token_hex(8)
    with ExitStack() as resources:
        directory = resources.enter_context(leftovers.directory(PREFIX))
        os.chmod(directory, 0o755)  # noqa: S103 - so that somebody inside could knock, too
        path = os.path.join(directory, "socket")
        wanted: list[tuple[str, int, object]] = [
            *(("abstract", socket.AF_UNIX, f"\0{abstract}"), ("path", socket.AF_UNIX, path)),
        ]
        for host in filter(None, ("127.0.0.1", "::1", own_address())):
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            wanted += [("tcp", family, (host, 0)), ("udp", family, (host, 0))]
        listening = [(kind, bound) for kind, family, at in wanted if (bound := _bound(kind, family, at))]
        for _, bound in listening:
            resources.enter_context(bound)
        resources.enter_context(_answering([bound for _, bound in listening], secret.encode()))
        names = {"abstract": abstract, "path": path}
        yield tuple((kind, names.get(kind) or bound.getsockname()[:2]) for kind, bound in listening)


def _bound(kind: str, family: int, address: Any) -> socket.socket | None:  # noqa: ANN401 - a pair, or a name
    listening = socket.socket(family, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
    try:
        listening.bind(address)
        if kind != "udp":
            listening.listen()
    except OSError:  # no IPv6 here, for one
        listening.close()
        return None
    return listening


@contextmanager
def _answering(listening: list[socket.socket], answer: bytes) -> Iterator[None]:
    stop_read, stop_write = os.pipe()
    thread = threading.Thread(target=_answer_all, args=(listening, stop_read, answer), daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.close(stop_write)
        thread.join()
        os.close(stop_read)


def _answer_all(listening: list[socket.socket], stop: int, answer: bytes) -> None:
    with selectors.DefaultSelector() as waiting:
        waiting.register(stop, selectors.EVENT_READ)
        for one in listening:
            waiting.register(one, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if not isinstance(key.fileobj, socket.socket):
                    return
                with suppress(OSError):
                    _answer(key.fileobj, answer)


def _answer(knocked: socket.socket, answer: bytes) -> None:
    if knocked.type == socket.SOCK_DGRAM:
        _, peer = knocked.recvfrom(100)
        knocked.sendto(answer, peer)
        return
    caller, _ = knocked.accept()
    with caller:
        caller.sendall(answer)
