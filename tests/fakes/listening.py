"""A server of the standard library on a free port, in a thread of its own."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

POLL_S = 0.005


class _Server(ThreadingHTTPServer):
    """Ends at once, whatever connections its clients still hold open."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self.open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), handler)

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


class Handler(BaseHTTPRequestHandler):
    """Answers requests of every method by ``respond``; its log says nothing."""

    def respond(self) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self.respond()

    do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = do_GET  # noqa: N815 - names of the library

    def body(self) -> bytes:
        """What the request brought."""
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def lowered(self) -> dict[str, str]:
        """The request's headers."""
        return {name.lower(): value for name, value in self.headers.items()}

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        """A whole response; the names of headers have underscores here."""
        self.send_response(status)
        for name, value in {**headers, "content_length": str(len(body))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler], **state: object) -> Iterator[str]:
    """The address of a server; ``state`` are attributes that its handlers have."""
    server = _Server(type("Handler", (handler,), state))
    thread = threading.Thread(target=server.serve_forever, args=(POLL_S,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.cut_all()
        server.server_close()
        thread.join()
