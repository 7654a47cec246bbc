"""A bare repository behind HTTP, which asks for a job's token as GitHub does."""

import base64
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

POLL_S = 0.005


class _Handler(BaseHTTPRequestHandler):
    root: Path
    token: str

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        expected = base64.b64encode(f"x-access-token:{self.token}".encode()).decode()
        if self.headers["authorization"] != f"Basic {expected}":
            self.send_response(401)
            self.send_header("www-authenticate", 'Basic realm="GitHub"')
            self.send_header("content-length", "0")
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        variables = {
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "x-access-token",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("content-type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding", ""),
        }
        ran = subprocess.run(
            ["git", "http-backend"],
            input=self.rfile.read(int(self.headers.get("content-length", 0))),
            env={"PATH": os.environ["PATH"], **variables},
            capture_output=True,
            check=True,
        )
        head, _, body = ran.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in {**fields, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the name that the library asks for


@contextmanager
def serve(root: Path, repository: str, token: str) -> Iterator[str]:
    """The address of a server for a new ``repository`` below ``root``."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(root / repository)], check=True)
    handler = type("Handler", (_Handler,), {"root": root, "token": token})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(POLL_S,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
