"""A network for one step that reaches named hosts alone: a proxy of ours outside, and a way to it inside.

The step has a network namespace with nothing but its own loopback. There, ``forward`` listens on the proxy's
port, and on each port of this machine's loopback that is named; what comes goes through a Unix socket to this
process. The proxy connects to a host that is allowed and to no other; it reads no more than where a
connection wants to go (RFC 9110, section 9.3.6).
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from threading import Lock, Thread
from urllib.parse import urlsplit

from sandbox.environment.forward import carry

INSIDE = "/opt/regreen/network"
PROXY, PORT = "proxy", 3128
MAX_HEAD, HEAD_S, CONNECT_S = 1 << 16, 30.0, 30.0
MAX_REFUSED = 20
_HTTPS, _HTTP = 443, 80
_REQUEST = re.compile(rb"([A-Z]+) (\S+) (HTTP/1\.[01])\r\n")
_CONNECTION = re.compile(rb"\r\n(?:proxy-)?connection:[^\r\n]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilteredNetwork:
    """See ``StepNetwork``."""

    words: tuple[str, ...]
    before: tuple[str, ...]
    variables: Mapping[str, str]
    descriptors: tuple[int, ...] = ()

    def connected(self) -> AbstractContextManager[None]:
        """Nothing has to be done once bwrap has begun."""
        return nullcontext()


@contextmanager
def filtered_network(
    proxy: HostFilter, *, loopback: Collection[int], directory: Path, python: str
) -> Iterator[FilteredNetwork]:
    """For one step that ``python`` can prepare; the sockets lie in ``directory``, which is made.

    Args:
        proxy: says which hosts may be reached.
        loopback: ports of this machine's loopback that the step reaches under the same numbers.
        directory: is short: the path of a Unix socket has at most 107 bytes.
        python: runs inside.

    Raises:
        OSError: the sockets cannot be made.
    """
    own = next(port for port in range(PORT, PORT + len(loopback) + 1) if port not in loopback)
    directory.mkdir(mode=0o755)
    with ExitStack() as held:
        held.enter_context(_listening(directory / PROXY, proxy.serve))
        for port in loopback:
            held.enter_context(_listening(directory / str(port), _to_loopback(port)))
        ports = {own: PROXY, **{port: str(port) for port in loopback}}
        program = resources.files("sandbox.environment").joinpath("forward.py").read_text("utf-8")
        ways = [f"{port}={INSIDE}/{name}" for port, name in ports.items()]
        yield FilteredNetwork(
            words=("--unshare-net", "--ro-bind", str(directory), INSIDE),
            before=(python, "-I", "-S", "-c", program, *ways, "--"),
            variables=_variables(f"http://127.0.0.1:{own}"),
        )


def _variables(proxy: str) -> dict[str, str]:
    named = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), proxy)
    named["NO_PROXY"] = "localhost,127.0.0.1,::1"
    # Node's own fetch minds the others from Node 24 on, where this is set.
    return {**named, **{name.lower(): value for name, value in named.items()}, "NODE_USE_ENV_PROXY": "1"}


class HostFilter:
    """An HTTP proxy for ``hosts`` alone: ``NAME`` (its port 443) or ``NAME:PORT``.

    ``allowed`` are these as names and ports, ``refused`` what else somebody wanted to reach.
    """

    def __init__(self, hosts: Collection[str]) -> None:
        self.allowed = {_place(host) for host in hosts}
        self.refused: list[str] = []
        self._lock = Lock()

    def serve(self, connection: socket.socket) -> None:
        """Serve one connection, and close it."""
        with connection:
            connection.settimeout(HEAD_S)
            head, rest = _head(connection)
            wanted = _wanted(head)
            if wanted is None:
                _answer(connection, "400 Bad Request", "this is a proxy for HTTP/1")
            elif wanted.place not in self.allowed:
                self._refuse(wanted.place)
                _answer(connection, "403 Forbidden", "this program may not reach that host")
            else:
                _pass_on(connection, wanted, rest)

    def _refuse(self, place: tuple[str, int]) -> None:
        shown = "".join(c for c in f"{place[0]}:{place[1]}" if c.isprintable())[:200]
        with self._lock:
            if shown not in self.refused and len(self.refused) < MAX_REFUSED:
                self.refused.append(shown)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Where a request is to go, and its ``head`` as that host gets it: nothing for a tunnel."""

    place: tuple[str, int]
    head: bytes


def _wanted(head: bytes) -> _Wanted | None:
    request = _REQUEST.match(head)
    if request is None:
        return None
    method, target, version = request.groups()
    is_tunnel = method == b"CONNECT"
    try:
        url = urlsplit(f"//{target.decode('latin-1')}" if is_tunnel else target.decode("latin-1"))
        port = url.port or (_HTTPS if is_tunnel else _HTTP)
    except ValueError:
        return None
    place = ((url.hostname or "").lower().rstrip("."), port)
    if is_tunnel:
        return _Wanted(place, b"")
    if url.scheme != "http":
        return None
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    # A second request on this connection may name another host: there is none.
    own = _CONNECTION.sub(b"", b"\r\n" + head[request.end() :])
    return _Wanted(place, b"%s %s %s\r\nConnection: close%s" % (method, path.encode("latin-1"), version, own))


def _pass_on(connection: socket.socket, wanted: _Wanted, rest: bytes) -> None:
    try:
        outside = socket.create_connection(wanted.place, CONNECT_S)
    except OSError:
        _answer(connection, "502 Bad Gateway", "that host cannot be reached")
        return
    with outside:
        connection.settimeout(None)
        outside.settimeout(None)
        with suppress(OSError):
            if not wanted.head:
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            outside.sendall(wanted.head + rest)
        carry(connection, outside)


def _place(host: str) -> tuple[str, int]:
    url = urlsplit(f"//{host}")
    return (url.hostname or "").rstrip("."), url.port or _HTTPS


def _head(connection: socket.socket) -> tuple[bytes, bytes]:
    """A request up to the empty line, and what came after it; empty where there is none."""
    data = b""
    with suppress(OSError):
        while b"\r\n\r\n" not in data and len(data) < MAX_HEAD:
            chunk = connection.recv(4096)
            if not chunk:
                break
            data += chunk
    head, end, rest = data.partition(b"\r\n\r\n")
    return (head + end, rest) if end else (b"", b"")


def _answer(connection: socket.socket, status: str, why: str) -> None:
    body = f"Regreen: {why}\n".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n"
    with suppress(OSError):
        connection.sendall(f"{head}Connection: close\r\n\r\n".encode() + body)


def _to_loopback(port: int) -> Callable[[socket.socket], None]:
    def serve(connection: socket.socket) -> None:
        try:
            outside = socket.create_connection(("localhost", port), CONNECT_S)
        except OSError:
            connection.close()
            return
        outside.settimeout(None)
        carry(connection, outside)

    return serve


@contextmanager
def _listening(path: Path, serve: Callable[[socket.socket], None]) -> Iterator[None]:
    """Serve each connection to a new Unix socket at ``path``, until the context ends."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        path.chmod(0o666)
        listening.listen()
        thread = Thread(target=_accept, args=(listening, serve), name="regreen-proxy", daemon=True)
        thread.start()
        try:
            yield
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def _accept(listening: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listening.accept()
            Thread(target=serve, args=(connection,), daemon=True).start()
