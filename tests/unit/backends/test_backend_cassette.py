"""Recording replies and giving them again."""

import json

import pytest

from bot.backends.cassette import RecordingBackend, ReplayBackend, read_cassette
from bot.backends.scripted import ScriptedBackend, ScriptedCall, ScriptedReply
from bot.errors import ConfigurationError, ContextOverflow, ModelUnavailable
from bot.ports import ChatRequest, Message, Tool
from bot.scrub import Scrubber

SECRET = "very-secret-key"
SCRUB = Scrubber([SECRET])
TOOL = Tool(name="run_tests", description="Runs.", parameters={"type": "object"})


def ask(text):
    return [Message(role="system", content="Be brief."), Message(role="user", content=text)]


def recorder(path, *replies):
    return RecordingBackend(ScriptedBackend(replies, model="m"), path, scrub=SCRUB)


def player(path):
    return ReplayBackend(read_cassette(path), "m", scrub=SCRUB)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cassette.jsonl"


def test_a_reply_comes_back_as_it_was(path):
    call = ScriptedCall(name="run_tests", arguments='{"a": "\u00e9"}')
    backend = recorder(path, ScriptedReply(text="one\ntwo", tool_calls=[call], truncated=True))
    options = {"temperature": 0.3, "max_tokens": 9, "schema": {"type": "object"}, "tools": [TOOL], "seed": 4}
    said = backend.complete(ChatRequest(ask("a"), **options))
    assert player(path).complete(ChatRequest(ask("a"), **options)) == said


def test_the_same_question_gets_its_replies_in_order_and_the_last_one_again(path):
    backend = recorder(path, "one", "other", "two")
    for text in ("a", "b", "a"):
        backend.complete(ChatRequest(ask(text)))
    replay = player(path)
    assert [replay.complete(ChatRequest(ask(text))).text for text in ("a", "a", "a", "b")] == [
        "one",
        "two",
        "two",
        "other",
    ]


@pytest.mark.parametrize(
    ("messages", "options", "words"),
    [
        (ask("a"), {"temperature": 0.5}, "temperature is 0.5 and was 0.0"),
        (ask("a"), {"seed": 1}, "seed is 1 and was null"),
        (ask("a"), {"schema": {"type": "object"}}, "schema is"),
        (ask("a" * 500 + "new"), {}, "messages[1].content is 'aaaaaaaaaaaaaaaaaaaanew'"),
        (ask("a")[1:], {}, "messages is of 1 and was of 2"),
        (ask("a"), {"tools": [TOOL]}, "tools is of 1 and was of 0"),
    ],
)
def test_an_unknown_question_is_refused_with_what_differs(path, messages, options, words):
    backend = recorder(path, "one", "two")
    backend.complete(ChatRequest(ask("a" * (500 if "new" in words else 1))))
    backend.complete(ChatRequest(ask("quite another"), temperature=0.9, max_tokens=3))
    with pytest.raises(ModelUnavailable) as caught:
        player(path).complete(ChatRequest(messages, **options))
    assert words in str(caught.value)
    assert "record it anew" in str(caught.value)


def test_no_secret_is_written(path):
    backend = recorder(path, f"the key is {SECRET}, the token ghp_{'a1B2' * 9}")
    backend.complete(ChatRequest(ask(f"my key is {SECRET}")))
    assert SECRET not in path.read_text()
    assert "ghp_" not in path.read_text()
    assert "the key is ***" in player(path).complete(ChatRequest(ask(f"my key is {SECRET}"))).text


def test_a_prompt_that_did_not_fit_does_not_fit_again_and_a_failure_is_not_recorded(path):
    class Full(ScriptedBackend):
        def complete(self, request):
            raise ContextOverflow("the prompt does not fit m")

    with pytest.raises(ModelUnavailable):
        recorder(path).complete(ChatRequest(ask("a")))
    assert path.read_text() == ""
    backend = RecordingBackend(Full([], model="m"), path, scrub=SCRUB)
    with pytest.raises(ContextOverflow):
        backend.complete(ChatRequest(ask("a")))
    with pytest.raises(ContextOverflow, match="does not fit m"):
        player(path).complete(ChatRequest(ask("a")))


def test_what_a_killed_run_left_is_read_and_written_on(path):
    recorder(path, "one").complete(ChatRequest(ask("a")))
    with path.open("a") as stream:
        stream.write('{"version": 1, "hash": "12')
    assert player(path).complete(ChatRequest(ask("a"))).text == "one"
    recorder(path, "two").complete(ChatRequest(ask("b")))
    assert [player(path).complete(ChatRequest(ask(text))).text for text in "ab"] == ["one", "two"]
    assert len(path.read_text().splitlines()) == 2


@pytest.mark.parametrize("content", ["# My project\nof one line", "x", '{"name": 1}', "{}\n"])
def test_another_file_is_never_recorded_into(path, content):
    path.write_text(content)
    with pytest.raises(ConfigurationError, match="is no cassette: name another file"):
        recorder(path, "one")
    assert path.read_text() == content


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", '{"version": 2}', "\x00", "[" * 100_000])
def test_a_file_that_is_no_cassette(path, line):
    path.write_text(f"{line}\n")
    with pytest.raises(ConfigurationError, match=r"cassette.jsonl:1: not a line of a cassette"):
        read_cassette(path)


def test_a_question_that_was_changed_by_hand(path):
    recorder(path, "one").complete(ChatRequest(ask("a")))
    line = json.loads(path.read_text())
    line["request"]["temperature"] = 1.0
    path.write_text(f"{json.dumps(line)}\n")
    with pytest.raises(ConfigurationError, match="another hash"):
        read_cassette(path)


def test_a_cassette_that_cannot_be_had(tmp_path):
    with pytest.raises(ConfigurationError, match="cannot read the cassette"):
        read_cassette(tmp_path / "none")
    with pytest.raises(ConfigurationError, match="cannot write the cassette"):
        recorder(tmp_path)
