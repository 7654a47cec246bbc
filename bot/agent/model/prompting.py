"""A prompt that can be made again with less in it, and knows what it showed."""

from collections.abc import Mapping
from typing import Any

from bot.agent.model.briefing.brief import brief_of
from bot.agent.model.prompts import render
from bot.agent.state import RepairContext, RepairState
from bot.ports import Message


class Prompt:
    """The template ``name`` over what is known of the failure; ``variables`` are what else it names.

    ``brief`` is what the last version of it showed.
    """

    def __init__(
        self,
        name: str,
        state: RepairState,
        context: RepairContext,
        *,
        numbered: bool = False,
        variables: Mapping[str, object] | None = None,
    ) -> None:
        self._name, self._state, self._context = name, state, context
        self._numbered, self._variables = numbered, dict(variables or {})
        self._room = context.request.model.prompt_tokens
        self.brief = brief_of(state, context, room=self._room, numbered=numbered)

    def __call__(self, room: int) -> tuple[Message, ...]:
        """The messages, in about ``room`` tokens."""
        if room != self._room:
            self._room = room
            self.brief = brief_of(self._state, self._context, room=room, numbered=self._numbered)
        variables: Mapping[str, Any] = {"numbered": self._numbered, "focus": (), **self._variables}
        text = render(self._name, brief=self.brief, **variables)
        return Message(role="system", content=render("system")), Message(role="user", content=text)
