"""A network for one step that reaches named hosts alone: a proxy of ours outside, and a way to it inside.

The step has a network namespace with nothing but its own loopback. There, ``forward`` listens on the proxy's
port, and on each address of this machine's loopback that is named; what comes goes through a Unix socket to
this process. The proxy (RFC 9110, section 9.3.6) connects to a host that is allowed and to no other, and lets
no tunnel begin whose first message asks for another server there. What comes behind that, it does not read.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit

from sandbox.environment.connections import Connections, Serve, listening
from sandbox.environment.forward import carry
from sandbox.environment.server_name import HEAD, record_length, server_name

INSIDE = "/opt/regreen/network"
PROXY, PORT = "proxy", 3128
MAX_HEAD, HEAD_S, CONNECT_S = 1 << 16, 30.0, 30.0
MAX_REFUSED = 20
_HTTPS, _HTTP = 443, 80
_REQUEST = re.compile(rb"([A-Z]+) (\S+) (HTTP/1\.[01])\r\n")
_OWN_HEADERS = re.compile(rb"\r\n(?:(?:proxy-)?connection|host)[ \t]*:[^\r\n]*", re.IGNORECASE)
# Lines that go on in the next one, or end in another way: not every server reads them alike.
_ODD = re.compile(rb"\n[ \t]|(?<!\r)\n|\r(?!\n)|\0")

Place = tuple[str, int]


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
    proxy: HostFilter, *, loopback: Collection[Place], directory: Path, python: str
) -> Iterator[FilteredNetwork]:
    """For one step that ``python`` can prepare; the sockets lie in ``directory``, which is made.

    Args:
        proxy: says which hosts may be reached.
        loopback: addresses and ports of this machine's loopback that the step reaches under the same ones.
        directory: is only for this step.
        python: runs inside.

    Raises:
        OSError: the sockets cannot be made.
    """
    ports = {port for _host, port in loopback}
    own = next(port for port in range(PORT, PORT + len(ports) + 1) if port not in ports)
    near = {(_address(host), port): (host, port) for host, port in sorted(loopback)}
    ways = [("127.0.0.1", own, PROXY)]
    ways += [(address, port, f"{number}") for number, (address, port) in enumerate(near)]
    directory.mkdir(mode=0o755)
    with ExitStack() as held:
        place = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        held.callback(os.close, place)
        held.enter_context(listening(place, PROXY, proxy.serve))
        for (_host, _port, name), outside in zip(ways[1:], near.values(), strict=True):
            held.enter_context(listening(place, name, _to(outside)))
        program = resources.files("sandbox.environment").joinpath("forward.py").read_text("utf-8")
        given = [f"{host}={port}={INSIDE}/{name}" for host, port, name in ways]
        yield FilteredNetwork(
            words=("--unshare-net", "--ro-bind", str(directory), INSIDE),
            before=(python, "-I", "-S", "-c", program, *given, "--"),
            variables=_variables(f"http://127.0.0.1:{own}", [host for host, _port, _name in ways]),
        )


def _address(host: str) -> str:
    """The address of a loopback's name; an address stays what it is."""
    return host if _is_address(host) else "127.0.0.1"


def _variables(proxy: str, near: Collection[str]) -> dict[str, str]:
    named = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), proxy)
    named["NO_PROXY"] = ",".join(dict.fromkeys(("localhost", "127.0.0.1", "::1", *near)))
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

    def serve(self, connection: socket.socket, connections: Connections) -> None:
        """Serve one connection, and close it."""
        connection.settimeout(HEAD_S)
        head, rest = _head(connection)
        wanted = _wanted(head)
        if wanted is None:
            _answer(connection, "400 Bad Request", "this is a proxy for HTTP/1")
        elif wanted.place not in self.allowed:
            self._refuse(wanted.place)
            _answer(connection, "403 Forbidden", "this program may not reach that host")
        else:
            self._pass_on(connection, wanted, rest, connections)

    def _pass_on(
        self, connection: socket.socket, wanted: _Wanted, rest: bytes, connections: Connections
    ) -> None:
        try:
            outside = socket.create_connection(wanted.place, CONNECT_S)
        except OSError:
            _answer(connection, "502 Bad Gateway", "that host cannot be reached")
            return
        with connections.holding(outside), suppress(OSError):
            begun = wanted.head + rest
            if not wanted.head:
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                begun, name = _hello(connection, rest)
                if name != wanted.place[0] and not _is_address(wanted.place[0]):
                    self._refuse((name or "what does not begin with a server's name", wanted.place[1]))
                    return
            connection.settimeout(None)
            outside.settimeout(None)
            outside.sendall(begun)
            carry(connection, outside)

    def _refuse(self, place: Place) -> None:
        shown = "".join(c for c in _shown(place) if c.isprintable())[:200]
        with self._lock:
            if shown not in self.refused and len(self.refused) < MAX_REFUSED:
                self.refused.append(shown)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Where a request is to go, and its ``head`` as that host gets it: nothing for a tunnel."""

    place: Place
    head: bytes


def _wanted(head: bytes) -> _Wanted | None:
    request = _REQUEST.match(head)
    if request is None or _ODD.search(head):
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
    own = _OWN_HEADERS.sub(b"", b"\r\n" + head[request.end() :])
    first = b"%s %s %s\r\nHost: %s" % (
        method,
        path.encode("latin-1"),
        version,
        _shown(place).encode("latin-1"),
    )
    return _Wanted(place, first + b"\r\nConnection: close" + own)


def _is_address(host: str) -> bool:
    """Whether ``host`` is an address, for which a client names no server."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _hello(connection: socket.socket, begun: bytes) -> tuple[bytes, str]:
    """The first record of a tunnel, with all that came of it, and the host that it names.

    Raises:
        OSError: it does not come in time.
    """
    data, end = begun, HEAD
    while len(data) < end:
        chunk = connection.recv(end - len(data))
        if not chunk:
            return data, ""
        data += chunk
        if end == HEAD and len(data) >= HEAD:
            end = HEAD + record_length(data[:HEAD])
    return data, server_name(data[HEAD : HEAD + record_length(data[:HEAD])])


def _shown(place: Place) -> str:
    host, port = place
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _place(host: str) -> Place:
    url = urlsplit(f"//{host}")
    name = (url.hostname or "").rstrip(".")
    with suppress(UnicodeError):
        name = name if name.isascii() else name.encode("idna").decode("ascii")
    return name, url.port or _HTTPS


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


def _to(place: Place) -> Serve:
    """Carries a connection to ``place``."""

    def serve(connection: socket.socket, connections: Connections) -> None:
        outside = socket.create_connection(place, CONNECT_S)
        with connections.holding(outside):
            connection.settimeout(None)
            outside.settimeout(None)
            carry(connection, outside)

    return serve
