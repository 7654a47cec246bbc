"""What a model writes between two texts: llama.cpp's ``/infill``, and servers without it."""

import json

import pytest
from every_case import every_case
from fakes.chatserver import Answer, completion, failure, serving, streamed
from openai_support import ASK, backend_at

from bot.backends.cassette import RecordingBackend, ReplayBackend, read_cassette
from bot.backends.scripted import ScriptedBackend
from bot.errors import ModelUnavailable
from bot.ports import ChatRequest, InfillRequest
from bot.scrub import Scrubber

GAP = InfillRequest(before="def f(a):\n", after="\n", temperature=0.5, max_tokens=9, seed=3, stop=("\n\n",))


def piece(text, *, stop=False, **more):
    return {"index": 0, "content": text, "stop": stop, **more}


END = piece("", stop=True, stop_type="eos", tokens_evaluated=31, tokens_predicted=4)


def test_the_gap_is_asked_for_beside_openais_interface():
    with serving([streamed(piece("    return"), piece(" a"), END)]) as server:
        reply = backend_at(server.url).infill(GAP)
    assert (reply.text, reply.truncated, reply.model) == ("    return a", False, "small")
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.calls) == (31, 4, 1)
    assert server.paths == ["/infill"]
    assert server.requests == [
        {
            "input_prefix": "def f(a):\n",
            "input_suffix": "\n",
            "n_predict": 9,
            "temperature": 0.5,
            "stop": ["\n\n"],
            "stream": True,
            "seed": 3,
        }
    ]


def test_a_reply_that_ended_at_its_limit_says_so_and_one_that_broke_off_is_none():
    limit = json.dumps(piece("    return", stop=True, stop_type="limit"))
    with serving([Answer(body=limit)]) as server:
        assert backend_at(server.url).infill(GAP).truncated
    with serving([streamed(piece("    re"))]) as server, pytest.raises(ModelUnavailable, match="broke off"):
        backend_at(server.url, retries=0).infill(GAP)


@every_case(
    "answer",
    [
        failure(404, "Not Found"),
        failure(501, "Infill is not supported by this model"),
        failure(401, "no such path for this key"),
        completion("a chat"),
        Answer(body="<html>", content_type="text/html"),
        Answer(body='{"content": 3, "stop": "no"}'),
    ],
    ids=["not there", "another model", "refused", "a chat", "a page", "nonsense"],
)
def test_a_server_without_it_is_asked_once_and_chats_as_before(answer):
    with serving([answer, completion("fine")]) as server:
        backend = backend_at(server.url, retries=0)
        assert backend.infill(GAP) is None
        assert backend.infill(GAP) is None
        assert backend.complete(ChatRequest(ASK)).text == "fine"
    assert server.paths == ["/infill", "/v1/chat/completions"]


def test_a_failure_that_passes_is_asked_again():
    with serving([failure(503, "loading the model"), streamed(piece("a"), END)]) as server:
        assert backend_at(server.url).infill(GAP).text == "a"
    assert server.paths == ["/infill", "/infill"]


def test_what_was_written_is_recorded_and_replayed(tmp_path):
    path = tmp_path / "c.jsonl"
    with serving([streamed(piece("    return a"), END)]) as server:
        recorder = RecordingBackend(backend_at(server.url), path, scrub=Scrubber())
        assert recorder.infill(GAP).text == "    return a"
    replayed = ReplayBackend(read_cassette(path), "small", scrub=Scrubber())
    assert replayed.infill(GAP).text == "    return a"
    with pytest.raises(ModelUnavailable, match="no reply to this question"):
        replayed.infill(InfillRequest(before="x", after=""))


def test_scripts_and_cassettes_without_gaps_have_none(tmp_path):
    path = tmp_path / "c.jsonl"
    recorder = RecordingBackend(ScriptedBackend(["hello"], model="m"), path, scrub=Scrubber())
    recorder.complete(ChatRequest(ASK))
    assert recorder.infill(GAP) is None
    assert ReplayBackend(read_cassette(path), "m", scrub=Scrubber()).infill(GAP) is None
