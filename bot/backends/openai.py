"""Any server that speaks OpenAI's chat API, through the ``openai`` library.

OpenAI, GitHub Models, Together, vLLM, Ollama and llama.cpp do.
The library carries the request and reads the stream. It does not ask again, since with several keys each
refusal matters, and it follows no redirect.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from bot.backends.assembly import NO_CHOICE
from bot.backends.bounds import CONNECT_S, bounding, silence_s
from bot.backends.failures import Broken, ModelFailure, Refused, retry_after_s
from bot.backends.keys import NO_KEY
from bot.backends.prices import OPENAI
from bot.backends.wire import BEFORE
from bot.config.settings import names_in
from bot.errors import ConfigurationError, ModelUnavailable, quoted
from bot.ports import Clock

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI, Stream

    from bot.backends.choose import Builder
    from bot.backends.served import ServedBackend

SILENCE_S = 120.0
WRITE_S = 60.0
ASIDE_S = 10.0  # for questions that a run can do without
# By which names servers say how long the context is, in their list of models.
_CONTEXT_NAMES = ("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx")
_TAG = re.compile(r"<[^<>]*>")


class OpenAITransport:
    """``Transport`` over the ``openai`` library.

    ``silence`` is how many seconds a server may say nothing before it is given up, ``remaining`` what the run
    still has. ``direct`` goes past any proxy: for a server of our own on this machine.
    """

    def __init__(
        self,
        *,
        base_url: str = OPENAI,
        silence: float = SILENCE_S,
        remaining: Callable[[], float] = lambda: math.inf,
        clock: Clock = time.monotonic,
        direct: bool = False,
    ) -> None:
        import httpx2
        from openai import DefaultHttpxClient, OpenAI

        self._silence, self._remaining = silence, remaining
        try:
            self._client = OpenAI(
                api_key=NO_KEY,
                base_url=base_url,
                max_retries=0,
                http_client=DefaultHttpxClient(
                    follow_redirects=False,
                    trust_env=not direct,
                    event_hooks={"response": [bounding(clock=clock, remaining=remaining)]},
                ),
            )
        except (ValueError, httpx2.InvalidURL) as error:
            raise ConfigurationError(f"base-url: {quoted(base_url)} is no address of a server") from error
        if self._client.base_url.scheme not in {"http", "https"} or not self._client.base_url.host:
            self.close()
            raise ConfigurationError(
                f"base-url: {quoted(base_url)} is no address of a server: it begins with http:// or https://"
            )

    @property
    def endpoint(self) -> str:
        """See ``Transport.endpoint``."""
        return str(self._client.base_url.copy_with(userinfo=b"")).rstrip("/")

    def send(self, body: Mapping[str, Any], *, key: str) -> Iterator[object]:
        """See ``Transport.send``."""
        from openai import Stream

        with self._failures():
            stream: Stream[object] = self._with(key).post(
                f"{self._root}/infill" if BEFORE in body else "/chat/completions",
                body=dict(body),
                cast_to=object,
                stream=True,
                stream_cls=Stream[object],
                options={"headers": {"Accept-Encoding": "identity"}},
            )
            try:
                yield from _pieces(stream)
            finally:
                stream.close()

    def context_tokens(self, model: str, *, key: str) -> int:
        """See ``Transport.context_tokens``; llama.cpp reports in ``/props`` what it was started with."""
        client = self._with(key, silence=ASIDE_S)
        with suppress(Refused), self._failures():
            listed = client.get("/models", cast_to=object)
            said = _listed_context(listed, model)
            if said:
                return said
        with suppress(Refused), self._failures():
            return _props_context(client.get(f"{self._root}/props", cast_to=object))
        return 0

    def close(self) -> None:
        """See ``Transport.close``."""
        self._client.close()

    @property
    def _root(self) -> str:
        """Where llama.cpp's server has what OpenAI's interface lacks."""
        return re.sub(r"/v1/?$", "", str(self._client.base_url)).rstrip("/")

    def _with(self, key: str, *, silence: float = math.inf) -> OpenAI:
        from openai import Timeout

        read = silence_s(min(silence, self._silence), self._remaining())
        limits = Timeout(connect=min(CONNECT_S, read), read=read, write=WRITE_S, pool=CONNECT_S)
        return self._client.with_options(api_key=key, timeout=limits)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """The library's errors as this package's."""
        import httpx2
        from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, OpenAIError

        try:
            yield
        except APIStatusError as error:
            raise _refused(error) from error
        except (APITimeoutError, httpx2.TimeoutException) as error:
            silence = silence_s(self._silence, self._remaining())
            raise Broken(f"said nothing for {silence:g} s, at {self.endpoint}") from error
        except APIConnectionError as error:
            raise Broken(
                f"cannot be reached: no model server answers at {self.endpoint}", unreached=True
            ) from error
        except httpx2.HTTPError as error:
            raise Broken("broke off before the end of its reply") from error
        except APIError as error:
            raise _refused_midway(error) from error
        except OpenAIError as error:
            raise Broken(f"failed: {type(error).__name__}") from error
        except (UnicodeError, ValueError) as error:
            raise Broken("sent something that is not JSON") from error


def _pieces(stream: Stream[object]) -> Iterator[object]:
    """A stream's pieces; of a server that does not stream, its one reply."""
    kind = stream.response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "text/event-stream":
        yield from stream
        return
    content = stream.response.read()
    if kind in {"text/html", "application/xhtml+xml"}:
        raise Broken("answered with a web page: is this a chat model's endpoint?", lasting=True)
    # Some servers stream under another name.
    events = [line[5:] for line in content.splitlines() if line.startswith(b"data:")]
    try:
        for text in events or [content]:
            if text.strip() != b"[DONE]":
                yield json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Broken(NO_CHOICE, lasting=not events) from error


def _refused(error: APIStatusError) -> ModelFailure:
    words = _words(error.body) or _TAG.sub(" ", error.message)
    return Refused(status=error.status_code, words=words, retry_after=retry_after_s(error.response.headers))


def _refused_midway(error: Any) -> ModelFailure:  # noqa: ANN401 - an APIError, whose body may be anything
    """An error in place of a stream's piece; the status is in it, or it is the server's own failure."""
    body = error.body if isinstance(error.body, dict) else {}
    code = body.get("code")
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return Refused(status=status, words=_words(error.body) or str(error.message))


def _words(body: object) -> str:
    """What the server says in an error's body, with its code: some report a limit by that alone."""
    if not isinstance(body, dict):
        return body if isinstance(body, str) else ""
    inner = body.get("error")
    if isinstance(inner, str):
        return inner
    said = inner if isinstance(inner, dict) else body
    parts = [said.get(name) for name in ("message", "detail", "code", "type")]
    return " ".join(str(part) for part in parts if isinstance(part, str) and part)


def _listed_context(listed: object, model: str) -> int:
    found = listed.get("data") if isinstance(listed, dict) else listed
    models = found if isinstance(found, list) else []
    for entry in models:
        if not isinstance(entry, dict) or (entry.get("id") != model and len(models) > 1):
            continue
        meta = entry.get("meta")
        for source in (entry, meta if isinstance(meta, dict) else {}):
            for name in _CONTEXT_NAMES:
                if isinstance(source.get(name), int) and source[name] > 0:
                    return int(source[name])
    return 0


def _props_context(props: object) -> int:
    settings = props.get("default_generation_settings") if isinstance(props, dict) else None
    said = settings.get("n_ctx") if isinstance(settings, dict) else None
    return said if isinstance(said, int) and said > 0 else 0


def transport(builder: Builder, base_url: str) -> OpenAITransport:
    """The transport to the server at ``base_url``."""
    settings = builder.settings
    return OpenAITransport(base_url=base_url, silence=settings.model_timeout, remaining=builder.remaining)


def serve(builder: Builder, name: str) -> ServedBackend:
    """The model ``name`` of OpenAI, or of the server that the settings name."""
    from bot.backends.served import Advice

    keys, base_url = names_in(builder.settings.secrets.api_key), builder.settings.base_url
    if not keys and not base_url:
        raise ModelUnavailable(
            "no key for the model: set OPENAI_API_KEY (and OPENAI_BASE_URL for another server)"
        )
    advice = Advice(key="check OPENAI_API_KEY", place="check --model, and --base-url (OPENAI_BASE_URL)")
    return builder.served(name, transport(builder, base_url or OPENAI), keys, advice=advice)
