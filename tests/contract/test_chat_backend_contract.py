"""The contract of ``ports.ChatBackend``, over every adapter."""

from contextlib import ExitStack

import pytest
from fakes.chatserver import completion, failure, serving

from bot.backends.openai import OpenAIBackend
from bot.backends.scripted import ScriptedBackend
from bot.errors import ModelUnavailable
from bot.ports import Completion, Message

ASK = (Message(role="system", content="s"), Message(role="user", content="line\n```\n\udcff \u00e9"))
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


@pytest.fixture(params=["scripted", "openai"])
def make(request, monkeypatch):
    """A function from replies to a backend that gives them, and then has none."""
    if request.param == "scripted":
        yield ScriptedBackend
        return
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ExitStack() as stack:

        def build(replies):
            answers = [*map(completion, replies), failure(503, "no reply is left")]
            server = stack.enter_context(serving(answers))
            backend = OpenAIBackend(model="m", api_key="k", base_url=server.url, retries=0)
            stack.callback(backend._client.close)
            return backend

        yield build


def test_one_reply_to_each_question(make):
    backend = make(["first", "second"])
    assert [backend.complete(ASK).text for _ in range(2)] == ["first", "second"]


def test_a_completion_says_what_it_cost_and_who_gave_it(make):
    reply = make(["text"]).complete(ASK)
    assert isinstance(reply, Completion)
    assert reply.usage.calls == 1
    assert reply.usage.prompt_tokens > 0
    assert reply.usage.completion_tokens > 0
    assert reply.model


def test_every_option_is_taken_and_the_schema_is_a_wish(make):
    reply = make(["no JSON at all"]).complete(ASK, temperature=0.7, max_tokens=5, schema=SCHEMA)
    assert reply.text == "no JSON at all"


@pytest.mark.parametrize("text", ["", "\u00e9 \U0001f600\r\n\t", "```json\n{}\n```", "x" * 50_000])
def test_the_reply_comes_as_it_was_said(make, text):
    assert make([text]).complete(ASK).text == text


def test_no_reply_is_an_error_of_one_line(make):
    backend = make(["only"])
    backend.complete(ASK)
    with pytest.raises(ModelUnavailable) as caught:
        backend.complete(ASK)
    assert "\n" not in str(caught.value)
