"""Builds the backend of one model as the settings say: its server, its key, its price.

A key goes to the server that it is for and to no other: GitHub's token to GitHub Models, the hub's to the
hub, and the key of OpenAI's variables to OpenAI or to the server that ``--base-url`` names.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.config.settings import names_in
from bot.errors import ConfigurationError, ModelUnavailable, quoted
from bot.ports import ChatBackend, Progress

if TYPE_CHECKING:
    from bot.backends.keys import KeyRing
    from bot.backends.memory import AbilityMemory
    from bot.backends.prices import Price
    from bot.backends.retrying import RetryPatience
    from bot.backends.served import Advice
    from bot.backends.transport import Transport
    from bot.config.settings import Settings

    _Parts = tuple[Transport, tuple[str, ...], Advice | None]

GITHUB_MODELS = "https://models.github.ai/inference"
_SET_PRICES = "set model-prices in a file given with --config, or REGREEN_MODEL_PRICES"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A model by its backend and its name there."""

    backend: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds backends that share what they have learnt, and the run's time."""

    settings: Settings
    progress: Progress
    resources: ExitStack
    remaining: Callable[[], float]

    def build(self, model: Named) -> ChatBackend:
        """The backend of one model."""
        if model.backend == "scripted":
            from bot.backends.scripted import ScriptedBackend, read_script

            return ScriptedBackend(read_script(Path(model.name)), model=f"scripted:{Path(model.name).name}")
        from bot.backends.served import Advice, ServedBackend

        transport, keys, advice = {
            "openai": self._openai,
            "github": self._github,
            "huggingface": self._huggingface,
            "local": self._local,
        }[model.backend](model.name)
        self.resources.callback(transport.close)
        return ServedBackend(
            model=Path(model.name).name if model.backend == "local" else model.name,
            transport=transport,
            keys=self._ring(keys),
            asking=self._asking(),
            memory=self._memory(),
            price=self._price(model, transport.endpoint),
            context_tokens=self._context(model),
            listen=lambda text: self.progress.tick(detail=text),
            notice=lambda text: self.progress.stage("model", text),
            advice=advice or Advice(),
        )

    def _context(self, model: Named) -> int:
        """What the user says of the context; a local model has as much as it is started with."""
        from bot.backends.local import CONTEXT_TOKENS

        return self.settings.model_context or (CONTEXT_TOKENS if model.backend == "local" else 0)

    def _openai(self, name: str) -> _Parts:
        del name
        from bot.backends.openai import BASE_URL
        from bot.backends.served import Advice

        keys = names_in(self.settings.secrets.api_key)
        if not keys and not self.settings.base_url:
            raise ModelUnavailable(
                "no key for the model: set OPENAI_API_KEY (and OPENAI_BASE_URL for another server)"
            )
        advice = Advice(key="check OPENAI_API_KEY", place="check --model, and --base-url (OPENAI_BASE_URL)")
        return self._transport(self.settings.base_url or BASE_URL), keys, advice

    def _github(self, name: str) -> _Parts:
        from bot.backends.served import Advice

        keys = names_in(self.settings.secrets.github_token)
        if not keys:
            raise ModelUnavailable(
                f"no token for GitHub Models ({name}): set GITHUB_TOKEN; in a workflow, give the job "
                "'permissions: models: read'"
            )
        advice = Advice(
            key="the token needs 'permissions: models: read'",
            place="names there look like openai/gpt-4.1-mini",
        )
        return self._transport(GITHUB_MODELS), keys, advice

    def _huggingface(self, name: str) -> _Parts:
        from bot.backends.huggingface import HuggingFaceTransport
        from bot.backends.served import Advice

        token = self.settings.secrets.hf_token
        if not token:
            raise ModelUnavailable(
                f"no token for the hub's inference providers ({name}): set HF_TOKEN to one that may "
                "'make calls to inference providers'"
            )
        transport = HuggingFaceTransport(
            model=name,
            provider=self.settings.provider,
            silence=self.settings.model_timeout,
            remaining=self.remaining,
        )
        advice = Advice(
            key="check HF_TOKEN, and that it may 'make calls to inference providers'",
            place="check --model, and provider in the configuration",
        )
        return transport, (token,), advice

    def _local(self, name: str) -> _Parts:
        from bot.backends import local

        local.check_installed()
        transport = local.LlamaTransport(
            self._finder(name),
            threads=self.settings.model_threads,
            context_tokens=self.settings.model_context or local.CONTEXT_TOKENS,
            remaining=self.remaining,
            notify=lambda text: self.progress.stage("model", text),
        )
        return transport, (), None

    def _finder(self, name: str) -> Callable[[], Path]:
        """How to get the file of a local model: it is there, or on the hub."""
        from bot.backends import hub, local

        path = Path(name).expanduser()
        if path.is_file():
            local.check_is_gguf(path)
            return lambda: path
        wanted = hub.parse(name, revision=self.settings.model_revision)
        if wanted is None or name.startswith((".", "/", "~")):
            raise ConfigurationError(
                f"there is no model file {quoted(name)}: pass the path of a GGUF file, or a name on the hub "
                "such as owner/repo or owner/repo/file.gguf"
            )
        place = hub.Hub(
            checked=self.settings.cache_directory / "models" / "checked",
            token=self.settings.secrets.hf_token,
            endpoint=self.settings.hub_url,
        )
        return lambda: place.fetch(wanted, lambda text: self.progress.stage("model", text))

    def _transport(self, base_url: str) -> Transport:
        from bot.backends.openai import OpenAITransport

        return OpenAITransport(
            base_url=base_url, silence=self.settings.model_timeout, remaining=self.remaining
        )

    def _ring(self, keys: tuple[str, ...]) -> KeyRing:
        from bot.backends.keys import KeyRing

        return KeyRing(keys, clock=time.monotonic)

    def _asking(self) -> RetryPatience:
        from bot.backends.retrying import RetryPatience

        return RetryPatience(retries=self.settings.model_retries, remaining=self.remaining)

    def _memory(self) -> AbilityMemory:
        from bot.backends.memory import AbilityMemory

        return AbilityMemory(self.settings.cache_directory / "models" / "abilities.json")

    def _price(self, model: Named, endpoint: str) -> Price:
        """What the model costs. Where nobody knows, nothing is counted, and that is said."""
        from bot.backends import prices
        from bot.backends.openai import BASE_URL

        given = prices.parse(self.settings.model_prices)
        if model.name in given:
            return given[model.name]
        if model.backend == "local":
            return prices.FREE
        price = prices.listed(model.name) if endpoint == BASE_URL else None
        if price and self.settings.max_cost:
            said = f"max-cost counts {model.name} at its list price of {prices.as_of()}; {_SET_PRICES}"
            self.progress.stage("model", said)
        if price is None:
            self.progress.stage(
                "model",
                f"no price is known of {model.name} at {endpoint}: its costs count as 0; {_SET_PRICES}",
            )
        return price or prices.FREE
