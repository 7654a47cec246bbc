"""The model that says what it was told to."""

import pytest

from bot.backends.scripted import ScriptedBackend
from bot.domain import Usage
from bot.errors import ModelUnavailable
from bot.ports import Message


def test_replies_in_order_with_what_was_asked():
    backend = ScriptedBackend(["one", "two words"])
    first, second = Message(role="user", content="a b c"), Message(role="user", content="d")
    assert backend.complete([first]).text == "one"
    reply = backend.complete([first, second], temperature=1.0, max_tokens=1, schema={})
    assert reply.text == "two words"
    assert reply.usage == Usage(calls=1, prompt_tokens=4, completion_tokens=2)
    assert backend.requests == [(first,), (first, second)]


def test_the_end_of_the_script_is_said():
    backend = ScriptedBackend(["one"])
    backend.complete([])
    with pytest.raises(ModelUnavailable, match="the script holds 1 replies"):
        backend.complete([])
    assert len(backend.requests) == 1
