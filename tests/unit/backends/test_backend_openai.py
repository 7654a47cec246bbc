"""The client of chat servers, against a real local server in every mood."""

import dataclasses
import json
import socket
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from fakes.chatserver import (
    Answer,
    completion,
    delta,
    failure,
    serving,
    streamed,
    usage,
    whole_stream,
)
from fakes.patience import Patience

from bot.backends import bounds
from bot.backends.keys import KeyRing
from bot.backends.openai import OpenAITransport
from bot.backends.prices import Price
from bot.backends.served import Advice, ServedBackend
from bot.domain import Usage
from bot.errors import ConfigurationError, ContextOverflow, ModelUnavailable
from bot.ports import Message, Tool, ToolCall

KEY = "sk-very-secret-0123456789"
OTHER_KEY = "sk-other-secret-9876543210"
ASK = [Message(role="system", content="Be brief."), Message(role="user", content="Why?")]
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
TOOL = Tool(name="run_tests", description="Runs them.", parameters={"type": "object", "properties": {}})


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_BASE_URL", "OPENAI_ORG_ID"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def backend_at(url, *, retries=2, keys=(KEY,), patience=None, silence=5.0, **options):
    patience = patience or Patience()
    return ServedBackend(
        model="small",
        transport=OpenAITransport(
            base_url=url, silence=silence, clock=patience.clock, remaining=patience.remaining
        ),
        keys=KeyRing(keys, clock=patience.clock),
        asking=patience.asking(retries),
        advice=Advice(key="check OPENAI_API_KEY", place="check --base-url"),
        **options,
    )


@pytest.fixture
def start():
    with ExitStack() as stack:

        def run(*answers, pages=None, **options):
            server = stack.enter_context(serving(answers, pages=pages))
            backend = backend_at(server.url, **options)
            stack.callback(backend.close)
            return server, backend

        yield run


def test_a_reply_with_what_it_cost(start):
    server, backend = start(completion("Because.", prompt_tokens=12, completion_tokens=3))
    reply = backend.complete(ASK, temperature=0.4, max_tokens=77)
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


def test_the_schema_is_sent(start):
    server, backend = start(completion("{}"))
    backend.complete(ASK, schema=SCHEMA)
    assert server.requests[0]["response_format"]["json_schema"]["schema"] == SCHEMA


def formats(server):
    return [asked.get("response_format", {}).get("type") for asked in server.requests]


def test_a_server_that_refuses_the_schema_is_asked_for_less_from_then_on(start):
    refusal = failure(400, "unknown field: response_format")
    server, backend = start(refusal, refusal, completion("a"), completion("b"))
    assert backend.complete(ASK, schema=SCHEMA).text == "a"
    assert backend.complete(ASK, schema=SCHEMA).text == "b"
    assert formats(server) == ["json_schema", "json_object", None, None]
    assert {asked["max_tokens"] for asked in server.requests} == {1024}


def test_a_server_that_knows_json_but_no_schemas(start):
    server, backend = start(failure(422, "json_schema is not supported"), completion("a"), completion("b"))
    backend.complete(ASK, schema=SCHEMA)
    backend.complete(ASK, schema=SCHEMA)
    assert formats(server) == ["json_schema", "json_object", "json_object"]


def test_what_a_server_refuses_without_a_word_is_guessed(start):
    refusal = failure(400, "bad request")
    _server, backend = start(refusal, refusal, completion("a"))
    assert backend.complete(ASK, schema=SCHEMA).text == "a"
    assert backend.abilities.shape == "none"


def test_a_request_that_stays_refused_teaches_nothing(start):
    _, backend = start(failure(400, "no such thing"))
    with pytest.raises(ModelUnavailable, match="status 400: no such thing"):
        backend.complete(ASK, schema=SCHEMA, seed=1)
    assert backend.abilities.shape == "json_schema"
    assert backend.abilities.seed


@pytest.mark.parametrize(
    ("words", "gone", "kept"),
    [
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens", "seed"),
        ("Unrecognized request argument supplied: seed", "seed", "temperature"),
        ("stream_options: extra fields not permitted", "stream_options", "seed"),
        ("'temperature' does not support 0.0 with this model", "temperature", "seed"),
        ("This model does not support tools", "tools", "seed"),
    ],
)
def test_a_wish_that_the_server_names_is_not_made_again(start, words, gone, kept):
    server, backend = start(failure(400, words), completion("a"))
    for _ in range(2):
        assert backend.complete(ASK, seed=7, tools=[TOOL]).text == "a"
    assert [gone in asked for asked in server.requests] == [True, False, False]
    assert all(kept in asked for asked in server.requests)
    assert server.requests[1].get("max_completion_tokens", server.requests[1].get("max_tokens")) == 1024


def test_every_wish_is_made(start):
    server, backend = start(completion("a"))
    backend.complete(ASK, seed=7, tools=[TOOL], schema=SCHEMA)
    (asked,) = server.requests
    assert (asked["seed"], asked["stream"]) == (7, True)
    assert asked["tools"][0]["function"] == {
        "name": "run_tests",
        "description": "Runs them.",
        "parameters": {"type": "object", "properties": {}},
    }


CALLED = [
    *ASK,
    Message(role="assistant", content="", tool_calls=(ToolCall(id="c1", name="run_tests", arguments="{}"),)),
    Message(role="tool", content="2 failed", answers="c1"),
]


def test_calls_and_their_answers_are_sent(start):
    server, backend = start(completion("a"))
    backend.complete(CALLED, tools=[TOOL])
    called, answered = server.requests[0]["messages"][2:]
    assert called["tool_calls"] == [
        {"id": "c1", "type": "function", "function": {"name": "run_tests", "arguments": "{}"}}
    ]
    assert answered == {"role": "tool", "tool_call_id": "c1", "content": "2 failed"}


def test_a_server_without_tools_is_told_of_calls_in_words(start):
    server, backend = start(failure(500, "tools param requires --jinja flag"), completion("a"))
    assert backend.complete(CALLED, tools=[TOOL]).text == "a"
    called, answered = server.requests[1]["messages"][2:]
    assert called == {"role": "assistant", "content": "Call c1: run_tests({})"}
    assert (answered["role"], "2 failed" in answered["content"]) == ("user", True)


def test_the_calls_of_a_whole_reply(start):
    call = {"id": "c9", "type": "function", "function": {"name": "run_tests", "arguments": '{"a": 1}'}}
    body = {"choices": [{"message": {"content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    _, backend = start(Answer(body=json.dumps(body)))
    assert backend.complete(ASK, tools=[TOOL]).tool_calls == (
        ToolCall(id="c9", name="run_tests", arguments='{"a": 1}'),
    )


def test_the_calls_of_a_stream_come_in_pieces(start):
    def piece(index, **function):
        return delta(tool_calls=[{"index": index, "id": f"c{index}", "function": function}])

    pieces = [piece(0, name="run_tests", arguments=""), piece(0, arguments='{"a"'), piece(1, name="other")]
    _server, backend = start(streamed(*pieces, piece(0, arguments=": 1}"), delta("tool_calls"), usage()))
    assert backend.complete(ASK, tools=[TOOL]).tool_calls == (
        ToolCall(id="c0", name="run_tests", arguments='{"a": 1}'),
        ToolCall(id="c1", name="other", arguments=""),
    )


@pytest.mark.parametrize(
    "calls",
    ["text", [None], [{}], [{"function": 1}], [{"function": {"arguments": "{}"}}], [{"index": 10**9}]],
)
def test_calls_that_are_none(start, calls):
    _, backend = start(Answer(body=json.dumps({"choices": [{"message": {"tool_calls": calls}}]})))
    assert backend.complete(ASK).tool_calls == ()


def test_a_stream_is_put_together_and_its_progress_told(start):
    told = []
    _, backend = start(whole_stream("Because it is."), listen=told.append)
    reply = backend.complete(ASK)
    assert reply.text == "Because it is."
    assert reply.usage == Usage(calls=1, prompt_tokens=11, completion_tokens=7)
    assert told == ["small: 1 tokens so far"]  # the clock stands still, so once


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "application/octet-stream"])
@pytest.mark.parametrize("answer", [whole_stream("yes"), completion("yes")], ids=["stream", "whole"])
def test_a_reply_under_another_content_type(start, answer, kind):
    _, backend = start(dataclasses.replace(answer, content_type=kind))
    assert backend.complete(ASK).text == "yes"


def test_a_reply_at_its_limit_says_so(start):
    _, backend = start(streamed("half a", delta("length"), usage()))
    assert backend.complete(ASK).truncated


def test_a_stream_without_counts_is_estimated_and_marked(start):
    _, backend = start(streamed("x" * 70, delta("stop")))
    counted = backend.complete(ASK).usage
    assert (counted.completion_tokens, counted.prompt_tokens) == (21, 4)
    assert counted.estimated_tokens == 25


def test_a_price_is_counted(start):
    _server, backend = start(
        completion("a", prompt_tokens=1_000, completion_tokens=500), price=Price(prompt=2.0, completion=8.0)
    )
    assert backend.complete(ASK).usage.cost == pytest.approx(0.006)


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
    assert backend.complete(ASK).text == "whole"
    assert len(server.requests) == 2
    assert len(patience.slept) == 1


def test_a_stream_that_stalls_is_cut(start):
    _server, backend = start(
        streamed("half", stalled=True, done=False), whole_stream("whole"), silence=0.2, retries=9
    )
    assert backend.complete(ASK).text == "whole"


def test_a_server_that_stays_silent_is_given_up(start):
    _, backend = start(Answer(body="", stalled=True), silence=0.1, retries=1)
    with pytest.raises(ModelUnavailable, match=r"small said nothing for 0.1 s, at http"):
        backend.complete(ASK)


def test_an_error_within_a_stream(start):
    broken = streamed("half", {"error": {"message": "out of memory", "code": 503}})
    server, backend = start(broken, retries=1)
    with pytest.raises(ModelUnavailable, match="status 503: out of memory"):
        backend.complete(ASK)
    assert len(server.requests) == 2


def test_too_long_a_prompt_within_a_stream(start):
    words = {
        "message": "exceeds the available context size",
        "type": "exceed_context_size_error",
        "code": 400,
    }
    _, backend = start(streamed({"error": words}))
    with pytest.raises(ContextOverflow):
        backend.complete(ASK)


def test_a_giant_reply_is_cut_and_said_to_be(start):
    piece = streamed("x" * 100_000, done=False)
    _, backend = start(Answer(body=piece.body, content_type=piece.content_type, repeat=15))
    reply = backend.complete(ASK)
    assert (len(reply.text), reply.truncated) == (1_000_000, True)


def test_a_giant_answer_that_is_no_stream_is_not_kept(start, monkeypatch):
    monkeypatch.setattr(bounds, "BODY_BYTES", 1 << 20)
    server, backend = start(Answer(body="x" * 65_536, repeat=100))
    with pytest.raises(ModelUnavailable, match="sent more than 1 MiB"):
        backend.complete(ASK)
    assert len(server.requests) == 1


def test_a_giant_error_is_not_kept_either(start, monkeypatch):
    monkeypatch.setattr(bounds, "BODY_BYTES", 1 << 20)
    _, backend = start(Answer(body="x" * 65_536, repeat=100, status=400))
    with pytest.raises(ModelUnavailable, match="sent more than 1 MiB"):
        backend.complete(ASK)


def test_a_redirect_to_another_host_gets_neither_key_nor_code(start):
    with serving([completion("stolen")]) as thief:
        url = thief.url.replace("127.0.0.1", "localhost")
        moved = Answer(body="", status=307, headers={"location": f"{url}/chat/completions"})
        server, backend = start(moved)
        with pytest.raises(ModelUnavailable, match=r"small redirects to .*localhost.*set the final address"):
            backend.complete(ASK)
        assert thief.requests == []
    assert len(server.requests) == 1


def test_too_many_requests_are_asked_again_when_the_server_wants(start):
    patience = Patience()
    limited = failure(429, "slow down", retry_after_ms="", retry_after="7")
    _server, backend = start(limited, completion("now"), patience=patience)
    reply = backend.complete(ASK)
    assert reply.text == "now"
    assert patience.slept == [7]
    assert reply.usage.seconds == 7


def test_a_date_to_come_back_at(start):
    patience = Patience()
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    limited = failure(429, "slow down", retry_after_ms="", retry_after=date)
    _, backend = start(limited, completion("now"), patience=patience)
    assert backend.complete(ASK).text == "now"
    assert patience.slept[0] == pytest.approx(90, abs=5)


@pytest.mark.parametrize("nonsense", ["soon", "nan", "inf", "-5", "", "Mon, 99 Foo 9999 99:99:99 GMT"])
def test_a_time_to_come_back_at_that_is_none(start, nonsense):
    patience = Patience()
    _, backend = start(
        failure(503, "busy", retry_after_ms="", retry_after=nonsense), completion("now"), patience=patience
    )
    assert backend.complete(ASK).text == "now"
    assert 0 < patience.slept[0] < 2


def test_a_wait_beyond_the_runs_end_is_not_waited(start):
    patience = Patience(left=60)
    limited = failure(429, "slow down", retry_after_ms="", retry_after="3600")
    _server, backend = start(limited, patience=patience)
    with pytest.raises(ModelUnavailable, match="asks to wait 3600 s"):
        backend.complete(ASK)
    assert patience.slept == []


def test_waits_grow_and_are_told(start):
    patience, told = Patience(), []
    _, backend = start(
        failure(500, "on fire", retry_after_ms=""), retries=4, patience=patience, notice=told.append
    )
    with pytest.raises(ModelUnavailable):
        backend.complete(ASK)
    assert len(patience.slept) == 4
    assert all(base <= slept <= base + 1 for base, slept in zip((0.5, 1, 2, 4), patience.slept, strict=True))
    assert any("waits" in line and "on fire" in line for line in told)


def bearer(server):
    return [head["authorization"].removeprefix("Bearer ") for head in server.heads]


def test_keys_take_turns(start):
    server, backend = start(completion("a"), keys=(KEY, OTHER_KEY))
    for _ in range(4):
        backend.complete(ASK)
    assert bearer(server) == [KEY, OTHER_KEY, KEY, OTHER_KEY]


def test_a_limited_key_rests_and_another_serves_at_once(start):
    patience = Patience()
    limited = failure(429, "slow down", retry_after_ms="", retry_after="100")
    server, backend = start(limited, completion("a"), keys=(KEY, OTHER_KEY), patience=patience)
    for _ in range(3):
        backend.complete(ASK)
    assert bearer(server) == [KEY, OTHER_KEY, OTHER_KEY, OTHER_KEY]
    assert sum(patience.slept) == 0
    patience.now += 101
    backend.complete(ASK)
    backend.complete(ASK)
    assert KEY in bearer(server)[4:]


def test_all_keys_rest_until_the_first_is_free(start):
    patience = Patience()
    answers = [failure(429, "slow", retry_after_ms="", retry_after=wait) for wait in ("50", "20")]
    server, backend = start(*answers, completion("a"), keys=(KEY, OTHER_KEY), patience=patience)
    assert backend.complete(ASK).text == "a"
    assert bearer(server) == [KEY, OTHER_KEY, OTHER_KEY]
    assert sum(patience.slept) == 20


@pytest.mark.parametrize(
    "refusal", [failure(401, "bad key"), failure(429, "You exceeded your current quota"), failure(402, "pay")]
)
def test_a_refused_key_is_left_out_for_good(start, refusal):
    server, backend = start(refusal, completion("a"), keys=(KEY, OTHER_KEY), retries=0)
    for _ in range(3):
        assert backend.complete(ASK).text == "a"
    assert bearer(server) == [KEY, OTHER_KEY, OTHER_KEY, OTHER_KEY]


def test_keys_that_are_limited_again_and_again_are_asked_ever_less(start):
    patience = Patience()
    limited = failure(429, "slow", retry_after_ms="")
    _, backend = start(limited, keys=(KEY, OTHER_KEY), retries=6, patience=patience)
    with pytest.raises(ModelUnavailable):
        backend.complete(ASK)
    assert max(patience.slept) > 8


def test_no_key_is_accepted(start):
    server, backend = start(failure(401, f"Incorrect API key provided: {OTHER_KEY}"), keys=(KEY, OTHER_KEY))
    for _ in range(2):
        with pytest.raises(ModelUnavailable) as caught:
            backend.complete(ASK)
        assert "check OPENAI_API_KEY" in str(caught.value)
        assert OTHER_KEY not in str(caught.value)
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
        backend.complete(ASK, schema=SCHEMA)
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
    assert backend.complete(ASK).usage == Usage(
        calls=1, prompt_tokens=4, completion_tokens=1, estimated_tokens=5
    )


def test_a_reply_with_a_lone_surrogate_can_be_printed_and_saved(start):
    _, backend = start(Answer(body=json.dumps({"choices": [{"message": {"content": "a \udcff b"}}]})))
    text = backend.complete(ASK).text
    assert text.startswith("a ")
    assert text.endswith(" b")


def test_undecodable_bytes_of_a_source_file_can_be_sent(start):
    server, backend = start(completion("fine"))
    backend.complete([Message(role="user", content="name = '\udce9\ud800 \u00e9'")])
    assert server.requests[0]["messages"][0]["content"] == "name = '?? \u00e9'"


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_nobody_listens():
    url = f"http://127.0.0.1:{free_port()}/v1"
    patience = Patience()
    with closing(backend_at(url, patience=patience)) as backend, pytest.raises(ModelUnavailable) as caught:
        backend.complete(ASK)
    assert url in str(caught.value)
    assert "check --base-url" in str(caught.value)
    assert len(patience.slept) == 2  # it may be about to start


def test_a_password_in_the_servers_address_is_not_shown():
    url = f"http://user:hidden@127.0.0.1:{free_port()}/v1"
    with closing(backend_at(url, retries=0)) as backend, pytest.raises(ModelUnavailable) as caught:
        backend.complete(ASK)
    assert "hidden" not in str(caught.value)
    assert "hidden" not in backend.endpoint


@pytest.mark.parametrize("url", ["nonsense", "ftp://host/v1", "http://", "/v1", "http://host:port/"])
def test_an_address_that_is_none(url):
    with pytest.raises(ConfigurationError, match=r"base-url: .* is no address of a server"):
        backend_at(url)


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
        ({"/v1/models": {"data": [None, {"id": "small", "max_model_len": "many"}]}}, 0),
    ],
)
def test_the_context_is_asked_for_once(start, pages, tokens):
    server, backend = start(
        completion("a"), pages={path: Answer(body=json.dumps(page)) for path, page in pages.items()}
    )
    assert [backend.context_tokens for _ in range(3)] == [tokens] * 3
    assert len(server.paths) <= 2


def test_the_context_of_a_server_that_answers_nonsense(start):
    _, backend = start(completion("a"), pages={"/v1/models": Answer(body="<html>", content_type="text/html")})
    assert backend.context_tokens == 0


def test_the_users_word_about_the_context_holds(start):
    server, backend = start(completion("a"), context_tokens=1234)
    assert backend.context_tokens == 1234
    assert server.paths == []


def test_the_servers_words_cannot_move_the_cursor(start):
    _, backend = start(failure(403, "no\x1b[2J\r\nentry" + "x" * 900))
    with pytest.raises(ModelUnavailable) as caught:
        backend.complete(ASK)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_the_key_is_not_in_the_backends_repr(start):
    _, backend = start(completion("a"))
    assert KEY not in repr(backend)
