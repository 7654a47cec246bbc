"""The same contract against real models: llama.cpp in this process, with the file that a variable names.

    REGREEN_TEST_MODEL=~/models/some.gguf python -m pytest tests/contract/test_local_model_contract.py

Weights are not fetched by tests. What a small model answers is not foretold; what is shown here is how.
"""

import json
import os
from contextlib import closing
from pathlib import Path

import pytest

from bot.backends.keys import KeyRing
from bot.backends.local import LlamaTransport
from bot.backends.openai import OpenAITransport
from bot.backends.served import ServedBackend
from bot.errors import ContextOverflow
from bot.ports import ChatRequest, InfillRequest, Message, Tool, ToolCall

pytestmark = pytest.mark.model
CONTEXT = 1024
ASK = [Message(role="user", content="Answer with the word yes.")]
SCHEMA = {
    "type": "object",
    "properties": {"line": {"type": "integer"}},
    "required": ["line"],
    "additionalProperties": False,
}
TOOL = Tool(name="run_tests", description="Runs the tests.", parameters={"type": "object", "properties": {}})


@pytest.fixture(scope="module")
def transport():
    path = Path(os.environ["REGREEN_TEST_MODEL"]).expanduser()
    with closing(LlamaTransport(lambda: path, threads=1, context_tokens=CONTEXT)) as opened:
        yield opened


@pytest.fixture(scope="module", params=["local", "openai"])
def backend(request, transport):
    """The backend, and any client of OpenAI's API to the same server."""
    if request.param == "local":
        yield ServedBackend(model="m", transport=transport, keys=KeyRing((), clock=lambda: 0.0))
        return
    inner = transport._started()
    with closing(OpenAITransport(base_url=inner.endpoint, direct=True)) as client:
        keys = KeyRing((transport._key,), clock=lambda: 0.0)
        yield ServedBackend(model="m", transport=client, keys=keys)


def test_a_reply_comes_with_what_it_cost(backend):
    reply = backend.complete(ChatRequest(ASK, max_tokens=8))
    assert reply.text.strip()
    assert reply.usage.prompt_tokens > 5
    assert 0 < reply.usage.completion_tokens <= 8
    assert reply.usage.estimated_tokens == 0
    assert reply.usage.seconds > 0


def test_greedy_replies_are_the_same(backend):
    assert (
        backend.complete(ChatRequest(ASK, max_tokens=6)).text
        == backend.complete(ChatRequest(ASK, max_tokens=6)).text
    )


def test_a_seed_gives_a_warm_reply_again(backend):
    warm = [backend.complete(ChatRequest(ASK, max_tokens=6, temperature=1.5, seed=5)).text for _ in range(2)]
    assert warm[0] == warm[1]


def test_the_schema_holds(backend):
    reply = backend.complete(ChatRequest(ASK, max_tokens=24, schema=SCHEMA))
    assert set(json.loads(reply.text)) == {"line"}
    assert backend.abilities.shape == "json_schema"


def test_a_limit_is_a_limit(backend):
    reply = backend.complete(
        ChatRequest([Message(role="user", content="Count from 1 to 100.")], max_tokens=5)
    )
    assert reply.truncated
    assert reply.usage.completion_tokens == 5


def test_the_context_is_known_and_too_long_a_prompt_is_told(backend):
    assert backend.context_tokens == CONTEXT
    with pytest.raises(ContextOverflow):
        backend.complete(ChatRequest([Message(role="user", content="word " * (CONTEXT + 100))]))


def test_tools_and_their_answers_are_taken(backend):
    turns = [
        Message(role="user", content="Run the tests."),
        Message(
            role="assistant", content="", tool_calls=(ToolCall(id="c1", name="run_tests", arguments="{}"),)
        ),
        Message(role="tool", content="All passed.", answers="c1"),
    ]
    reply = backend.complete(ChatRequest(turns, max_tokens=8, tools=[TOOL]))
    assert reply.text or reply.tool_calls


def test_a_gap_is_filled_where_the_model_has_marks_for_it(backend):
    gap = InfillRequest(before="def add(a, b):\n    return", after="\n\n\nadd(1, 2)\n", max_tokens=8, seed=1)
    reply = backend.infill(gap)
    if reply is None:
        assert not backend.abilities.infill
        return
    assert 0 < reply.usage.completion_tokens <= 8
    assert reply.usage.prompt_tokens > 5
