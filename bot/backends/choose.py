"""From settings to models: which there are, what serves each, and whether replies come from a cassette."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from bot.backends.builder import Builder, Named
from bot.config.options import BY_NAME
from bot.config.settings import names_in
from bot.errors import ConfigurationError, ModelUnavailable, quoted
from bot.ports import ChatBackend, Progress
from bot.scrub import Scrubber

if TYPE_CHECKING:
    from bot.config.settings import Settings

NAMED = tuple(name for name in BY_NAME["backend"].choices if name != "auto")
GGUF = ".gguf"


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
        raise ConfigurationError(f"replay: {settings.replay} holds no reply: record it with --record")
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
    return (backend, name) if colon and backend in NAMED and name else ("", text)
