"""The sockets: the API and the storage, each a threading server of the standard library on a free port.

The storage is another server, as GitHub's is: short-lived addresses without any right to see a token. It
refuses a request that brings one.
"""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

from fakes.github.routing import Answer
from fakes.github.server import GitHubServer, Request
from fakes.github.world import World
from fakes.listening import Handler, listening


class _Handler(Handler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    github: GitHubServer

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
    def respond(self) -> None:
        self.send(self.github.answer(self.command, self.path, self.lowered(), self.body()))


class _Storage(_Handler):
    def respond(self) -> None:
        path = urlsplit(self.path).path
        content = self.github.stored.get(path)
        if "authorization" in self.headers:
            answer = Answer(status=400, body=b"InvalidAuthenticationInfo")
        elif content is None:
            answer = Answer(status=404, body=b"BlobNotFound")
        else:
            answer = Answer(body=content)
            if self.github.cuts:
                self.github.cuts -= 1
                answer = Answer(body=content[: len(content) // 2], headers={"x-whole": str(len(content))})
        headers, status = self.lowered(), answer.status
        self.github.downloads.append(Request(method="GET", path=path, headers=headers, status=status))
        self.send(answer)


@contextmanager
def serve() -> Iterator[GitHubServer]:
    """A GitHub on a free port, and its storage on another."""
    github = GitHubServer(World())
    with ExitStack() as stack:
        github.url = stack.enter_context(listening(_Api, github=github))
        github.storage_url = stack.enter_context(listening(_Storage, github=github))
        yield github
    if github.crashes:
        raise ExceptionGroup("the stand-in has faults of its own", github.crashes)
