"""The hub's providers: which address a question goes to, and what is said where there is none."""

from contextlib import closing

import pytest
from every_case import every_case
from fakes.chatserver import serving, whole_stream
from fakes.patience import Patience
from huggingface_hub import constants
from huggingface_hub.hf_api import InferenceProviderMapping
from huggingface_hub.inference._providers import _common

from bot.backends.huggingface import HuggingFaceTransport
from bot.backends.keys import KeyRing
from bot.backends.served import ServedBackend
from bot.errors import ModelUnavailable
from bot.ports import ChatRequest, Message

ASK = [Message(role="user", content="Why?")]
KEY = "hf_" + "a1B2" * 9
MODEL = "Qwen/Qwen2.5-Coder-32B-Instruct"


@pytest.fixture(autouse=True)
def _direct(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def backend_of(provider, *, key=KEY, model=MODEL):
    patience = Patience()
    return ServedBackend(
        model=model,
        transport=HuggingFaceTransport(model=model, provider=provider, clock=patience.clock),
        keys=KeyRing([key], clock=patience.clock),
        asking=patience.asking(0),
    )


def test_a_provider_is_asked_through_the_hub_by_its_own_name_of_the_model(monkeypatch):
    known = InferenceProviderMapping(
        hf_model_id=MODEL, provider="together", providerId="qwen-32b", task="conversational", status="live"
    )
    monkeypatch.setitem(_common.HARDCODED_MODEL_INFERENCE_MAPPING, "together", {MODEL: known})
    with serving([whole_stream("Because.")]) as server:
        monkeypatch.setattr(constants, "INFERENCE_PROXY_TEMPLATE", f"{server.url}/{{provider}}")
        with closing(backend_of("together")) as backend:
            assert backend.complete(ChatRequest(ASK, seed=3, max_tokens=9)).text == "Because."
    (asked,) = server.requests
    assert (asked["model"], asked["seed"], asked["max_tokens"], asked["stream"]) == ("qwen-32b", 3, 9, True)
    assert server.paths == ["/v1/together/v1/chat/completions"]
    assert server.heads[0]["authorization"] == f"Bearer {KEY}"


@every_case(
    ("provider", "key", "words"),
    [
        ("nobody", KEY, "cannot be asked: .*nobody.* not supported"),
        ("auto", "sk-0123456789", "cannot be asked"),
    ],
)
def test_what_the_library_does_not_do_is_told_in_a_line(provider, key, words):
    with (
        closing(backend_of(provider, key=key)) as backend,
        pytest.raises(ModelUnavailable, match=words) as caught,
    ):
        backend.complete(ChatRequest(ASK))
    assert str(caught.value).isprintable()
    assert key not in str(caught.value)
