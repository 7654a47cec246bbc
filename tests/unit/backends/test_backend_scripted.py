"""The model that says what it was told to."""

import pytest

from bot.backends.scripted import ScriptedBackend, ScriptedCall, ScriptedReply, read_script
from bot.domain import Usage
from bot.errors import ConfigurationError, ModelUnavailable
from bot.ports import ChatRequest, Message


def test_replies_in_order_with_what_was_asked():
    backend = ScriptedBackend(["one", "two words"])
    first, second = Message(role="user", content="a b c"), Message(role="user", content="d")
    assert backend.complete(ChatRequest([first])).text == "one"
    reply = backend.complete(ChatRequest([first, second], temperature=1.0, max_tokens=1, schema={}))
    assert reply.text == "two words"
    assert reply.usage == Usage(calls=1, prompt_tokens=4, completion_tokens=2)
    assert [one.messages for one in backend.requests] == [[first], [first, second]]


def test_the_end_of_the_script_is_said():
    backend = ScriptedBackend(["one"])
    backend.complete(ChatRequest([]))
    with pytest.raises(ModelUnavailable, match="the script holds 1 replies"):
        backend.complete(ChatRequest([]))
    assert len(backend.requests) == 1


@pytest.mark.parametrize(
    "text",
    [
        "- one\n- text: two\n  tool_calls: [{name: run_tests, arguments: '{}'}]\n  truncated: true\n",
        '["one", {"text": "two", "tool_calls": [{"name": "run_tests"}], "truncated": true}]',
    ],
)
def test_a_script_is_yaml_or_json(tmp_path, text):
    (tmp_path / "script").write_text(text)
    call = ScriptedCall(name="run_tests", arguments="{}")
    assert read_script(tmp_path / "script") == (
        ScriptedReply(text="one"),
        ScriptedReply(text="two", tool_calls=[call], truncated=True),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a list"),
        ("one", "expected a list"),
        ("- [1]", "reply 1: expected"),
        ("- a\n- txt: b", "reply 2: expected"),
        ("- a\n- text: 1", "reply 2: expected"),
        ("- {", "neither YAML nor JSON"),
        ("- 2001-99-99", "neither YAML nor JSON"),
        ("- !!python/object:os.system a", "neither YAML nor JSON"),
        ("[" * 5000, "neither YAML nor JSON"),
    ],
)
def test_a_script_that_is_none(tmp_path, text, words):
    (tmp_path / "script").write_text(text)
    with pytest.raises(ConfigurationError, match=words):
        read_script(tmp_path / "script")
    with pytest.raises(ConfigurationError, match="cannot read the script"):
        read_script(tmp_path / "none")
