"""From settings to models: which there are, what serves each, and whether replies come from a cassette.

A key goes to the server that it is for and to no other: GitHub's token to GitHub Models, the hub's to the
hub, and the key of OpenAI's variables to OpenAI or to the server that ``--base-url`` names.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from bot.backends import preset, prices
from bot.backends.keys import KeyRing
from bot.backends.retrying import RetryPatience
from bot.backends.served import Advice, ServedBackend
from bot.config.options import BY_NAME
from bot.config.settings import names_in
from bot.errors import ConfigurationError, ModelUnavailable, quoted
from bot.ports import ChatBackend, Progress
from bot.scrub import Scrubber

if TYPE_CHECKING:
    from bot.backends.transport import Transport
    from bot.config.settings import Settings

NAMED = tuple(name for name in BY_NAME["backend"].choices if name != "auto")
GGUF = ".gguf"
_SET_PRICES = "set model-prices in a file given with --config, or REGREEN_MODEL_PRICES"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A model by its backend and its name there."""

    backend: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds backends that share the run's time."""

    settings: Settings
    progress: Progress
    resources: ExitStack
    remaining: Callable[[], float]

    def build(self, model: Named) -> ChatBackend:
        """The backend of one model: ``serve`` of the module that the backend names makes it."""
        made: ChatBackend = import_module(f"bot.backends.{model.backend}").serve(self, model.name)
        return made

    def served(  # noqa: PLR0913 - what a served model is made of
        self,
        name: str,
        transport: Transport,
        keys: tuple[str, ...] = (),
        *,
        advice: Advice | None = None,
        price: prices.Price | None = None,
        called: str = "",
    ) -> ServedBackend:
        """A model behind ``transport``. Where ``price`` is None, the model and its server decide it.

        ``called`` is the server's own name of it, where that is another.
        """
        self.resources.callback(transport.close)
        return ServedBackend(
            model=name,
            transport=transport,
            keys=KeyRing(keys, clock=time.monotonic),
            asking=RetryPatience(retries=self.settings.model_retries, remaining=self.remaining),
            price=price or self._price(name, transport.endpoint),
            given_context=self.settings.model_context,
            called=called,
            listen=lambda text: self.progress.tick(detail=text),
            notice=self.notice,
            advice=advice or Advice(),
        )

    def notice(self, text: str) -> None:
        """Say what is waited for, and why."""
        self.progress.stage("model", text)

    def _price(self, name: str, endpoint: str) -> prices.Price:
        """What the model costs. Where nobody knows, nothing is counted, and that is said."""
        given = prices.parse(self.settings.model_prices)
        if name in given:
            return given[name]
        price = prices.listed(name) if endpoint == prices.OPENAI else None
        if price and self.settings.max_cost:
            self.notice(f"max-cost counts {name} at its list price of {prices.as_of()}; {_SET_PRICES}")
        if price is None:
            self.notice(
                f"no price is known of {name} at {endpoint}: its costs count as 0, "
                f"unless the server states them; {_SET_PRICES}"
            )
        return price or prices.FREE


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
    scrub = Scrubber(settings.confidential)
    if settings.replay:
        return _replayed(settings, scrub)
    named = models(settings)
    if not named:
        raise ModelUnavailable(f"the strategy {settings.strategy} needs a model: pass --model")
    builder = Builder(settings=settings, progress=progress, resources=resources, remaining=remaining)
    built = tuple(builder.build(model) for model in named)
    if settings.record:
        from bot.backends.cassette import RecordingBackend

        return tuple(RecordingBackend(each, Path(settings.record), scrub=scrub) for each in built)
    return built


def models(settings: Settings) -> tuple[Named, ...]:
    """The models that ``settings`` name, each with its backend.

    Raises:
        ModelUnavailable: nothing says which backend serves one.
    """
    return tuple(_named(text, settings) for text in names_in(settings.model))


def _replayed(settings: Settings, scrub: Scrubber) -> tuple[ChatBackend, ...]:
    from bot.backends.cassette import ReplayBackend, read_cassette

    cassette = read_cassette(Path(settings.replay))
    if not cassette.lines:
        raise ConfigurationError(f"replay: {settings.replay} holds no reply: record it with REGREEN_RECORD")
    names = [_split(text)[1] for text in names_in(settings.model)] or cassette.models
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
    if name.lower().endswith(GGUF) or (name == preset.NAME and not settings.base_url):
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
    return (backend, name) if colon and backend in NAMED and name else ("", text)
