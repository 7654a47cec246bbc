"""The client of chat servers, against a real local server that breaks off, stalls, floods or is not there."""

import socket
from contextlib import closing

import pytest
from every_case import every_case
from fakes.chatserver import Answer, streamed
from fakes.patience import Patience
from openai_support import ASK, backend_at

from bot.backends import bounds
from bot.errors import ConfigurationError, ModelUnavailable
from bot.ports import ChatRequest


def test_a_server_that_stays_silent_is_given_up(start):
    _, backend = start(Answer(body="", stalled=True), silence=0.1, retries=1)
    with pytest.raises(ModelUnavailable, match=r"small said nothing for 0.1 s, at http"):
        backend.complete(ChatRequest(ASK))


def test_an_error_within_a_stream(start):
    broken = streamed("half", {"error": {"message": "out of memory", "code": 503}})
    server, backend = start(broken, retries=1)
    with pytest.raises(ModelUnavailable, match="status 503: out of memory"):
        backend.complete(ChatRequest(ASK))
    assert len(server.requests) == 2


def test_a_giant_reply_is_cut_and_said_to_be(start):
    piece = streamed("x" * 100_000, done=False)
    _, backend = start(Answer(body=piece.body, content_type=piece.content_type, repeat=15))
    reply = backend.complete(ChatRequest(ASK))
    assert (len(reply.text), reply.truncated) == (1_000_000, True)


@pytest.mark.parametrize("status", [200, 400])
def test_a_giant_answer_that_is_no_stream_is_not_kept(start, monkeypatch, status):
    monkeypatch.setattr(bounds, "BODY_BYTES", 1 << 20)
    server, backend = start(Answer(body="x" * 65_536, repeat=100, status=status))
    with pytest.raises(ModelUnavailable, match="sent more than 1 MiB"):
        backend.complete(ChatRequest(ASK))
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body="It works!", content_type="text/plain"),
        Answer(body="{'not': json", content_type="application/json"),
        Answer(body="", content_type="application/json"),
        Answer(body="[]"),
        Answer(body="null"),
        Answer(body='"text"'),
        Answer(body="{}"),
        Answer(body='{"choices": null}'),
        Answer(body='{"choices": []}'),
        Answer(body='{"choices": {"0": 1}}'),
        Answer(body='{"choices": [null]}'),
        Answer(body='{"choices": [{}]}'),
        Answer(body='{"choices": [{"message": null}]}'),
        Answer(body='{"choices": [{"message": "text"}]}'),
        Answer(body='{"choices": [{"message": {"content": ["parts"]}}]}'),
    ],
    ids=lambda answer: answer.body[:40] or "empty",
)
def test_an_answer_that_is_no_completion(start, answer):
    _, backend = start(answer)
    with pytest.raises(ModelUnavailable) as caught:
        backend.complete(ChatRequest(ASK))
    assert str(caught.value).startswith("small answered without a choice")
    assert "\n" not in str(caught.value)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_nobody_listens():
    url = f"http://127.0.0.1:{free_port()}/v1"
    patience = Patience()
    with closing(backend_at(url, patience=patience)) as backend, pytest.raises(ModelUnavailable) as caught:
        backend.complete(ChatRequest(ASK))
    assert url in str(caught.value)
    assert "check --base-url" in str(caught.value)
    assert len(patience.slept) == 2  # it may be about to start


def test_a_password_in_the_servers_address_is_not_shown():
    url = f"http://user:hidden@127.0.0.1:{free_port()}/v1"
    with closing(backend_at(url, retries=0)) as backend, pytest.raises(ModelUnavailable) as caught:
        backend.complete(ChatRequest(ASK))
    assert "hidden" not in str(caught.value)
    assert "hidden" not in backend.endpoint


@every_case("url", ["nonsense", "ftp://host/v1", "http://", "/v1", "http://host:port/"])
def test_an_address_that_is_none(url):
    with pytest.raises(ConfigurationError, match=r"base-url: .* is no address of a server"):
        backend_at(url)
