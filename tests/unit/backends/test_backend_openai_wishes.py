"""What a chat server is asked for: schemas and tools, and less of it where the server refuses."""

import json

import pytest
from fakes.chatserver import Answer, completion, delta, failure, streamed, usage
from openai_support import ASK, SCHEMA, TOOL

from bot.errors import ModelUnavailable
from bot.ports import ChatRequest, Message, ToolCall


def formats(server):
    return [asked.get("response_format", {}).get("type") for asked in server.requests]


def test_a_server_that_refuses_the_schema_is_asked_for_less_from_then_on(start):
    refusal = failure(400, "unknown field: response_format")
    server, backend = start(refusal, refusal, completion("a"), completion("b"))
    assert backend.complete(ChatRequest(ASK, schema=SCHEMA)).text == "a"
    assert backend.complete(ChatRequest(ASK, schema=SCHEMA)).text == "b"
    assert formats(server) == ["json_schema", "json_object", None, None]
    assert {asked["max_tokens"] for asked in server.requests} == {1024}


def test_what_a_server_refuses_without_a_word_is_guessed(start):
    refusal = failure(400, "bad request")
    _server, backend = start(refusal, refusal, completion("a"))
    assert backend.complete(ChatRequest(ASK, schema=SCHEMA)).text == "a"
    assert backend.abilities.shape == "none"


def test_a_request_that_stays_refused_teaches_nothing(start):
    _, backend = start(failure(400, "no such thing"))
    with pytest.raises(ModelUnavailable, match="status 400: no such thing"):
        backend.complete(ChatRequest(ASK, schema=SCHEMA, seed=1))
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
        assert backend.complete(ChatRequest(ASK, seed=7, tools=[TOOL])).text == "a"
    assert [gone in asked for asked in server.requests] == [True, False, False]
    assert all(kept in asked for asked in server.requests)
    assert server.requests[1].get("max_completion_tokens", server.requests[1].get("max_tokens")) == 1024


def test_every_wish_is_made(start):
    server, backend = start(completion("a"))
    backend.complete(ChatRequest(ASK, seed=7, tools=[TOOL], schema=SCHEMA))
    (asked,) = server.requests
    assert (asked["seed"], asked["stream"]) == (7, True)
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA
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
    backend.complete(ChatRequest(CALLED, tools=[TOOL]))
    called, answered = server.requests[0]["messages"][2:]
    assert called["tool_calls"] == [
        {"id": "c1", "type": "function", "function": {"name": "run_tests", "arguments": "{}"}}
    ]
    assert answered == {"role": "tool", "tool_call_id": "c1", "content": "2 failed"}


def test_a_server_without_tools_is_told_of_calls_in_words(start):
    server, backend = start(failure(500, "tools param requires --jinja flag"), completion("a"))
    assert backend.complete(ChatRequest(CALLED, tools=[TOOL])).text == "a"
    called, answered = server.requests[1]["messages"][2:]
    assert called == {"role": "assistant", "content": "Call c1: run_tests({})"}
    assert (answered["role"], "2 failed" in answered["content"]) == ("user", True)


def test_the_calls_of_a_stream_come_in_pieces(start):
    def piece(index, **function):
        return delta(tool_calls=[{"index": index, "id": f"c{index}", "function": function}])

    pieces = [piece(0, name="run_tests", arguments=""), piece(0, arguments='{"a"'), piece(1, name="other")]
    _server, backend = start(streamed(*pieces, piece(0, arguments=": 1}"), delta("tool_calls"), usage()))
    assert backend.complete(ChatRequest(ASK, tools=[TOOL])).tool_calls == (
        ToolCall(id="c0", name="run_tests", arguments='{"a": 1}'),
        ToolCall(id="c1", name="other", arguments=""),
    )


CALL = {"id": "c9", "type": "function", "function": {"name": "run_tests", "arguments": '{"a": 1}'}}


@pytest.mark.parametrize(
    ("calls", "read"),
    [
        ([CALL], (ToolCall(id="c9", name="run_tests", arguments='{"a": 1}'),)),
        *((odd, ()) for odd in ("text", [None], [{}], [{"function": 1}], [{"index": 10**9}])),
        ([{"function": {"arguments": "{}"}}], ()),
    ],
)
def test_the_calls_of_a_whole_reply(start, calls, read):
    _, backend = start(Answer(body=json.dumps({"choices": [{"message": {"tool_calls": calls}}]})))
    assert backend.complete(ChatRequest(ASK, tools=[TOOL])).tool_calls == read
