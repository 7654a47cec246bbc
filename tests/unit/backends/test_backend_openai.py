"""The client of chat servers, against a real local server: replies, their cost, the context of a model."""

import dataclasses
import json

import pytest
from fakes.chatserver import Answer, completion, delta, failure, streamed, usage, whole_stream
from openai_support import ASK, KEY

from bot.backends.prices import Price
from bot.domain import Usage
from bot.errors import ModelUnavailable
from bot.ports import ChatRequest, Message


def test_a_reply_with_what_it_cost(start):
    server, backend = start(completion("Because.", prompt_tokens=12, completion_tokens=3))
    reply = backend.complete(ChatRequest(ASK, temperature=0.4, max_tokens=77))
    assert (reply.text, reply.model) == ("Because.", "small")
    assert reply.usage == Usage(calls=1, prompt_tokens=12, completion_tokens=3)
    assert (reply.truncated, reply.tool_calls) == (False, ())
    (asked,) = server.requests
    assert asked["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Why?"},
    ]
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == ("small", 0.4, 77)
    assert "response_format" not in asked
    assert server.paths == ["/v1/chat/completions"]
    assert server.heads[0]["authorization"] == f"Bearer {KEY}"


def test_a_stream_is_put_together_and_its_progress_told(start):
    said = []
    _, backend = start(whole_stream("Because it is."), listen=said.append)
    reply = backend.complete(ChatRequest(ASK))
    assert reply.text == "Because it is."
    assert reply.usage == Usage(calls=1, prompt_tokens=11, completion_tokens=7)
    assert said == ["small: 1 tokens so far"]  # the clock stands still, so once


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "application/octet-stream"])
@pytest.mark.parametrize("answer", [whole_stream("yes"), completion("yes")], ids=["stream", "whole"])
def test_a_reply_under_another_content_type(start, answer, kind):
    _, backend = start(dataclasses.replace(answer, content_type=kind))
    assert backend.complete(ChatRequest(ASK)).text == "yes"


def test_a_reply_at_its_limit_says_so(start):
    _, backend = start(streamed("half a", delta("length"), usage()))
    assert backend.complete(ChatRequest(ASK)).truncated


def test_a_stream_without_counts_is_estimated_and_marked(start):
    _, backend = start(streamed("x" * 70, delta("stop")))
    counted = backend.complete(ChatRequest(ASK)).usage
    assert (counted.completion_tokens, counted.prompt_tokens) == (21, 4)
    assert counted.estimated_tokens == 25


def test_a_price_is_counted(start):
    _server, backend = start(
        completion("a", prompt_tokens=1_000, completion_tokens=500), price=Price(prompt=2.0, completion=8.0)
    )
    assert backend.complete(ChatRequest(ASK)).usage.cost == pytest.approx(0.006)


@pytest.mark.parametrize(
    ("stated", "price", "cost"),
    [
        ("0.0125", Price(prompt=0.0, completion=0.0), 0.0125),
        ("0", Price(prompt=0.0, completion=0.0), 0.0),
        ("0.0125", Price(prompt=2.0, completion=8.0), 0.006),
        ("-3", Price(prompt=0.0, completion=0.0), 0.0),
        ("NaN", Price(prompt=0.0, completion=0.0), 0.0),
        ("1e99", Price(prompt=2.0, completion=8.0), 0.006),
        ('"free"', Price(prompt=0.0, completion=0.0), 0.0),
        ("true", Price(prompt=0.0, completion=0.0), 0.0),
    ],
)
def test_what_a_server_states_is_the_cost_where_no_price_is_known(start, stated, price, cost):
    counts = f'{{"prompt_tokens": 1000, "completion_tokens": 500, "cost": {stated}}}'
    answer = Answer(body=f'{{"choices": [{{"message": {{"content": "a"}}}}], "usage": {counts}}}')
    _server, backend = start(answer, price=price)
    assert backend.complete(ChatRequest(ASK)).usage.cost == pytest.approx(cost)


@pytest.mark.parametrize(
    ("content", "begin", "end"), [(None, "", ""), ("a \udcff b", "a ", " b")], ids=["empty", "lone surrogate"]
)
def test_an_odd_reply_is_a_reply_that_can_be_printed_and_saved(start, content, begin, end):
    _, backend = start(Answer(body=json.dumps({"choices": [{"message": {"content": content}}]})))
    text = backend.complete(ChatRequest(ASK)).text
    assert text.encode().decode().startswith(begin)
    assert text.endswith(end)
    assert len(text) <= 5


@pytest.mark.parametrize(
    "usage",
    ["null", "{}", '"much"', '{"prompt_tokens": null}', '{"prompt_tokens": "9"}', '{"prompt_tokens": -5}'],
)
def test_a_server_that_does_not_count(start, usage):
    _, backend = start(Answer(body=f'{{"choices": [{{"message": {{"content": "a"}}}}], "usage": {usage}}}'))
    assert backend.complete(ChatRequest(ASK)).usage == Usage(
        calls=1, prompt_tokens=4, completion_tokens=1, estimated_tokens=5
    )


def test_undecodable_bytes_of_a_source_file_can_be_sent(start):
    server, backend = start(completion("fine"))
    backend.complete(ChatRequest([Message(role="user", content="name = '\udce9\ud800 \u00e9'")]))
    assert server.requests[0]["messages"][0]["content"] == "name = '?? \u00e9'"


@pytest.mark.parametrize(
    ("pages", "tokens"),
    [
        ({}, 0),
        ({"/v1/models": {"data": [{"id": "small", "max_model_len": 4096}]}}, 4096),
        ({"/v1/models": {"data": [{"id": "other", "meta": {"n_ctx": 2048}}]}}, 2048),
        ({"/v1/models": {"data": [{"id": "a", "n_ctx": 1}, {"id": "small", "context_length": 8192}]}}, 8192),
        ({"/v1/models": [{"id": "small", "context_length": 131072}]}, 131072),
        (
            {
                "/v1/models": {"data": [{"id": "small"}]},
                "/props": {"default_generation_settings": {"n_ctx": 512}},
            },
            512,
        ),
        ({"/v1/models": {"data": "none"}, "/props": []}, 0),
        ({"/v1/models": "<html>"}, 0),
        ({"/v1/models": {"data": [None, {"id": "small", "max_model_len": "many"}]}}, 0),
    ],
)
def test_the_context_is_asked_for_once(start, pages, tokens):
    server, backend = start(
        completion("a"), pages={path: Answer(body=json.dumps(page)) for path, page in pages.items()}
    )
    assert [backend.context_tokens for _ in range(3)] == [tokens] * 3
    assert len(server.paths) <= 2


def test_the_users_word_about_the_context_holds(start):
    server, backend = start(completion("a"), given_context=1234)
    assert backend.context_tokens == 1234
    assert server.paths == []


def test_the_servers_words_cannot_move_the_cursor(start):
    _, backend = start(failure(403, "no\x1b[2J\r\nentry" + "x" * 900))
    with pytest.raises(ModelUnavailable) as caught:
        backend.complete(ChatRequest(ASK))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300
