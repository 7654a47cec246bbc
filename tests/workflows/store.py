"""Artifacts of a run of a workflow: what one job hands to the next, where a test can see it."""

import io
import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TOKEN = "runtime-token-of-the-run"
POLL_S = 0.005


@dataclass(slots=True)
class Store:
    """Archives by the names of artifacts."""

    url: str = ""
    artifacts: dict[str, bytes] = field(default_factory=dict)

    def put(self, name: str, content: bytes) -> int:
        """Keep ``content``; the status for it. A name is taken once."""
        if name in self.artifacts:
            return 409
        self.artifacts[name] = content
        return 201

    def extract(self, name: str, directory: Path) -> None:
        """What an artifact holds, into ``directory``."""
        with tarfile.open(fileobj=io.BytesIO(self.artifacts[name])) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python has it since 3.11.4
            archive.extractall(directory)


class _Handler(BaseHTTPRequestHandler):
    store: Store

    def log_message(self, *_: object) -> None:
        pass

    def do_PUT(self) -> None:
        content = self.rfile.read(int(self.headers["content-length"]))
        self._answer(self.store.put(self.path.lstrip("/"), content) if self._may() else 401, b"")

    def do_GET(self) -> None:
        name = self.path.lstrip("/")
        names = json.dumps(sorted(self.store.artifacts)).encode()
        found = self.store.artifacts.get(name) if name else names
        if not self._may():
            self._answer(401, b"")
        elif found is None:
            self._answer(404, b"")
        else:
            self._answer(200, found)

    def _may(self) -> bool:
        return self.headers["authorization"] == f"Bearer {TOKEN}"

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serve() -> Iterator[Store]:
    """A store on a free port."""
    store = Store()
    handler = type("Handler", (_Handler,), {"store": store})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    store.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(POLL_S,), daemon=True)
    thread.start()
    try:
        yield store
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
