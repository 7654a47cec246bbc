"""Names, and sockets within the machine."""

from __future__ import annotations

import asyncio
import http.client
import http.server
import os
import select
import socket
import ssl
import struct
import tempfile
import threading
from typing import Any, Awaitable, Callable, List, Tuple

from .answers import TRUE, TYPE, VALUE, Call, quickly, raised

HELLO = b"hello"
TIMEOUT_S = 10


def _serve_once(listening: socket.socket) -> None:
    caller, _ = listening.accept()
    with caller:
        caller.sendall(caller.recv(100))


def _echo(family: int, address: Any, connect_to: Callable[[Any], Any] = lambda bound: bound) -> bytes:
    """What comes back from a listening socket at ``address``."""
    with socket.socket(family, socket.SOCK_STREAM) as listening:
        listening.bind(address)
        listening.listen(1)
        thread = threading.Thread(target=_serve_once, args=(listening,), daemon=True)
        thread.start()
        with socket.socket(family, socket.SOCK_STREAM) as calling:
            calling.settimeout(TIMEOUT_S)
            calling.connect(connect_to(listening.getsockname()))
            calling.sendall(HELLO)
            return calling.recv(100)


def _by_name(bound: Tuple[Any, ...]) -> Tuple[Any, ...]:
    return ("localhost", *bound[1:])


def _create_connection() -> bytes:
    with socket.create_server(("localhost", 0)) as listening:
        threading.Thread(target=_serve_once, args=(listening,), daemon=True).start()
        with socket.create_connection(("localhost", listening.getsockname()[1]), TIMEOUT_S) as calling:
            calling.sendall(HELLO)
            return calling.recv(100)


def _datagram() -> bytes:
    with socket.socket(type=socket.SOCK_DGRAM) as one, socket.socket(type=socket.SOCK_DGRAM) as other:
        one.bind(("localhost", 0))
        one.settimeout(TIMEOUT_S)
        other.sendto(HELLO, one.getsockname())
        return one.recv(100)


def _multicast() -> int:
    with socket.socket(type=socket.SOCK_DGRAM) as sending:
        return sending.sendto(HELLO, ("224.0.0.251", 9))


def _join_multicast() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as one:
        joined = struct.pack("4s4s", socket.inet_aton("224.0.0.251"), socket.inet_aton("127.0.0.1"))
        one.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, joined)


def _unix(kind: int = socket.SOCK_STREAM) -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "socket")
        if kind == socket.SOCK_STREAM:
            return _echo(socket.AF_UNIX, path)
        with socket.socket(socket.AF_UNIX, kind) as one, socket.socket(socket.AF_UNIX, kind) as other:
            one.bind(path)
            other.sendto(HELLO, path)
            return one.recv(100)


def _pair() -> bytes:
    one, other = socket.socketpair()
    with one, other:
        one.sendall(HELLO)
        return other.recv(100)


def _addresses(family: int) -> List[str]:
    """Of localhost; some machines name it more than once."""
    return sorted({str(found[4][0]) for found in socket.getaddrinfo("localhost", 80, family)})


def _configured(family: int) -> bool:
    """Whether localhost has an address of ``family``, of those that this machine could reach others from."""
    return bool(socket.getaddrinfo("localhost", 80, family, flags=socket.AI_ADDRCONFIG))


def _low_port() -> None:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(("127.0.0.1", 1))


def _two_at_one_port() -> bool:
    with socket.socket() as one, socket.socket() as other:
        for each in (one, other):
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.bind(("127.0.0.1", 0))
        other.bind(one.getsockname())
        return True


def _closed_port() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    socket.create_connection(("127.0.0.1", port), TIMEOUT_S)


async def _handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(await reader.read(100))
    await writer.drain()
    writer.close()


async def _asyncio(unix: bool) -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "socket")
        server: Any
        if unix:
            server = await asyncio.start_unix_server(_handle, path)
            reader, writer = await asyncio.open_unix_connection(path)
        else:
            server = await asyncio.start_server(_handle, "localhost", 0)
            port = server.sockets[0].getsockname()[1]
            reader, writer = await asyncio.open_connection(server.sockets[0].getsockname()[0], port)
        writer.write(HELLO)
        data = await reader.read(100)
        writer.close()
        server.close()
        return data


async def _look_up() -> bool:
    return bool(await asyncio.get_event_loop().getaddrinfo("localhost", 80))


def _run(coroutine: Awaitable[Any]) -> Any:
    return asyncio.run(coroutine)  # type: ignore[arg-type]


class _Silent(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_values: Any) -> None:
        pass


def _http() -> int:
    with http.server.HTTPServer(("localhost", 0), _Silent) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        calling = http.client.HTTPConnection("localhost", server.server_port, timeout=TIMEOUT_S)
        calling.request("GET", "/")
        status = calling.getresponse().status
        calling.close()
        return status


def _waited(make: Callable[[], Any]) -> bool:
    one, other = socket.socketpair()
    with one, other:
        waiting = make()
        waiting.register(other.fileno(), 1)
        one.sendall(HELLO)
        return bool(waiting.poll(TIMEOUT_S * 1000))


CALLS: List[Call] = [
    ("socket.gethostbyname('localhost')", VALUE, lambda: socket.gethostbyname("localhost")),
    ("socket.getaddrinfo('localhost', IPv4)", VALUE, lambda: _addresses(socket.AF_INET)),
    ("socket.getaddrinfo('localhost', IPv6)", TYPE, lambda: _addresses(socket.AF_INET6)),
    ("socket.getaddrinfo with AI_ADDRCONFIG, IPv4", VALUE, lambda: _configured(socket.AF_INET)),
    ("socket.getaddrinfo with AI_ADDRCONFIG, IPv6", VALUE, lambda: _configured(socket.AF_INET6)),
    ("socket.getaddrinfo(None)", TYPE, lambda: socket.getaddrinfo(None, 80)),
    ("socket.gethostname()", TYPE, lambda: socket.gethostname()),
    ("socket.gethostbyname(socket.gethostname())", TYPE, lambda: socket.gethostbyname(socket.gethostname())),
    ("socket.getfqdn()", TYPE, lambda: socket.getfqdn()),
    ("socket.gethostbyaddr('127.0.0.1')", TYPE, lambda: socket.gethostbyaddr("127.0.0.1")),
    ("socket.getnameinfo of port 80", VALUE, lambda: socket.getnameinfo(("127.0.0.1", 80), 0)[1]),
    ("socket.getservbyname('http')", VALUE, lambda: socket.getservbyname("http")),
    ("socket.getservbyname('https', 'tcp')", VALUE, lambda: socket.getservbyname("https", "tcp")),
    ("socket.getservbyname('smtp')", VALUE, lambda: socket.getservbyname("smtp")),
    ("socket.getservbyname('domain', 'udp')", VALUE, lambda: socket.getservbyname("domain", "udp")),
    ("socket.getservbyport(22)", VALUE, lambda: socket.getservbyport(22)),
    ("socket.getprotobyname('tcp')", VALUE, lambda: socket.getprotobyname("tcp")),
    ("socket.getprotobyname('icmp')", VALUE, lambda: socket.getprotobyname("icmp")),
    ("the interface lo", TRUE, lambda: "lo" in [name for _, name in socket.if_nameindex()]),
    ("a name that nobody has", VALUE, lambda: raised(lambda: socket.gethostbyname("no-such-name.invalid"))),
    (
        "a name of the outside fails at once",
        TRUE,
        lambda: quickly(lambda: socket.gethostbyname("example.com")),
    ),
    (
        "an address of the outside",
        TRUE,
        lambda: quickly(lambda: socket.create_connection(("192.0.2.1", 9), 10)),
    ),
    ("TCP at 127.0.0.1", VALUE, lambda: _echo(socket.AF_INET, ("127.0.0.1", 0))),
    (
        "TCP at 127.0.0.1, called as localhost",
        VALUE,
        lambda: _echo(socket.AF_INET, ("127.0.0.1", 0), _by_name),
    ),
    ("TCP at localhost", VALUE, lambda: _echo(socket.AF_INET, ("localhost", 0))),
    ("TCP at all addresses", VALUE, lambda: _echo(socket.AF_INET, ("", 0), _by_name)),
    ("TCP at the machine's own name", VALUE, lambda: _echo(socket.AF_INET, (socket.gethostname(), 0))),
    ("TCP at ::1", VALUE, lambda: _echo(socket.AF_INET6, ("::1", 0))),
    ("socket.create_connection by localhost", VALUE, _create_connection),
    ("UDP at localhost", VALUE, _datagram),
    ("UDP to a multicast address", VALUE, _multicast),
    ("a multicast group on lo", VALUE, _join_multicast),
    ("a UNIX socket", VALUE, _unix),
    ("a UNIX socket for datagrams", VALUE, lambda: _unix(socket.SOCK_DGRAM)),
    ("an abstract UNIX socket", VALUE, lambda: _echo(socket.AF_UNIX, "\0regreen-likeness-%d" % os.getpid())),
    ("socket.socketpair()", VALUE, _pair),
    ("SO_REUSEPORT", VALUE, _two_at_one_port),
    ("a port where nobody listens", VALUE, lambda: raised(_closed_port)),
    ("a port below 1024", VALUE, lambda: raised(_low_port)),
    ("asyncio: a server at localhost", VALUE, lambda: _run(_asyncio(False))),
    ("asyncio: a UNIX socket", VALUE, lambda: _run(_asyncio(True))),
    ("asyncio: loop.getaddrinfo", VALUE, lambda: _run(_look_up())),
    ("http.server and http.client", VALUE, _http),
    ("select.poll", VALUE, lambda: _waited(select.poll)),
    ("select.epoll", VALUE, lambda: _waited(select.epoll)),
    ("ssl: the lowest version", VALUE, lambda: ssl.create_default_context().minimum_version),
    ("ssl: the machine's certificates", VALUE, lambda: bool(ssl.create_default_context().get_ca_certs())),
]
