"""A local HTTP server that speaks as much of OpenAI's chat API as the tests need."""

import json
import select
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from fakes.listening import Handler, listening


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
    message = {"role": "assistant", "content": text}
    whole = {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": "served",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }
    return Answer(body=json.dumps(whole))


def streamed(*pieces: object, done: bool = True, **options: Any) -> Answer:
    """A stream of events, each a text of the reply or a whole piece as JSON has it."""
    events = [piece if isinstance(piece, dict) else delta(content=piece) for piece in pieces]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    text = ": ping\n\n" + "".join(lines) + ("data: [DONE]\n\n" if done else "")
    return Answer(body=text, content_type="text/event-stream; charset=utf-8", **options)


def delta(finish: str | None = None, **message: object) -> dict[str, Any]:
    """A piece of a stream."""
    return {"choices": [{"index": 0, "delta": message, "finish_reason": finish}]}


def usage() -> dict[str, Any]:
    """The last piece of a stream, where the client wants to know."""
    return {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7}}


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
    state, ending = ChatServer(url=""), threading.Event()
    given = {"answers": answers, "pages": pages or {}, "state": state, "ending": ending}
    with listening(_Handler, **given) as url:
        state.url = f"{url}/v1"
        try:
            yield state
        finally:
            ending.set()


class _Handler(Handler):
    protocol_version = "HTTP/1.1"
    answers: Sequence[Answer]
    pages: Mapping[str, Answer]
    state: ChatServer
    ending: threading.Event

    def respond(self) -> None:
        self.state.heads.append(self.lowered())
        self.state.paths.append(self.path)
        if self.command == "GET":
            self._send(self.pages.get(self.path, Answer(status=404, body='{"error": "no such page"}')))
        else:
            self.state.requests.append(json.loads(self.body()))
            self._send(self.answers[min(len(self.state.requests), len(self.answers)) - 1])

    def _send(self, answer: Answer) -> None:
        data = answer.body.encode()
        self.close_connection = True
        self.send_response(answer.status)
        promised = len(data) * answer.repeat + (1000 if answer.cut or answer.stalled else 0)
        sent = {"Connection": "close", "Content-Type": answer.content_type, "Content-Length": str(promised)}
        for name, value in [*sent.items(), *answer.headers.items()]:
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):
            for _ in range(answer.repeat):
                self.wfile.write(data)
            self.wfile.flush()
        while answer.stalled and not self.ending.is_set() and not self._hung_up():
            pass

    def _hung_up(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0.05)
        with suppress(ConnectionError):
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        return True
