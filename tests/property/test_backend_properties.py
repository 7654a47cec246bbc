"""Whatever a server sends, a reply is read or refused; whatever it refuses, there is an end to wishes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backends.abilities import Abilities, lesser
from bot.backends.assembly import Assembly
from bot.backends.failures import Broken, Refused, retry_after_s
from bot.backends.wire import ChatRequest, body
from bot.ports import Message, Tool

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FUNCTION = st.fixed_dictionaries({}, optional={"name": JSON, "arguments": JSON})
CALL = st.fixed_dictionaries({}, optional={"index": JSON, "id": JSON, "function": FUNCTION | JSON}) | JSON
MESSAGE = st.fixed_dictionaries(
    {}, optional={"content": JSON, "tool_calls": st.lists(CALL, max_size=3) | JSON}
)
CHOICE = st.fixed_dictionaries(
    {}, optional={"delta": MESSAGE | JSON, "message": MESSAGE | JSON, "finish_reason": JSON}
)
PIECE = (
    st.fixed_dictionaries({}, optional={"choices": st.lists(CHOICE, max_size=2) | JSON, "usage": JSON}) | JSON
)


@pytest.mark.slow
@given(st.lists(PIECE, max_size=5))
def test_any_pieces_are_a_reply_or_broken(pieces):
    reply = Assembly()
    try:
        for piece in pieces:
            reply.add(piece)
        reply.close()
    except Broken:
        return
    reply.text.encode()
    json.dumps([(call.id, call.name, call.arguments) for call in reply.tool_calls]).encode()
    assert reply.prompt_tokens >= 0


@given(
    st.lists(
        st.tuples(
            st.sampled_from([400, 404, 415, 422, 500, 501]),
            st.sampled_from(["", "tools", "seed", "json_schema", "temperature", "max_completion_tokens"])
            | st.text(max_size=30),
        ),
        min_size=20,
        max_size=20,
    )
)
def test_a_server_that_refuses_whatever_is_left_out_is_given_up(refusals):
    question = ChatRequest(
        messages=(Message(role="user", content="a"),),
        temperature=0.5,
        max_tokens=9,
        schema={"type": "object"},
        tools=(Tool(name="t", description="", parameters={}),),
        seed=1,
    )
    abilities, steps = Abilities(), 0
    for status, words in refusals:
        asked = body("m", question, abilities)
        less = lesser(abilities, asked, Refused(status=status, words=words))
        if less is None:
            continue
        assert body("m", question, less) != asked
        abilities, steps = less, steps + 1
    assert steps <= 7


@given(st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms"]), st.text(max_size=40)))
def test_any_header_is_a_time_or_none(headers):
    seconds = retry_after_s(headers)
    assert seconds is None or 0 <= seconds < float("inf")
