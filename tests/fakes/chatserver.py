"""A local HTTP server that speaks as much of OpenAI's chat API as the tests need."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One HTTP response; ``body`` is sent as it is."""

    body: str
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


def completion(text: str | None, *, prompt_tokens: int = 11, completion_tokens: int = 7) -> Answer:
    """An answer of a server that does what it should."""
    return Answer(
        body=json.dumps(
            {
                "id": "chat-1",
                "object": "chat.completion",
                "created": 1,
                "model": "served",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "stop",
                        "message": {"role": "assistant", "content": text},
                    }
                ],
                "usage": {
                    "prompt_tokens": prompt_tokens,
                    "completion_tokens": completion_tokens,
                    "total_tokens": prompt_tokens + completion_tokens,
                },
            }
        )
    )


def failure(status: int, message: str, **headers: str) -> Answer:
    """An error as OpenAI words it; a retry, where there is one, comes without a wait."""
    error = {"error": {"message": message, "type": "error", "code": None}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, body=json.dumps(error), headers={"retry-after-ms": "1", **named})


@dataclass
class ChatServer:
    """``url`` is where it listens; ``requests`` are the bodies that it got, ``heads`` their headers."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


@contextmanager
def serving(answers: Sequence[Answer]) -> Iterator[ChatServer]:
    """A server that gives ``answers`` in order, and the last one again and again."""
    state = ChatServer(url="")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.requests.append(json.loads(body))
            state.heads.append({name.lower(): value for name, value in self.headers.items()})
            state.paths.append(self.path)
            answer = answers[min(len(state.requests), len(answers)) - 1]
            data = answer.body.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(data)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        state.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
