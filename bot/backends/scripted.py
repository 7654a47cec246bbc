"""A model that says what it was told to: for tests, demonstrations and debugging without a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.domain import Usage
from bot.errors import ModelUnavailable
from bot.ports import Completion, Message, Tool


class ScriptedBackend:
    """``ChatBackend`` that gives ``replies`` in order, and keeps what it was asked in ``requests``."""

    def __init__(self, replies: Sequence[str]) -> None:
        self._replies = list(replies)
        self.requests: list[tuple[Message, ...]] = []

    @property
    def model(self) -> str:
        """See ``ChatBackend.model``."""
        return "scripted"

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
        """See ``ChatBackend.complete``; tokens are counted as words."""
        del temperature, max_tokens, schema, tools, seed
        if len(self.requests) >= len(self._replies):
            raise ModelUnavailable(
                f"the script holds {len(self._replies)} replies and one more was asked for"
            )
        reply = self._replies[len(self.requests)]
        self.requests.append(tuple(messages))
        words = sum(len(message.content.split()) for message in messages)
        usage = Usage(calls=1, prompt_tokens=words, completion_tokens=len(reply.split()))
        return Completion(text=reply, usage=usage, model="scripted")
