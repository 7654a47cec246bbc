"""A bare repository behind HTTP, which asks for a job's token as GitHub does."""

import base64
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fakes.listening import Handler, listening


class _Handler(Handler):
    root: Path
    token: str

    def respond(self) -> None:
        expected = base64.b64encode(f"x-access-token:{self.token}".encode()).decode()
        if self.headers["authorization"] != f"Basic {expected}":
            self.answer(401, www_authenticate='Basic realm="GitHub"')
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
            input=self._chunks() if "transfer-encoding" in self.headers else self.body(),
            env={"PATH": os.environ["PATH"], **variables},
            capture_output=True,
            check=True,
        )
        head, _, body = ran.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.answer(int(fields.pop("Status", "200").split()[0]), body, **fields)

    def _chunks(self) -> bytes:
        """What git sends piece by piece, since it does not know how long it will be."""
        found = b""
        while length := int(self.rfile.readline(), 16):
            found += self.rfile.read(length)
            self.rfile.readline()
        self.rfile.readline()
        return found


@contextmanager
def serve(root: Path, repository: str, token: str) -> Iterator[str]:
    """The address of a server for a new ``repository`` below ``root``."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(root / repository)], check=True)
    with listening(_Handler, root=root, token=token) as url:
        yield url
