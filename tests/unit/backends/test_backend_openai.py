"""The client of chat servers, against a real local server in every mood."""

import json
import socket
from contextlib import ExitStack, closing

import pytest
from fakes.chatserver import Answer, completion, failure, serving

from bot.backends.openai import OpenAIBackend
from bot.domain import Usage
from bot.errors import ContextOverflow, ModelUnavailable
from bot.ports import Message

KEY = "sk-very-secret-0123456789"
ASK = [Message(role="system", content="Be brief."), Message(role="user", content="Why?")]
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_BASE_URL", "OPENAI_ORG_ID"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def start():
    with ExitStack() as stack:

        def run(*answers, retries=2):
            server = stack.enter_context(serving(answers))
            backend = OpenAIBackend(model="small", api_key=KEY, base_url=server.url, retries=retries)
            stack.callback(backend._client.close)
            return server, backend

        yield run


def test_a_reply_with_what_it_cost(start):
    server, backend = start(completion("Because.", prompt_tokens=12, completion_tokens=3))
    reply = backend.complete(ASK, temperature=0.4, max_tokens=77)
    assert (reply.text, reply.model) == ("Because.", "small")
    assert reply.usage == Usage(calls=1, prompt_tokens=12, completion_tokens=3)
    (asked,) = server.requests
    assert asked["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Why?"},
    ]
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == ("small", 0.4, 77)
    assert "response_format" not in asked
    assert server.paths == ["/v1/chat/completions"]
    assert server.heads[0]["authorization"] == f"Bearer {KEY}"


def test_the_schema_is_sent(start):
    server, backend = start(completion("{}"))
    backend.complete(ASK, schema=SCHEMA)
    assert server.requests[0]["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_server_that_refuses_the_schema_is_asked_without_from_then_on(start):
    server, backend = start(failure(400, "unknown field: response_format"), completion("a"), completion("b"))
    assert backend.complete(ASK, schema=SCHEMA).text == "a"
    assert backend.complete(ASK, schema=SCHEMA).text == "b"
    assert ["response_format" in asked for asked in server.requests] == [True, False, False]
    assert {asked["max_tokens"] for asked in server.requests} == {1024}


def test_a_schema_that_is_not_to_blame_ends_in_the_servers_words(start):
    server, backend = start(failure(400, "no such parameter: temperature"))
    with pytest.raises(ModelUnavailable, match=r"small refused the request: .*temperature"):
        backend.complete(ASK, schema=SCHEMA)
    assert len(server.requests) == 2


def test_too_many_requests_are_asked_again(start):
    server, backend = start(failure(429, "slow down", retry_after="0"), completion("now"))
    assert backend.complete(ASK).text == "now"
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_a_server_that_stays_broken_is_given_up(start, status):
    server, backend = start(failure(status, "on fire"), retries=2)
    with pytest.raises(ModelUnavailable, match=f"small answered with status {status}: .*on fire"):
        backend.complete(ASK)
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_is_not_asked_again_and_shows_no_key(start, status):
    server, backend = start(failure(status, f"Incorrect API key provided: {KEY}."))
    with pytest.raises(ModelUnavailable) as caught:
        backend.complete(ASK)
    assert f"status {status}" in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 4096 tokens.",
        "error: context_length_exceeded",
        "the request exceeds the available context size",
        "input is too long: too many tokens",
    ],
)
def test_a_prompt_that_does_not_fit(start, message):
    server, backend = start(failure(400, message))
    with pytest.raises(ContextOverflow, match="the prompt does not fit small"):
        backend.complete(ASK, schema=SCHEMA)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body="<html>It works!</html>", content_type="text/html"),
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
        backend.complete(ASK)
    assert str(caught.value).startswith("small answered without a choice")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("body", ['{"message": {}}', '{"message": {"content": null}}'])
def test_an_empty_reply_is_a_reply(start, body):
    _, backend = start(Answer(body=f'{{"choices": [{body}]}}'))
    assert backend.complete(ASK).text == ""


@pytest.mark.parametrize(
    "usage",
    ["null", "{}", '"much"', '{"prompt_tokens": null}', '{"prompt_tokens": "9"}', '{"prompt_tokens": -5}'],
)
def test_a_server_that_does_not_count(start, usage):
    _, backend = start(Answer(body=f'{{"choices": [{{"message": {{"content": "a"}}}}], "usage": {usage}}}'))
    assert backend.complete(ASK).usage == Usage(calls=1)


def test_a_reply_with_a_lone_surrogate_can_be_printed_and_saved(start):
    _, backend = start(Answer(body=json.dumps({"choices": [{"message": {"content": "a \udcff b"}}]})))
    text = backend.complete(ASK).text
    assert text.startswith("a ")
    assert text.endswith(" b")


def test_undecodable_bytes_of_a_source_file_can_be_sent(start):
    server, backend = start(completion("fine"))
    backend.complete([Message(role="user", content="name = '\udce9\ud800 \u00e9'")])
    assert server.requests[0]["messages"][0]["content"] == "name = '?? \u00e9'"


def test_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    backend = OpenAIBackend(model="small", api_key=KEY, base_url=url, retries=0)
    with closing(backend._client), pytest.raises(ModelUnavailable) as caught:
        backend.complete(ASK)
    assert url in str(caught.value)
    assert "check OPENAI_BASE_URL" in str(caught.value)


def test_a_password_in_the_servers_address_is_not_shown():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://user:hidden@127.0.0.1:{free.getsockname()[1]}/v1"
    backend = OpenAIBackend(model="small", api_key=KEY, base_url=url, retries=0)
    with closing(backend._client), pytest.raises(ModelUnavailable) as caught:
        backend.complete(ASK)
    assert "hidden" not in str(caught.value)


def test_the_servers_words_cannot_move_the_cursor(start):
    _, backend = start(failure(403, "no\x1b[2J\r\nentry" + "x" * 900))
    with pytest.raises(ModelUnavailable) as caught:
        backend.complete(ASK)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_the_key_is_not_in_the_backends_repr(start):
    _, backend = start(completion("a"))
    assert KEY not in repr(backend)
