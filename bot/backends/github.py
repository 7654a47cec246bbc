"""GitHub Models, which speak OpenAI's chat API and take GitHub's token."""

from bot.backends.choose import Builder
from bot.backends.openai import transport
from bot.backends.served import Advice, ServedBackend
from bot.config.settings import names_in
from bot.errors import ModelUnavailable

GITHUB_MODELS = "https://models.github.ai/inference"


def serve(builder: Builder, name: str) -> ServedBackend:
    """The model ``name`` of GitHub Models."""
    keys = names_in(builder.settings.secrets.github_token)
    if not keys:
        raise ModelUnavailable(
            f"no token for GitHub Models ({name}): set GITHUB_TOKEN; in a workflow, give the job "
            "'permissions: models: read'"
        )
    advice = Advice(
        key="the token needs 'permissions: models: read'", place="names there look like openai/gpt-4.1-mini"
    )
    return builder.served(name, transport(builder, GITHUB_MODELS), keys, advice=advice)
