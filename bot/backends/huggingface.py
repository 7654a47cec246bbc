"""Models that the Hugging Face hub's inference providers serve, through ``huggingface_hub``.

``model`` is a name on the hub, or the address of an endpoint of one's own. The library finds the provider,
carries the request and reads the stream.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from bot.backends.bounds import bounding, silence_s
from bot.backends.failures import Broken, ModelFailure, Refused, retry_after_s
from bot.errors import ModelUnavailable, RegreenError
from bot.ports import Clock

if TYPE_CHECKING:
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError

    from bot.backends.builder import Builder
    from bot.backends.served import ServedBackend

SILENCE_S = 120.0
# The parameters that the library knows by name; any other travels beside them.
_NAMED = frozenset(
    {
        *("model", "messages", "max_tokens", "temperature", "seed"),
        *("tools", "response_format", "stream_options", "stream"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HuggingFaceTransport:
    """``Transport`` over ``huggingface_hub.InferenceClient``; ``provider`` is the one to ask, or ``auto``."""

    model: str
    provider: str = "auto"
    silence: float = SILENCE_S
    remaining: Callable[[], float] = lambda: float("inf")
    clock: Clock = time.monotonic

    @property
    def endpoint(self) -> str:
        """See ``Transport.endpoint``."""
        return f"huggingface:{self.provider}"

    def send(self, body: Mapping[str, Any], *, key: str) -> Iterator[object]:
        """See ``Transport.send``."""
        import huggingface_hub

        # The library keeps one HTTP client for all; this one's bounds hold for what is posted.
        bound = bounding(clock=self.clock, remaining=self.remaining, downloads=True)
        huggingface_hub.set_client_factory(partial(_client, bound))
        is_address = self.model.startswith(("http://", "https://"))
        with (
            self._failures(),
            huggingface_hub.InferenceClient(
                provider=cast("Any", None if is_address else self.provider),
                api_key=key,
                timeout=silence_s(self.silence, self.remaining()),
            ) as client,
        ):
            named = {name: value for name, value in body.items() if name in _NAMED}
            other = {name: value for name, value in body.items() if name not in _NAMED}
            yield from client.chat_completion(**named, extra_body=other or None)

    def context_tokens(self, model: str, *, key: str) -> int:
        """See ``Transport.context_tokens``; the providers do not say."""
        del model, key
        return 0

    def close(self) -> None:
        """See ``Transport.close``."""
        import huggingface_hub

        huggingface_hub.close_session()

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """The library's errors as this package's."""
        import httpx2
        from huggingface_hub import errors

        try:
            yield
        except (ModelFailure, RegreenError, GeneratorExit):
            raise
        except errors.HfHubHTTPError as error:
            raise _refused(error) from error
        except errors.InferenceTimeoutError as error:
            raise Broken(f"said nothing for {self.silence:g} s") from error
        except (errors.TextGenerationError, KeyError) as error:
            raise Refused(status=500, words=str(error)) from error
        except httpx2.TimeoutException as error:
            raise Broken(f"said nothing for {self.silence:g} s") from error
        except httpx2.HTTPError as error:
            raise Broken(
                "cannot be reached: the hub's inference service does not answer", unreached=True
            ) from error
        except (json.JSONDecodeError, UnicodeError) as error:
            raise Broken("sent something that is not JSON") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise Broken(f"cannot be asked: {error}", lasting=True) from error


def _client(bound: Callable[[httpx2.Response], None]) -> httpx2.Client:
    from huggingface_hub.utils._http import default_client_factory

    client = default_client_factory()
    client.event_hooks = {**client.event_hooks, "response": [*client.event_hooks["response"], bound]}
    return client


def _refused(error: HfHubHTTPError) -> ModelFailure:
    return Refused(
        status=error.response.status_code,
        words=error.server_message or str(error),
        retry_after=retry_after_s(error.response.headers),
    )


def serve(builder: Builder, name: str) -> ServedBackend:
    """The model ``name`` of the hub's inference providers."""
    from bot.backends.served import Advice

    settings, token = builder.settings, builder.settings.secrets.hf_token
    if not token:
        raise ModelUnavailable(
            f"no token for the hub's inference providers ({name}): set HF_TOKEN to one that may "
            "'make calls to inference providers'"
        )
    transport = HuggingFaceTransport(
        model=name,
        provider=settings.provider,
        silence=settings.model_timeout,
        remaining=builder.remaining,
    )
    advice = Advice(
        key="check HF_TOKEN, and that it may 'make calls to inference providers'",
        place="check --model, and provider in the configuration",
    )
    return builder.served(name, transport, (token,), advice=advice)
