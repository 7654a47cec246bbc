"""A stand-in for the hub's file protocol: lists, resolves, redirects to storage, answers ranges, and fails.

As the hub does: a HEAD on ``resolve`` tells commit, size and ETag, the SHA-256 for a file in large-file
storage, and sends on to another address for the content; a GET there may ask for a range.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import unquote

from fakes.listening import Handler, listening

COMMIT = "0123456789abcdef0123456789abcdef01234567"
_RESOLVE = re.compile(r"/(?P<repo>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<file>.+)")
_INFO = re.compile(r"/api/models/(?P<repo>[^/]+/[^/]+)(?:/revision/(?P<revision>[^/]+))?(?:/tree/.*)?")


@dataclass
class HubServer:
    """``files`` are what it holds; ``served`` are requests, as ``METHOD path range``.

    ``drops`` is how many downloads break off in the middle, ``damaged`` whether the content is not what the
    ETag says, ``gated`` and ``private`` repositories need what their names say, ``thief`` is where storage
    is said to be.
    """

    files: Mapping[str, bytes]
    url: str = ""
    drops: int = 0
    damaged: bool = False
    gated: bool = False
    private: bool = False
    served: list[str] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    storage_url: str = ""

    def content(self, name: str) -> bytes:
        content = self.files[name]
        return content[:-1] + bytes([content[-1] ^ 1]) if self.damaged else content


class _Handler(Handler):
    state: HubServer
    protocol_version = "HTTP/1.1"

    def respond(self) -> None:
        path = unquote(self.path.partition("?")[0])
        self.close_connection = True
        self.state.served.append(" ".join(filter(None, (self.command, path, self.headers.get("range")))))
        self.state.heads.append(self.lowered())
        if path.startswith("/storage/"):
            self._content(path.removeprefix("/storage/"))
        elif match := _RESOLVE.fullmatch(path):
            self._resolve(match)
        elif match := _INFO.fullmatch(path):
            self._info(match["repo"], match["revision"])
        else:
            self._send(404, b"{}")

    def _resolve(self, match: re.Match[str]) -> None:
        if self._refused(match["repo"], match["revision"]):
            return
        content = self.state.files.get(match["file"])
        if content is None:
            self._send(404, b"", {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT})
            return
        self._send(
            302,
            b"",
            {
                "X-Repo-Commit": COMMIT,
                "X-Linked-Etag": f'"{hashlib.sha256(content).hexdigest()}"',
                "X-Linked-Size": str(len(content)),
                "Location": f"{self.state.storage_url}/storage/{match['file']}",
            },
        )

    def _info(self, repo: str, revision: str | None) -> None:
        if self._refused(repo, revision or "main"):
            return
        siblings = [{"rfilename": name} for name in self.state.files]
        body = {"id": repo, "modelId": repo, "sha": COMMIT, "siblings": siblings, "private": False}
        tree = [{"type": "file", "path": name, "size": 1, "oid": "0" * 40} for name in self.state.files]
        self._send(200, json.dumps(tree if "/tree/" in self.path else body).encode())

    def _refused(self, repo: str, revision: str) -> bool:
        if self.state.gated:
            self._send(403, b"{}", {"X-Error-Code": "GatedRepo"})
        elif repo != "owner/repo" or (self.state.private and "authorization" not in self.headers):
            self._send(401, b"{}", {"X-Error-Code": "RepoNotFound"})
        elif revision not in {"main", COMMIT}:
            self._send(404, b"{}", {"X-Error-Code": "RevisionNotFound"})
        else:
            return False
        return True

    def _content(self, name: str) -> None:
        content = self.state.content(name)
        begin = int((self.headers.get("range") or "bytes=0-").partition("=")[2].partition("-")[0])
        part, total = content[begin:], len(content)
        headers = {"Content-Range": f"bytes {begin}-{total - 1}/{total}"} if begin else {}
        if self.state.drops:
            self.state.drops -= 1
            self._send(206 if begin else 200, part, headers, sent=len(part) // 2)
        else:
            self._send(206 if begin else 200, part, headers)

    def _send(
        self, status: int, body: bytes, headers: Mapping[str, str] | None = None, *, sent: int = -1
    ) -> None:
        self.send_response(status)
        plain = {"Connection": "close", "Content-Type": "application/json", "Content-Length": str(len(body))}
        for name, value in {**plain, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            with suppress(ConnectionError):
                self.wfile.write(body[:sent] if sent >= 0 else body)


@contextmanager
def hub(files: Mapping[str, bytes], **options: object) -> Iterator[HubServer]:
    """A hub with one repository, ``owner/repo``."""
    state = HubServer(files=files, **options)
    with listening(_Handler, state=state) as url:
        state.url = url
        # Another host, as the hub's storage is.
        state.storage_url = url.replace("127.0.0.1", "localhost")
        yield state
