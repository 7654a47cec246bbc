"""A local HTTP server that speaks as much of OpenAI's chat API as the tests need."""

import json
import select
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One HTTP response; ``body`` is sent as it is, ``repeat`` times.

    ``cut``: the connection ends before as much came as was promised. ``stalled``: nothing more comes, and the
    connection stays open, until the client hangs up or the server ends.
    """

    body: str
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    repeat: int = 1
    cut: bool = False
    stalled: bool = False


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


def streamed(*pieces: object, done: bool = True, **options: Any) -> Answer:
    """A stream of events, each a text of the reply or a whole piece as JSON has it."""
    events = [piece if isinstance(piece, dict) else delta(content=piece) for piece in pieces]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    text = ": ping\n\n" + "".join(lines) + ("data: [DONE]\n\n" if done else "")
    return Answer(body=text, content_type="text/event-stream; charset=utf-8", **options)


def delta(finish: str | None = None, **message: object) -> dict[str, Any]:
    """A piece of a stream."""
    return {"choices": [{"index": 0, "delta": message, "finish_reason": finish}]}


def usage(prompt_tokens: int = 11, completion_tokens: int = 7) -> dict[str, Any]:
    """The last piece of a stream, where the client wants to know."""
    return {
        "choices": [],
        "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens},
    }


def whole_stream(text: str) -> Answer:
    """A stream as it should be."""
    half = len(text) // 2
    return streamed(delta(role="assistant"), text[:half], text[half:], delta("stop"), usage())


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
def serving(answers: Sequence[Answer], *, pages: Mapping[str, Answer] | None = None) -> Iterator[ChatServer]:
    """A server that gives ``answers`` to what is posted, in order, and the last one again and again.

    ``pages`` are what it answers to a GET, by path.
    """
    state = ChatServer(url="")
    ending = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.requests.append(json.loads(body))
            self._note()
            self._send(answers[min(len(state.requests), len(answers)) - 1])

        def do_GET(self) -> None:
            self._note()
            self._send((pages or {}).get(self.path, Answer(status=404, body='{"error": "no such page"}')))

        def _note(self) -> None:
            state.heads.append({name.lower(): value for name, value in self.headers.items()})
            state.paths.append(self.path)

        def _send(self, answer: Answer) -> None:
            data = answer.body.encode()
            self.close_connection = True
            self.send_response(answer.status)
            self.send_header("Connection", "close")
            self.send_header("Content-Type", answer.content_type)
            promised = len(data) * answer.repeat + (1000 if answer.cut or answer.stalled else 0)
            self.send_header("Content-Length", str(promised))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(ConnectionError):
                for _ in range(answer.repeat):
                    self.wfile.write(data)
                self.wfile.flush()
            while answer.stalled and not ending.is_set() and not self._hung_up():
                pass

        def _hung_up(self) -> bool:
            readable, _, _ = select.select([self.connection], [], [], 0.05)
            with suppress(ConnectionError):
                return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
            return True

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
            ending.set()
            server.shutdown()
            thread.join()
