"""The models' part of ``regreen doctor``, against a local server that can do more or less."""

import json
from contextlib import ExitStack

import pytest
from fakes.chatserver import Answer, completion, failure, serving

from bot.backends import local, preset
from bot.commands.doctor.models import check_models
from bot.config import sources

CALL = {"id": "c", "type": "function", "function": {"name": "run_tests", "arguments": "{}"}}
CALLS = Answer(
    body=json.dumps({"choices": [{"message": {"tool_calls": [CALL]}, "finish_reason": "tool_calls"}]})
)
PAGES = {"/v1/models": Answer(body='{"data": [{"id": "m", "max_model_len": 4096}]}')}


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Checks the model ``m`` at a server that gives ``answers``; returns the section's lines by name."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ExitStack() as stack:

        def run(*answers, pages=None, **options):
            if answers:
                server = stack.enter_context(serving(answers, pages=pages))
                options = {"model": "m", "base_url": server.url, "model_retries": "0", **options}
            settings = sources.load({"project": str(tmp_path), **options}, {"XDG_CACHE_HOME": str(tmp_path)})
            said = []
            section = check_models(settings, said.append)
            assert section.title == "Models"
            return {line.name: (line.status.value, line.detail) for line in section.lines}

        yield run


FILLS = Answer(body='{"content": "a + b", "stop": true, "stop_type": "eos"}')


def test_a_server_that_can_do_everything(check):
    lines = check(completion("ok"), completion('{"days": 7}'), CALLS, FILLS, pages=PAGES)
    assert lines["m"][0] == "ok"
    assert "11 + 7 tokens" in lines["m"][1]
    assert lines["m: JSON"] == ("ok", "holds a JSON schema")
    assert lines["m: tools"] == ("ok", "calls functions")
    assert lines["m: gaps"] == ("ok", "fills gaps in code, for the strategy hybrid")
    assert lines["m: context"] == ("ok", "4096 tokens for prompt and reply together")


def test_a_server_that_can_do_nothing_but_talk(check):
    no_json, no_tools = failure(400, "response_format?"), failure(400, "tools are not supported")
    lines = check(completion("ok"), no_json, no_json, completion("seven"), no_tools, completion("no"))
    assert {name: status for name, (status, _) in lines.items()} == {
        "m": "ok",
        "m: JSON": "note",
        "m: tools": "note",
        "m: gaps": "note",
        "m: context": "note",
    }
    assert "answers in text" in lines["m: JSON"][1]
    assert "has no function calling" in lines["m: tools"][1]


def test_a_server_that_promises_and_does_not_keep(check):
    lines = check(completion("ok"), completion("seven"), completion("I will"))
    assert "did not hold it" in lines["m: JSON"][1]
    assert "answered in text" in lines["m: tools"][1]


def test_what_was_believed_is_found_out_anew(check):
    no_json = failure(400, "response_format?")
    check(completion("ok"), no_json, no_json, completion("seven"))
    assert check(completion("ok"), completion('{"days": 7}'), CALLS)["m: JSON"][0] == "ok"


def test_a_key_that_is_refused(check):
    lines = check(failure(401, "Incorrect API key"))
    assert lines == {
        "m": ("problem", "m answered with status 401: Incorrect API key error; check OPENAI_API_KEY")
    }


def test_a_model_without_a_key(check):
    assert check(model="gpt-4.1")["model"][0] == "problem"


def test_no_model_is_no_problem(check):
    lines = check()
    assert lines["model"] == (
        "note",
        "none is named, and the strategy search needs none; --model names one",
    )
    assert lines["--model local"][0] == "note"


@pytest.mark.parametrize(
    ("available", "named", "status", "words"),
    [
        (8 << 30, False, "note", "licence Apache-2.0, takes 2100 MiB of memory, of which 8192 MiB"),
        (1 << 30, False, "note", "too large for this machine"),
        (None, False, "note", "does not say how much memory"),
        (1 << 30, True, "problem", "of which 1024 MiB are available here"),
    ],
)
def test_the_small_model_is_compared_with_the_memory(check, monkeypatch, available, named, status, words):
    monkeypatch.setattr(preset, "available_memory", lambda: available)
    monkeypatch.setattr(local, "find_spec", lambda _: object())
    lines = check(**({"model": "local"} if named else {}))
    assert lines["--model local"][0] == status
    assert words in lines["--model local"][1]
    assert (len(lines) == 1) is named  # a model that does not fit is not asked


def test_a_script_is_not_asked(check, tmp_path):
    (tmp_path / "s.yml").write_text("[one]")
    assert check(model=f"scripted:{tmp_path / 's.yml'}")["scripted:s.yml"][0] == "ok"
