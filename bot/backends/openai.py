"""Any server that speaks OpenAI's chat API. Retries, backoff and ``retry-after`` are the client library's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bot.domain import Usage
from bot.errors import ContextOverflow, ModelUnavailable
from bot.patch.text import one_line
from bot.ports import Completion, Message, Tool

if TYPE_CHECKING:
    from openai import APIStatusError

TIMEOUT_S = 300.0
RETRIES = 4
_OVERFLOW_SIGNS = ("context_length", "context length", "context size", "context window", "too many tokens")


class OpenAIBackend:
    """``ChatBackend`` over the ``openai`` library.

    A server that refuses ``response_format`` is asked without it from then on.
    """

    def __init__(
        self, *, model: str, api_key: str, base_url: str | None = None, retries: int = RETRIES
    ) -> None:
        from openai import OpenAI

        self._model = model
        self._key = api_key
        self._client = OpenAI(api_key=api_key, base_url=base_url, timeout=TIMEOUT_S, max_retries=retries)
        self._holds_schema = True

    @property
    def model(self) -> str:
        """See ``ChatBackend.model``."""
        return self._model

    @property
    def context_tokens(self) -> int:
        """See ``ChatBackend.context_tokens``."""
        return 0

    def complete(  # noqa: PLR0913 - see ``ChatBackend.complete``
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        max_tokens: int = 1024,
        schema: Mapping[str, object] | None = None,
        tools: Sequence[Tool] = (),
        seed: int | None = None,
    ) -> Completion:
        """See ``ChatBackend.complete``."""
        del tools, seed
        from openai import APIConnectionError, APIStatusError, BadRequestError, OpenAIError

        options: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": message.role, "content": _sendable(message.content)} for message in messages
            ],
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        if schema is not None and self._holds_schema:
            options["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "patch", "strict": True, "schema": dict(schema)},
            }
        try:
            reply = self._client.chat.completions.create(**options)
        except BadRequestError as error:
            if _says(error, _OVERFLOW_SIGNS):
                raise ContextOverflow(
                    f"the prompt does not fit {self._model}: {self._reason(error)}"
                ) from error
            if "response_format" in options:
                self._holds_schema = False
                return self.complete(messages, temperature=temperature, max_tokens=max_tokens)
            raise ModelUnavailable(f"{self._model} refused the request: {self._reason(error)}") from error
        except APIStatusError as error:
            raise ModelUnavailable(
                f"{self._model} answered with status {error.status_code}: {self._reason(error)}"
            ) from error
        except APIConnectionError as error:
            where = self._client.base_url.copy_with(userinfo=b"")
            raise ModelUnavailable(f"no model server answers at {where}: check OPENAI_BASE_URL") from error
        except OpenAIError as error:
            raise ModelUnavailable(f"{self._model} failed: {type(error).__name__}") from error
        except ValueError as error:  # the body is not the JSON that its content type promised
            raise self._no_choice() from error
        return self._completion(reply)

    def _completion(self, reply: Any) -> Completion:  # noqa: ANN401 - a server may answer anything
        choices = getattr(reply, "choices", None)
        message = getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
        text = getattr(message, "content", None)
        if message is None or isinstance(message, str) or not isinstance(text, str | None):
            raise self._no_choice()
        usage = getattr(reply, "usage", None)
        return Completion(
            text=_sendable(text or ""),
            usage=Usage(
                calls=1,
                prompt_tokens=_count(getattr(usage, "prompt_tokens", 0)),
                completion_tokens=_count(getattr(usage, "completion_tokens", 0)),
            ),
            model=self._model,
        )

    def _no_choice(self) -> ModelUnavailable:
        return ModelUnavailable(f"{self._model} answered without a choice: is this a chat model's endpoint?")

    def _reason(self, error: APIStatusError) -> str:
        """The server's own words, in one line, without the key that some servers repeat."""
        # A placeholder such as "none" is a word, not a secret.
        words = error.message.replace(self._key, "***") if len(self._key) >= 8 else error.message
        return one_line(" ".join(words.split()))


def _says(error: APIStatusError, signs: Sequence[str]) -> bool:
    return any(sign in str(error).lower() for sign in signs)


def _sendable(text: str) -> str:
    """``text`` with lone surrogates, a source file's undecodable bytes, replaced: JSON in UTF-8 has none."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
