"""The client of chat servers, against a real local server that breaks off, stalls, floods or is not there."""

import socket
from contextlib import closing

import pytest
from every_case import every_case
from fakes.chatserver import Answer, completion, failure, serving, streamed, whole_stream
from fakes.patience import Patience
from openai_support import ASK, SCHEMA, backend_at

from bot.backends import bounds
from bot.errors import ConfigurationError, ContextOverflow, ModelUnavailable
from bot.ports import ChatRequest


@pytest.mark.parametrize(
    "broken",
    [
        streamed("half", done=False),
        streamed("half"),
        streamed("half", cut=True, done=False),
        Answer(body="data: {not json\n\n", content_type="text/event-stream"),
        Answer(body="", content_type="application/json", cut=True),
    ],
    ids=["no end", "no reason to end", "hung up", "no JSON", "nothing"],
)
def test_a_reply_that_broke_off_is_asked_for_again(start, broken):
    patience = Patience()
    server, backend = start(broken, whole_stream("whole"), patience=patience)
    assert backend.complete(ChatRequest(ASK)).text == "whole"
    assert len(server.requests) == 2
    assert len(patience.slept) == 1


def test_a_stream_that_stalls_is_cut(start):
    _server, backend = start(
        streamed("half", stalled=True, done=False), whole_stream("whole"), silence=0.2, retries=9
    )
    assert backend.complete(ChatRequest(ASK)).text == "whole"


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


def test_too_long_a_prompt_within_a_stream(start):
    words = {
        "message": "exceeds the available context size",
        "type": "exceed_context_size_error",
        "code": 400,
    }
    _, backend = start(streamed({"error": words}))
    with pytest.raises(ContextOverflow):
        backend.complete(ChatRequest(ASK))


def test_a_giant_reply_is_cut_and_said_to_be(start):
    piece = streamed("x" * 100_000, done=False)
    _, backend = start(Answer(body=piece.body, content_type=piece.content_type, repeat=15))
    reply = backend.complete(ChatRequest(ASK))
    assert (len(reply.text), reply.truncated) == (1_000_000, True)


def test_a_giant_answer_that_is_no_stream_is_not_kept(start, monkeypatch):
    monkeypatch.setattr(bounds, "BODY_BYTES", 1 << 20)
    server, backend = start(Answer(body="x" * 65_536, repeat=100))
    with pytest.raises(ModelUnavailable, match="sent more than 1 MiB"):
        backend.complete(ChatRequest(ASK))
    assert len(server.requests) == 1


def test_a_giant_error_is_not_kept_either(start, monkeypatch):
    monkeypatch.setattr(bounds, "BODY_BYTES", 1 << 20)
    _, backend = start(Answer(body="x" * 65_536, repeat=100, status=400))
    with pytest.raises(ModelUnavailable, match="sent more than 1 MiB"):
        backend.complete(ChatRequest(ASK))


def test_a_redirect_to_another_host_gets_neither_key_nor_code(start):
    with serving([completion("stolen")]) as thief:
        url = thief.url.replace("127.0.0.1", "localhost")
        moved = Answer(body="", status=307, headers={"location": f"{url}/chat/completions"})
        server, backend = start(moved)
        with pytest.raises(ModelUnavailable, match=r"small redirects to .*localhost.*set the final address"):
            backend.complete(ChatRequest(ASK))
        assert thief.requests == []
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 4096 tokens.",
        "error: context_length_exceeded",
        "the request exceeds the available context size",
        "input is too long: too many tokens",
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
        "request (3030 tokens) exceeds the available context size (2048 tokens), try increasing it",
        "The prompt is too long: 250000, model maximum context length: 131071",
        "the input length exceeds the context length",
        "The decoder prompt (length 9) is longer than the maximum model length of 8",
    ],
)
def test_a_prompt_that_does_not_fit(start, message):
    server, backend = start(failure(400, message))
    with pytest.raises(ContextOverflow, match="the prompt does not fit small"):
        backend.complete(ChatRequest(ASK, schema=SCHEMA))
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
