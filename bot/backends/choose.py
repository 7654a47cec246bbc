"""From settings to models: which backend serves which, and with whose key. The composition of this package.

A key goes to the server that it is for and to no other: GitHub's token to GitHub Models, the hub's to the
hub, and the key of OpenAI's variables to OpenAI or to the server that ``--base-url`` names.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import ConfigurationError, ModelUnavailable, quoted
from bot.ports import ChatBackend, Progress

if TYPE_CHECKING:
    from bot.backends.asking import Asking
    from bot.backends.keys import KeyRing
    from bot.backends.memory import AbilityMemory
    from bot.backends.prices import Price
    from bot.backends.transport import Transport
    from bot.config import Settings

GITHUB_MODELS = "https://models.github.ai/inference"
BACKENDS = ("openai", "github", "huggingface", "local", "scripted")
GGUF = ".gguf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A model by its backend and its name there."""

    backend: str
    name: str


def backends(
    settings: Settings,
    progress: Progress,
    resources: ExitStack,
    *,
    remaining: Callable[[], float] = lambda: math.inf,
) -> tuple[ChatBackend, ...]:
    """The models that ``settings`` name, in their order: from cheap to strong.

    ``resources`` closes what they hold; ``remaining`` gives the seconds that the run still has.

    Raises:
        ConfigurationError: an option cannot be used.
        ModelUnavailable: no model is named, or a key or a library is missing.
    """
    from bot.scrub import Scrubber

    scrub = Scrubber(secrets_of(settings))
    if settings.replay:
        return _replayed(settings, scrub)
    named = models(settings)
    if not named:
        raise ModelUnavailable(f"the strategy {settings.strategy} needs a model: pass --model")
    builder = _Builder(settings=settings, progress=progress, resources=resources, remaining=remaining)
    built = tuple(builder.build(model) for model in named)
    if settings.record:
        from bot.backends.cassette import RecordingBackend

        return tuple(RecordingBackend(each, Path(settings.record), scrub=scrub) for each in built)
    return built


def models(settings: Settings) -> tuple[Named, ...]:
    """The models that ``settings`` name, each with its backend.

    Raises:
        ModelUnavailable: nothing tells which backend serves one.
    """
    texts = [text.strip() for text in settings.model.split(",") if text.strip()]
    return tuple(_named(text, settings) for text in texts)


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """The secrets of ``settings``, each key of several by itself."""
    secrets = settings.secrets
    return (*_keys(secrets.api_key), secrets.hf_token, secrets.github_token)


def _replayed(settings: Settings, scrub: Callable[[str], str]) -> tuple[ChatBackend, ...]:
    from bot.backends.cassette import ReplayBackend, read_cassette
    from bot.scrub import Scrubber

    assert isinstance(scrub, Scrubber)
    cassette = read_cassette(Path(settings.replay))
    if not cassette.lines:
        raise ConfigurationError(f"replay: {settings.replay} holds no reply: record it with --record")
    texts = [text.strip() for text in settings.model.split(",") if text.strip()]
    names = [_split(text)[1] for text in texts] or cassette.models
    missing = [name for name in names if name not in cassette.models]
    if missing:
        raise ConfigurationError(
            f"replay: {settings.replay} holds no reply of {quoted(missing[0])}, but of "
            f"{', '.join(cassette.models)}"
        )
    return tuple(ReplayBackend(cassette, name, scrub=scrub) for name in names)


def _named(text: str, settings: Settings) -> Named:
    backend, name = _split(text)
    if backend or settings.backend != "auto":
        return Named(backend=backend or settings.backend, name=name)
    if name.lower().endswith(GGUF):
        return Named(backend="local", name=name)
    # What was said explicitly goes before what happens to lie in the environment.
    if settings.base_url or settings.secrets.api_key:
        return Named(backend="openai", name=name)
    if "/" in name and settings.secrets.hf_token:
        return Named(backend="huggingface", name=name)
    if "/" in name and settings.secrets.github_token:
        return Named(backend="github", name=name)
    raise ModelUnavailable(
        f"no key for the model {quoted(name)}: set OPENAI_API_KEY (and OPENAI_BASE_URL for another server), "
        "HF_TOKEN, or GITHUB_TOKEN with a name such as openai/gpt-4.1-mini; or pass a local .gguf file"
    )


def _split(text: str) -> tuple[str, str]:
    """A model's backend, where its name begins with one and a colon; names of models hold colons too."""
    backend, colon, name = text.partition(":")
    return (backend, name) if colon and backend in BACKENDS and name else ("", text)


def _keys(text: str) -> tuple[str, ...]:
    return tuple(key.strip() for key in text.split(",") if key.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Builder:
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
            context_tokens=int(self.settings.model_context or 0),
            listen=lambda text: self.progress.stage("model", text),
            advice=advice or Advice(),
        )

    def _openai(self, name: str) -> _Parts:
        del name
        from bot.backends.openai import BASE_URL
        from bot.backends.served import Advice

        keys = _keys(self.settings.secrets.api_key)
        if not keys and not self.settings.base_url:
            raise ModelUnavailable(
                "no key for the model: set OPENAI_API_KEY (and OPENAI_BASE_URL for another server)"
            )
        advice = Advice(key="check OPENAI_API_KEY", place="check --model, and --base-url (OPENAI_BASE_URL)")
        return self._transport(self.settings.base_url or BASE_URL), keys, advice

    def _github(self, name: str) -> _Parts:
        from bot.backends.served import Advice

        keys = _keys(self.settings.secrets.github_token)
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
            place="check --model and --provider",
        )
        return transport, (token,), advice

    def _local(self, name: str) -> _Parts:
        from bot.backends import local

        local.check_installed()
        transport = local.LlamaTransport(
            self._finder(name),
            name=name,
            threads=int(self.settings.model_threads or 0),
            context_tokens=int(self.settings.model_context or local.CONTEXT_TOKENS),
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
            checked=self.settings.cache_folder / "models" / "checked",
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

    def _asking(self) -> Asking:
        from bot.backends.asking import Asking

        return Asking(retries=self.settings.model_retries, remaining=self.remaining)

    def _memory(self) -> AbilityMemory:
        from bot.backends.memory import AbilityMemory

        return AbilityMemory(self.settings.cache_folder / "models" / "abilities.json")

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
        if price is None:
            self.progress.stage(
                "model",
                f"no price is known of {model.name} at {endpoint}: its costs count as 0 (--model-prices)",
            )
        return price or prices.FREE


if TYPE_CHECKING:
    from bot.backends.served import Advice

    _Parts = tuple[Transport, tuple[str, ...], Advice | None]
