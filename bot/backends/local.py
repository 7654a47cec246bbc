"""A model that runs in this process: a GGUF file, by llama.cpp, through ``xllamacpp`` (the extra ``local``).

llama.cpp's own server is started inside of this process, on loopback, with a key that nobody else knows, and
is asked as any server is: it streams, holds JSON schemas by grammar, and stops when it is hung up on. The
file is loaded at the first question. Load only files that you trust: llama.cpp parses them in this process.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.backends import hub, preset
from bot.backends.openai import OpenAITransport
from bot.backends.prices import FREE
from bot.backends.prices import parse as parse_prices
from bot.errors import ConfigurationError, ModelUnavailable, quoted

if TYPE_CHECKING:
    from bot.backends.choose import Builder
    from bot.backends.served import ServedBackend

CONTEXT_TOKENS = 8192
_MAGIC = b"GGUF"
# Prompts are read at some ten tokens a second on one slow core, in silence.
SILENCE_S = 900.0


def check_installed() -> None:
    """See that llama.cpp is there.

    Raises:
        ModelUnavailable: it is not; the message says how to get it.
    """
    if find_spec("xllamacpp") is None:
        raise ModelUnavailable(
            "a local model needs llama.cpp, which is not installed here: pip install 'regreen[local]'"
        )


class LlamaTransport:
    """``Transport`` to a model in this process; ``find`` gives the path of its file, when it is needed."""

    endpoint = "local"

    def __init__(
        self,
        find: Callable[[], Path],
        *,
        threads: int = 0,
        context_tokens: int = CONTEXT_TOKENS,
        remaining: Callable[[], float] = lambda: float("inf"),
        notify: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._find, self._remaining, self._notify = find, remaining, notify
        self._threads = threads or len(os.sched_getaffinity(0))
        self._context_tokens = context_tokens
        self._key = secrets.token_urlsafe(32)
        self._server: object | None = None
        self._inner: OpenAITransport | None = None

    def send(self, body: Mapping[str, Any], *, key: str) -> Iterator[object]:
        """See ``Transport.send``."""
        del key
        return self._started().send(body, key=self._key)

    def context_tokens(self, model: str, *, key: str) -> int:
        """See ``Transport.context_tokens``: as much as the model is started with."""
        del model, key
        return self._context_tokens

    def close(self) -> None:
        """See ``Transport.close``; ends the server and frees its memory."""
        if self._inner:
            self._inner.close()
        self._inner = self._server = None

    def _started(self) -> OpenAITransport:
        if self._inner is None:
            path = self._find()
            check_is_gguf(path)
            self._notify(f"loading {path.name}")
            self._server = server = _start(path, self._key, self._threads, self._context_tokens)
            self._inner = OpenAITransport(
                base_url=f"{server.listening_address}/v1",
                silence=SILENCE_S,
                remaining=self._remaining,
                direct=True,
            )
        return self._inner


def check_is_gguf(path: Path) -> None:
    """See that the file at ``path`` begins as a GGUF file does.

    Raises:
        ConfigurationError: it does not, or cannot be read.
    """
    try:
        with path.open("rb") as stream:
            magic = stream.read(len(_MAGIC))
    except OSError as error:
        raise ConfigurationError(f"cannot read the model {path}: {error.strerror}") from error
    if magic != _MAGIC:
        raise ConfigurationError(f"{path} is no GGUF file, and llama.cpp reads no other")


def _start(path: Path, key: str, threads: int, context_tokens: int) -> Any:  # noqa: ANN401 - no types there
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0  # any that is free
    parameters.api_keys = [key]
    parameters.ui = parameters.endpoint_slots = parameters.warmup = False
    parameters.verbosity = -1
    # One question at a time, so that it has the whole context.
    parameters.n_parallel, parameters.n_ctx = 1, context_tokens
    for processors in (parameters.cpuparams, parameters.cpuparams_batch):
        processors.n_threads = threads
        processors.poll = 0  # an idle model takes no time from the tests
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise ModelUnavailable(
            f"llama.cpp cannot load {path}: the file may be damaged, or want more memory than there is for "
            f"{context_tokens} tokens: set model-context in a file given with --config, or "
            "REGREEN_MODEL_CONTEXT"
        ) from error


def serve(builder: Builder, name: str) -> ServedBackend:
    """The model of the GGUF file ``name``, or of that name on the hub."""
    check_installed()
    settings = builder.settings
    transport = LlamaTransport(
        _finder(builder, name),
        threads=settings.model_threads,
        context_tokens=settings.model_context or CONTEXT_TOKENS,
        remaining=builder.remaining,
        notify=builder.notice,
    )
    price = parse_prices(settings.model_prices).get(name, FREE)
    known = preset.SMALL.file.file if name == preset.NAME else name
    return builder.served(Path(known).name, transport, price=price)


def _finder(builder: Builder, name: str) -> Callable[[], Path]:
    """How to get the file of a local model: it is there, or on the hub."""
    settings, path = builder.settings, Path(name).expanduser()
    if name == preset.NAME:
        builder.notice(preset.SMALL.introduction())
        wanted: hub.HubFile | None = preset.SMALL.file
    elif path.is_file():
        check_is_gguf(path)
        return lambda: path
    else:
        wanted = hub.parse(name, revision=settings.model_revision)
    if wanted is None or name.startswith((".", "/", "~")):
        raise ConfigurationError(
            f"there is no model file {quoted(name)}: pass the path of a GGUF file, a name on the hub such as "
            "owner/repo or owner/repo/file.gguf, or --model local"
        )
    checked = settings.cache_directory / "models" / "checked"
    place = hub.Hub(checked=checked, token=settings.secrets.hf_token, endpoint=settings.hub_url)
    return lambda: place.fetch(wanted, builder.notice)
