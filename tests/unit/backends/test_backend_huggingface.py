"""The hub's providers: which address a question goes to, and by which name of the model."""

from contextlib import ExitStack

import pytest
from fakes.chatserver import serving, whole_stream
from fakes.progress import FakeProgress
from huggingface_hub import constants

from bot.backends.choose import backends
from bot.config import sources
from bot.ports import ChatRequest, Message

ASK = [Message(role="user", content="Why?")]
KEY = "hf_" + "a1B2" * 9
MODEL = "Qwen/Qwen2.5-Coder-32B-Instruct"


@pytest.mark.parametrize(
    ("model", "provider", "asked"),
    [
        (MODEL, "auto", MODEL),
        (MODEL, "together", f"{MODEL}:together"),
        ("{url}", "auto", "dummy"),
        ("{url}/v1/", "together", "dummy"),
    ],
)
def test_the_hubs_router_or_an_endpoint_of_ones_own_is_asked(monkeypatch, model, provider, asked):
    with serving([whole_stream("Because.")]) as server, ExitStack() as resources:
        root = server.url.removesuffix("/v1")
        monkeypatch.setattr(constants, "INFERENCE_PROXY_TEMPLATE", f"{root}/{{provider}}")
        options = {"model": f"huggingface:{model.format(url=root)}", "strategy": "react"}
        settings = sources.load(options, {"HF_TOKEN": KEY, "REGREEN_PROVIDER": provider})
        (backend,) = backends(settings, FakeProgress(), resources)
        assert backend.complete(ChatRequest(ASK)).text == "Because."
    assert [request["model"] for request in server.requests] == [asked]
    assert server.paths == ["/v1/chat/completions"]
    assert server.heads[0]["authorization"] == f"Bearer {KEY}"
