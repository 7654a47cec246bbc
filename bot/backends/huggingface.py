"""Models that the Hugging Face hub's inference providers serve: they speak OpenAI's chat API.

``name`` is one on the hub, or the address of an endpoint of one's own.
"""

from bot.backends.choose import Builder
from bot.backends.openai import transport
from bot.backends.served import Advice, ServedBackend
from bot.errors import ModelUnavailable


def serve(builder: Builder, name: str) -> ServedBackend:
    """The model ``name`` of the hub's inference providers."""
    from huggingface_hub.constants import INFERENCE_PROXY_TEMPLATE

    token, provider = builder.settings.secrets.hf_token, builder.settings.provider
    if not token:
        raise ModelUnavailable(
            f"no token for the hub's inference providers ({name}): set HF_TOKEN to one that may "
            "'make calls to inference providers'"
        )
    if name.startswith(("http://", "https://")):
        # An endpoint serves one model, whatever the request calls it.
        base_url, called = f"{name.rstrip('/').removesuffix('/v1')}/v1", "dummy"
    else:
        # The hub's router takes the provider behind the model's name.
        base_url = INFERENCE_PROXY_TEMPLATE.format(provider="v1")
        called = name if provider == "auto" else f"{name}:{provider}"
    advice = Advice(
        key="check HF_TOKEN, and that it may 'make calls to inference providers'",
        place="check --model, and provider in the configuration",
    )
    return builder.served(name, transport(builder, base_url), (token,), advice=advice, called=called)
