"""The sockets: the API and the storage, each a threading server of the standard library on a free port.

The storage is another server, as GitHub's is: short-lived addresses without any right to see a token. It
refuses a request that brings one.
"""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from fakes.github.routing import Answer
from fakes.github.server import GitHubServer, Request
from fakes.github.world import World

POLL_S = 0.005


class _Server(ThreadingHTTPServer):
    """Ends at once, whatever connections its clients still hold open."""

    daemon_threads = True
    block_on_close = False
    github: GitHubServer

    def __init__(self, host: str, handler: type[BaseHTTPRequestHandler]) -> None:
        self.open: set[socket.socket] = set()
        super().__init__((host, 0), handler)

    def process_request(self, request, client_address) -> None:
        self.open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request) -> None:
        self.open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request, client_address) -> None:
        """A client that hangs up is none of ours."""

    def cut_all(self) -> None:
        for one in list(self.open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def log_message(self, *_: object) -> None:
        pass

    def version_string(self) -> str:
        return "github.com"

    def send(self, answer: Answer) -> None:
        body = answer.body if answer.body is not None else b""
        if answer.json is not None:
            body = json.dumps(answer.json).encode()
        if answer.status == 0:
            self.close_connection = True
            with suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(answer.status)
        kind = "application/json; charset=utf-8" if answer.json is not None else "text/plain"
        for name, value in {"content-type": kind, **answer.headers}.items():
            self.send_header(name, value)
        if answer.status != 204:
            self.send_header("content-length", answer.headers.get("x-whole", str(len(body))))
            self.close_connection = "x-whole" in answer.headers
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


class _Api(_Handler):
    def do_GET(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.send(self.server.github.answer(self.command, self.path, headers, raw))

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET  # noqa: N815 - the names that the library asks for


class _Storage(_Handler):
    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        content = self.server.github.stored.get(path)
        if "authorization" in self.headers:
            answer = Answer(status=400, body=b"InvalidAuthenticationInfo")
        elif content is None:
            answer = Answer(status=404, body=b"BlobNotFound")
        else:
            answer = Answer(body=content)
            if self.server.github.cuts:
                self.server.github.cuts -= 1
                answer = Answer(body=content[: len(content) // 2], headers={"x-whole": str(len(content))})
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.github.downloads.append(
            Request(method="GET", path=path, query={}, headers=headers, body=None, status=answer.status)
        )
        self.send(answer)


@contextmanager
def serve(*, host: str = "127.0.0.1", world: World | None = None) -> Iterator[GitHubServer]:
    """A GitHub on a free port of ``host``, and its storage on another."""
    github = GitHubServer(world or World())
    with ExitStack() as stack:
        github.url = stack.enter_context(_listening(host, _Api, github))
        github.storage_url = stack.enter_context(_listening(host, _Storage, github))
        yield github
    if github.crashes:
        raise ExceptionGroup("the stand-in has faults of its own", github.crashes)


@contextmanager
def _listening(host: str, handler: type[_Handler], github: GitHubServer) -> Iterator[str]:
    server = _Server(host, handler)
    server.github = github
    thread = threading.Thread(target=server.serve_forever, args=(POLL_S,), daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.cut_all()
        server.server_close()
        thread.join()
