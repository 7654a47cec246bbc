"""What every chat backend promises, whoever serves the model."""

from contextlib import ExitStack

import pytest
from fakes.chatserver import Answer, completion, failure, serving, streamed, whole_stream
from fakes.patience import Patience

from bot.backends.cassette import RecordingBackend, ReplayBackend, read_cassette
from bot.backends.keys import KeyRing
from bot.backends.openai import OpenAITransport
from bot.backends.scripted import ScriptedBackend
from bot.backends.served import ServedBackend
from bot.errors import ContextOverflow, ModelUnavailable
from bot.ports import ChatRequest, Completion, Message, Tool, ToolCall
from bot.scrub import Scrubber

ASK = [Message(role="user", content="Which is the first line?")]
SCHEMA = {"type": "object", "properties": {"line": {"type": "integer"}}, "required": ["line"]}
TOOL = Tool(name="run_tests", description="Runs them.", parameters={"type": "object", "properties": {}})
KEY = "hf_" + "a1B2" * 9
TURNS = [
    *ASK,
    Message(role="assistant", content="", tool_calls=(ToolCall(id="c", name="run_tests", arguments="{}"),)),
    Message(role="tool", content="1 failed", answers="c"),
]


@pytest.fixture(autouse=True)
def _direct(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def served(url, patience, *, retries=0, silence=5.0):
    options = {"silence": silence, "clock": patience.clock, "remaining": patience.remaining}
    return ServedBackend(
        model="m",
        transport=OpenAITransport(base_url=url, **options),
        keys=KeyRing([KEY], clock=patience.clock),
        asking=patience.asking(retries),
    )


class Recorded:
    """Records what a script says, and replays it: what was not recorded cannot be had."""

    def __init__(self, replies, path):
        recorder = RecordingBackend(ScriptedBackend(replies, model="m"), path, scrub=Scrubber())
        for _ in replies:
            recorder.complete(ChatRequest(ASK, **OPTIONS))
        self._backend = ReplayBackend(read_cassette(path), "m", scrub=Scrubber())
        self._left = len(replies)
        self.model, self.context_tokens = self._backend.model, self._backend.context_tokens

    def complete(self, request):
        if not self._left:
            return self._backend.complete(ChatRequest([Message(role="user", content="never asked")]))
        self._left -= 1
        return self._backend.complete(ChatRequest(ASK, **OPTIONS))


OPTIONS = {"temperature": 0.7, "max_tokens": 5, "schema": SCHEMA, "tools": [TOOL], "seed": 3}
KINDS = ["scripted", "openai", "openai streams", "recording", "replay"]


@pytest.fixture(params=KINDS)
def make(request, tmp_path):
    """A function from replies to a backend that gives them, and then has none."""
    kind, _, streams = request.param.partition(" ")
    with ExitStack() as stack:

        def build(replies):
            if kind == "scripted":
                return ScriptedBackend(replies)
            if kind == "recording":
                return RecordingBackend(ScriptedBackend(replies), tmp_path / "c.jsonl", scrub=Scrubber())
            if kind == "replay":
                return Recorded(replies, tmp_path / "c.jsonl")
            answers = [*map(whole_stream if streams else completion, replies), failure(503, "none is left")]
            server = stack.enter_context(serving(answers))
            backend = served(server.url, Patience())
            stack.callback(backend.close)
            return backend

        yield build


def test_replies_come_in_order_with_what_they_cost_and_then_there_is_none(make):
    backend = make(["first", "second"])
    assert backend.context_tokens >= 0
    replies = [backend.complete(ChatRequest(ASK)) for _ in range(2)]
    assert [reply.text for reply in replies] == ["first", "second"]
    for reply in replies:
        assert isinstance(reply, Completion)
        assert reply.model
        assert (reply.usage.calls, reply.usage.cost) == (1, 0)
        assert min(reply.usage.prompt_tokens, reply.usage.completion_tokens) > 0
    with pytest.raises(ModelUnavailable) as caught:
        backend.complete(ChatRequest(ASK))
    assert "\n" not in str(caught.value)


def test_every_option_and_a_conversation_with_calls_are_taken_and_the_schema_is_a_wish(make):
    backend = make(["no JSON at all", "fine"])
    reply = backend.complete(ChatRequest(ASK, **OPTIONS))
    assert (reply.text, reply.tool_calls, reply.truncated) == ("no JSON at all", (), False)
    assert backend.complete(ChatRequest(TURNS, tools=[TOOL])).text == "fine"


@pytest.mark.parametrize("text", ["", "\u00e9 \U0001f600\r\n\t", "```json\n{}\n```", "x" * 50_000])
def test_the_reply_comes_as_it_was_said(make, text):
    assert make([text]).complete(ChatRequest(ASK)).text == text


# What goes wrong on the way.

OVERFLOWS = [
    failure(400, "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens"),
    failure(400, "request (3030 tokens) exceeds the available context size (2048 tokens), try increasing it"),
    failure(413, "Request body too large for gpt-4.1 model. Max size: 8000 tokens."),
    failure(422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"),
    Answer(status=400, body='{"error": "the input length exceeds the context length"}'),
    streamed({"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096"}),
    streamed({"error": {"message": "exceeds the available context size", "code": 400}}),
    failure(400, "error: context_length_exceeded"),
    failure(400, "input is too long: too many tokens"),
    failure(400, "The prompt is too long: 250000, model maximum context length: 131071"),
    failure(400, "The decoder prompt (length 9) is longer than the maximum model length of 8"),
]
HOPELESS = {
    "refused": failure(403, f"the key {KEY} may not do that"),
    "not found": failure(404, "there is no such model"),
    "web page": Answer(body="<html><body>Sign in</body></html>", content_type="text/html"),
    "no choice": streamed(done=True),
    "empty choices": streamed({"choices": []}),
    "not a piece": streamed({"choices": [{"delta": "text", "finish_reason": "stop"}]}),
}
PASSING = {
    "429": failure(429, "slow down", retry_after="1"),
    "500": failure(500, "on fire"),
    "503 page": Answer(body="<h1>Down</h1>", status=503, content_type="text/html"),
    "truncated": streamed("half", done=False),
    "hung up": streamed("half", done=False, cut=True),
    "nothing": Answer(body="", content_type="application/json", cut=True),
    "bad JSON": Answer(body='data: {"choices": [\n\n', content_type="text/event-stream"),
    "silent": streamed("half", done=False, stalled=True),
}


@pytest.fixture
def start():
    with ExitStack() as stack:

        def run(*answers, patience=None, **options):
            server = stack.enter_context(serving(answers))
            backend = served(server.url, patience or Patience(), **options)
            stack.callback(backend.close)
            return server, backend

        yield run


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        *((answer, ContextOverflow) for answer in OVERFLOWS),
        *(pytest.param(answer, ModelUnavailable, id=name) for name, answer in HOPELESS.items()),
    ],
)
def test_a_prompt_that_does_not_fit_and_what_will_not_be_better_are_not_asked_again(start, answer, kind):
    server, backend = start(answer, retries=2)
    with pytest.raises(kind) as caught:
        backend.complete(ChatRequest(ASK))
    assert str(caught.value).isprintable()
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("answer", PASSING.values(), ids=PASSING)
def test_what_may_pass_is_asked_again(start, answer):
    patience = Patience()
    # On a busy machine the good answer may seem silent, too.
    silence, retries = (0.3, 9) if answer.stalled else (5.0, 1)
    options = {"retries": retries, "silence": silence, "patience": patience}
    server, backend = start(answer, whole_stream("whole"), **options)
    assert backend.complete(ChatRequest(ASK)).text == "whole"
    assert len(server.requests) == 2 or answer.stalled
    assert patience.slept


@pytest.mark.parametrize("answer", PASSING.values(), ids=PASSING)
def test_what_stays_broken_is_given_up(start, answer):
    server, backend = start(answer, retries=1, silence=0.1)
    with pytest.raises(ModelUnavailable) as caught:
        backend.complete(ChatRequest(ASK))
    assert str(caught.value).isprintable()
    assert len(server.requests) == 2


def test_a_wait_is_as_long_as_the_server_says(start):
    patience = Patience()
    limited = failure(429, "slow down", retry_after_ms="", retry_after="12")
    _, backend = start(limited, whole_stream("now"), retries=1, patience=patience)
    assert backend.complete(ChatRequest(ASK)).usage.seconds == 12
    assert patience.slept == [12]


def test_neither_key_nor_code_follows_a_redirect(start):
    with serving([whole_stream("stolen")]) as thief:
        url = thief.url.replace("127.0.0.1", "localhost")
        _, backend = start(Answer(body="", status=307, headers={"location": f"{url}/chat/completions"}))
        with pytest.raises(ModelUnavailable, match="redirects to"):
            backend.complete(ChatRequest(ASK))
        assert thief.paths == []


def test_the_runs_end_is_the_end_of_waiting(start):
    patience = Patience(left=5)
    limited = failure(429, "slow down", retry_after_ms="", retry_after="60")
    _, backend = start(limited, retries=3, patience=patience)
    with pytest.raises(ModelUnavailable, match="asks to wait 60 s"):
        backend.complete(ChatRequest(ASK))
    assert patience.slept == []
