"""The proxy of a coding agent: who may be reached through it, and that nobody else can be."""

import os
import socket
import sys
import threading
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from fakes.tls import hello

from sandbox.environment import host_filter
from sandbox.environment.connections import MAX_CONNECTIONS, Connections
from sandbox.environment.host_filter import HostFilter, filtered_network
from sandbox.environment.watched import confined, watch


class Handler(BaseHTTPRequestHandler):
    """Says which path it was asked for, and with which headers."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        named = (self.headers.get(name) for name in ("Connection", "X-Own"))
        body = " ".join([self.path, *map(str, named), *self.headers.get_all("Host")]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments): ...


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@contextmanager
def proxied(*hosts):
    """A connection to a proxy for ``hosts``, and the proxy."""
    proxy = HostFilter(hosts)
    ours, its = socket.socketpair()
    connections = Connections()

    def serve():
        with connections.holding(its):
            proxy.serve(its, connections)

    thread = threading.Thread(target=serve)
    thread.start()
    with ours:
        ours.settimeout(10)
        yield ours, proxy
    thread.join()


def answer(connection):
    data = b""
    while chunk := connection.recv(4096):
        data += chunk
    return data.decode("utf-8", "surrogateescape")


@pytest.fixture
def echo():
    """The port of a server that sends back what it gets."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        while data := connection.recv(4096):
                            connection.sendall(data)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"


def test_a_tunnel_to_an_allowed_host_carries_both_ways(echo):
    with proxied(f"localhost:{echo}") as (connection, proxy):
        connection.sendall(f"CONNECT localhost:{echo} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert connection.recv(len(ESTABLISHED)) == ESTABLISHED
        said = hello("localhost") + b"and more"
        connection.sendall(said[:9])
        connection.sendall(said[9:])
        connection.shutdown(socket.SHUT_WR)
        assert answer(connection).encode("utf-8", "surrogateescape") == said
        assert proxy.refused == []


@pytest.mark.parametrize(
    ("begun", "refused"),
    [
        (hello("evil.example"), "evil.example"),
        (hello(None), "what does not begin with a server's name"),
        (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "what does not begin with a server's name"),
        (b"\x16\x03\x01\xff\xff" + b"x" * 70_000, "what does not begin with a server's name"),
        (b"\x16\x03", "what does not begin with a server's name"),
    ],
)
def test_no_other_server_is_asked_for_through_a_tunnel(begun, refused, echo):
    with proxied(f"localhost:{echo}") as (connection, proxy):
        connection.sendall(f"CONNECT localhost:{echo} HTTP/1.1\r\n\r\n".encode())
        assert connection.recv(len(ESTABLISHED)) == ESTABLISHED
        with suppress(OSError):
            connection.sendall(begun)
            connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            assert answer(connection) == ""
    assert proxy.refused == [f"{refused}:{echo}"]


def test_a_plain_request_reaches_its_host_once_and_in_the_usual_form(server):
    with proxied(f"127.0.0.1:{server}") as (connection, _):
        headers = "Host: evil.example\r\nProxy-Connection: keep-alive\r\nX-Own: 7\r\n\r\n"
        connection.sendall(f"GET http://127.0.0.1:{server}/a?b=1 HTTP/1.1\r\n{headers}".encode())
        assert answer(connection).endswith(f"/a?b=1 close 7 127.0.0.1:{server}")


@pytest.mark.parametrize(
    ("target", "refused"),
    [
        ("CONNECT example.org:443", "example.org:443"),
        ("CONNECT good.example:80", "good.example:80"),
        ("CONNECT good.example.evil.example:443", "good.example.evil.example:443"),
        ("CONNECT 169.254.169.254:80", "169.254.169.254:80"),
        ("GET http://localhost:22/", "localhost:22"),
        ("GET http://good.example@evil.example/", "evil.example:80"),
    ],
)
def test_every_other_host_and_port_is_refused_and_named(target, refused):
    with proxied("good.example") as (connection, proxy):
        connection.sendall(f"{target} HTTP/1.1\r\n\r\n".encode())
        assert answer(connection).startswith("HTTP/1.1 403 ")
        assert proxy.refused == [refused]


@pytest.mark.parametrize(
    "said",
    [
        b"\x16\x03\x01\x02\x00\r\n\r\n",
        b"CONNECT [::1 HTTP/1.1\r\n\r\n",
        b"CONNECT good.example:99999 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET ftp://good.example:443/ HTTP/1.1\r\n\r\n",
        b"x" * host_filter.MAX_HEAD,
        b"GET http://good.example:443/ HTTP/1.1\r\n ,keep-alive\r\n\r\n",
        b"GET http://good.example:443/ HTTP/1.1\r\nA: b\nHost: c\r\n\r\n",
    ],
)
def test_what_is_no_request_to_a_proxy_is_answered_so(said):
    with proxied("good.example") as (connection, _):
        connection.sendall(said)
        connection.shutdown(socket.SHUT_WR)
        assert answer(connection).startswith("HTTP/1.1 400 ")


def test_a_name_is_the_same_in_any_case_and_with_its_last_dot():
    with proxied("Good.Example") as (connection, proxy):
        connection.sendall(b"CONNECT GOOD.example.:443 HTTP/1.1\r\n\r\n")
        assert "502" in answer(connection)
        assert proxy.refused == []


ASK = """
import http.client, socket, sys
def asked(host, port, target, tunnel=None):
    try:
        connection = http.client.HTTPConnection(host, port, timeout=10)
        if tunnel:
            connection.set_tunnel(*tunnel)
        connection.request('GET', target)
        return connection.getresponse().read().decode()
    except OSError as error:
        return type(error).__name__ + ' ' + str(error)
"""


@pytest.mark.bubblewrap
def test_inside_there_is_the_proxy_the_named_port_and_nothing_else(tmp_path, server):
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as other:
        script = (
            f"{ASK}\nimport os\n"
            f"print(asked('127.0.0.1', {server}, '/direct'))\n"
            f"print(asked('127.0.0.1', {other.server_port}, '/other'))\n"
            f"print(asked('127.0.0.1', 3128, '/', ('example.org', 443)))\n"
            f"print(os.environ['HTTPS_PROXY'], sorted(name for _, name in socket.if_nameindex()))\n"
        )
        proxy = HostFilter(["good.example"])
        network = filtered_network(
            proxy, loopback=[("localhost", server)], directory=tmp_path / "net", python=sys.executable
        )
        with confined(sys.executable, readable={}, writable={}, variables={}, network=network) as around:
            done = watch(
                [*around.words, sys.executable, "-c", script],
                environment={},
                timeout_s=30,
                descriptors=around.descriptors,
                connected=around.connected,
            )
    lines = done.said.splitlines()
    assert lines[0].startswith("/direct ")
    assert "ConnectionRefusedError" in lines[1]
    assert "403" in lines[2]
    assert lines[3] == "http://127.0.0.1:3128 ['lo']"
    assert proxy.refused == ["example.org:443"]
    assert done.exit_status == 0


def test_the_way_inside_moves_where_its_port_is_taken(tmp_path):
    both = [("127.0.0.1", 3128), ("localhost", 3128)]
    directory = tmp_path / "net"
    with filtered_network(HostFilter([]), loopback=both, directory=directory, python=sys.executable) as made:
        assert [way.split("=")[:2] for way in made.before[5:-1]] == [
            ["127.0.0.1", "3129"],
            ["127.0.0.1", "3128"],
        ]
        assert made.variables["http_proxy"] == "http://127.0.0.1:3129"


def test_no_connection_hangs_where_the_client_says_nothing(monkeypatch):
    monkeypatch.setattr(host_filter, "HEAD_S", 0.01)
    with proxied("good.example") as (connection, _):
        assert answer(connection).startswith("HTTP/1.1 400 ")


def network_of(proxy, directory):
    return filtered_network(proxy, loopback=[], directory=directory, python=sys.executable)


def test_a_hundred_silent_connections_cost_no_more_than_their_share(tmp_path, echo):
    place = tmp_path / ("long" * 25)  # longer than the path of a socket may be
    place.mkdir()
    before = threading.active_count()
    with network_of(HostFilter([f"localhost:{echo}"]), place / "net"), ExitStack() as held:
        silent = [held.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(100)]
        here = os.open(place / "net", os.O_RDONLY)
        held.callback(os.close, here)
        for one in silent:
            one.connect(f"/proc/self/fd/{here}/proxy")
        assert threading.active_count() - before <= MAX_CONNECTIONS + 1
        for one in silent[:-1]:
            one.close()
        silent[-1].settimeout(10)
        silent[-1].sendall(b"CONNECT other.example:443 HTTP/1.1\r\n\r\n")
        assert answer(silent[-1]).startswith("HTTP/1.1 403 ")
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.name.startswith("regreen-proxy"):
            thread.join(10)
            assert not thread.is_alive()
