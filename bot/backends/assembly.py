"""Puts a reply together from what a server sends: the pieces of a stream, or a whole reply at once.

A server may send anything. What cannot be read as a piece of a reply is ``Broken``; what is too much is cut.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.backends.failures import Broken
from bot.backends.wire import sendable
from bot.ports import ToolCall

# Far more than any reply that the loop asks for.
TEXT_CHARACTERS = 1_000_000
TOOL_CALLS = 64
# US dollars for one reply; a larger number is no price.
MAX_COST = 1_000
NO_CHOICE = "answered without a choice: is this a chat model's endpoint?"
# A token is about four characters of English or code; small models' tokens are shorter.
CHARACTERS_PER_TOKEN = 3.5


@dataclass(slots=True, kw_only=True)
class _Call:
    """A tool call, growing."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True, kw_only=True)
class Assembly:
    """A reply, growing. ``pieces`` counts what came with text in it: about one a token.

    ``cost`` is what the server states that the reply costs, in US dollars, as OpenRouter does in
    ``usage.cost`` (https://openrouter.ai/docs/use-cases/usage-accounting); None where it says nothing.
    """

    text: str = ""
    finish: str = ""
    whole: bool = False
    is_infill: bool = False
    full: bool = False
    pieces: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    _choices: int = 0
    _texts: list[str] = field(default_factory=list)
    _length: int = 0
    _calls: dict[int, _Call] = field(default_factory=dict)

    def add(self, piece: object) -> None:
        """Take one piece, or a whole reply.

        Raises:
            Broken: it is neither.
        """
        if not isinstance(piece, dict):
            raise Broken(NO_CHOICE, lasting=True)
        usage = piece.get("usage")
        if isinstance(usage, dict):
            self.prompt_tokens = _number(usage.get("prompt_tokens")) or self.prompt_tokens
            self.completion_tokens = _number(usage.get("completion_tokens")) or self.completion_tokens
            stated = usage.get("cost")
            if isinstance(stated, int | float) and type(stated) is not bool and 0 <= stated < MAX_COST:
                self.cost = float(stated)
        if isinstance(piece.get("content"), str) and isinstance(piece.get("stop"), bool):
            self._take_infill(piece)
            return
        choices = piece.get("choices")
        if choices is None or choices == []:
            return  # of a stream, the piece with the usage
        choice = choices[0] if isinstance(choices, list) else None
        if not isinstance(choice, dict):
            raise Broken(NO_CHOICE, lasting=True)
        self.whole = "message" in choice
        # The piece that marks the end may hold nothing else.
        nothing: dict[str, object] | None = {} if choice.get("finish_reason") else None
        message = choice.get("message") if self.whole else choice.get("delta", nothing)
        if not isinstance(message, dict):
            raise Broken(NO_CHOICE, lasting=True)
        self._choices += 1
        self._take_text(message.get("content"))
        self._take_calls(message.get("tool_calls"))
        self.pieces += bool(message)
        if isinstance(choice.get("finish_reason"), str):
            self.finish = choice["finish_reason"]

    def _take_infill(self, piece: dict[str, object]) -> None:
        """Take what llama.cpp's ``/infill`` sends: text, and with the last of it what it counted."""
        self._choices += 1
        self.pieces += 1
        self.is_infill = True
        self._take_text(piece["content"])
        self.prompt_tokens = _number(piece.get("tokens_evaluated")) or self.prompt_tokens
        self.completion_tokens = _number(piece.get("tokens_predicted")) or self.completion_tokens
        if piece["stop"]:
            self.finish = "length" if piece.get("stop_type") == "limit" else "stop"

    def close(self) -> None:
        """Say that nothing more comes.

        Raises:
            Broken: that was no reply, or the end of it is missing.
        """
        if not self._choices:
            raise Broken(NO_CHOICE, lasting=True)
        if not (self.whole or self.finish or self.full):
            raise Broken("broke off before the end of its reply")
        self.text = sendable("".join(self._texts))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls that the model wishes for, in their order; those without a name are none."""
        return tuple(
            ToolCall(id=call.id or f"call_{index}", name=call.name, arguments=sendable(call.arguments))
            for index, call in sorted(self._calls.items())
            if call.name
        )

    @property
    def truncated(self) -> bool:
        """Whether the reply ended at a limit, the server's or ours."""
        return self.full or self.finish == "length"

    def _take_text(self, content: object) -> None:
        if isinstance(content, list):  # as parts, of which only texts are of use
            content = "".join(
                str(part.get("text", "")) if isinstance(part, dict) else self._unreadable()
                for part in content
            )
        if content is None:
            return
        if not isinstance(content, str):
            self._unreadable()
            return
        room = TEXT_CHARACTERS - self._length
        self.full = self.full or len(content) > room
        self._texts.append(content[:room])
        self._length += len(content[:room])

    def _take_calls(self, calls: object) -> None:
        if not isinstance(calls, list):
            return
        for position, part in enumerate(calls[:TOOL_CALLS]):
            function = part.get("function") if isinstance(part, dict) else None
            if not isinstance(function, dict):
                continue
            index = part.get("index")
            index = index if isinstance(index, int) and 0 <= index < TOOL_CALLS else position
            call = self._calls.setdefault(index, _Call())
            call.id = call.id or _text(part.get("id"))
            call.name = call.name or _text(function.get("name"))
            self._take_arguments(call, function.get("arguments"))

    def _take_arguments(self, call: _Call, arguments: object) -> None:
        # Some servers send them as an object, though the contract is a text.
        more = json.dumps(arguments) if isinstance(arguments, dict) else _text(arguments)
        room = TEXT_CHARACTERS - len(call.arguments)
        self.full = self.full or len(more) > room
        call.arguments += more[:room]

    @staticmethod
    def _unreadable() -> str:
        raise Broken(NO_CHOICE, lasting=True)


def estimated_tokens(texts: Iterable[str]) -> int:
    """About how many tokens ``texts`` are, where the server does not say."""
    return int(sum(len(text) for text in texts) / CHARACTERS_PER_TOKEN) + 1


def _text(value: object) -> str:
    return sendable(value) if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
