"""A model with replies from a script: for tests, demonstrations and debugging without a server."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from bot.domain import Usage
from bot.errors import ConfigurationError, ModelUnavailable
from bot.ports import ChatRequest, Completion, InfillRequest, ToolCall

if TYPE_CHECKING:
    from bot.backends.choose import Builder

SIZE_LIMIT_BYTES = 16 << 20


class ScriptedCall(BaseModel):
    """A tool call, as a script writes it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str
    arguments: str = "{}"


class ScriptedReply(BaseModel):
    """A reply, as a script writes it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    text: str = ""
    tool_calls: list[ScriptedCall] = []
    truncated: bool = False


class ScriptedBackend:
    """``ChatBackend`` that gives ``replies`` in order, and keeps what it was asked in ``requests``."""

    def __init__(self, replies: Sequence[str | ScriptedReply], *, model: str = "scripted") -> None:
        self._replies = [ScriptedReply(text=one) if isinstance(one, str) else one for one in replies]
        self.model = model
        self.context_tokens = 0
        self.requests: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> Completion:
        """See ``ChatBackend.complete``; tokens are counted as words."""
        if len(self.requests) >= len(self._replies):
            raise ModelUnavailable(
                f"the script holds {len(self._replies)} replies and one more was asked for"
            )
        reply = self._replies[len(self.requests)]
        self.requests.append(request)
        usage = Usage(
            calls=1,
            prompt_tokens=sum(len(message.content.split()) for message in request.messages),
            completion_tokens=len(reply.text.split()),
        )
        return Completion(
            text=reply.text,
            usage=usage,
            model=self.model,
            tool_calls=tuple(
                ToolCall(id=f"call_{index}", name=call.name, arguments=call.arguments)
                for index, call in enumerate(reply.tool_calls)
            ),
            truncated=reply.truncated,
        )

    def infill(self, request: InfillRequest) -> None:
        """See ``ChatBackend.infill``: a script answers no such question."""
        del request


def read_script(path: Path) -> tuple[ScriptedReply, ...]:
    """The replies in the YAML or JSON file at ``path``: a list of texts, or of mappings.

    A mapping holds ``text``, and may hold ``truncated`` and ``tool_calls``, each with ``name`` and
    ``arguments`` (a text of JSON).

    Raises:
        ConfigurationError: it cannot be read, or holds something else; the message says where.
    """
    import yaml
    from pydantic import TypeAdapter, ValidationError

    try:
        with path.open("rb") as stream:
            content = stream.read(SIZE_LIMIT_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(f"cannot read the script {path}: {error.strerror}") from error
    if len(content) > SIZE_LIMIT_BYTES:
        raise ConfigurationError(f"{path}: larger than {SIZE_LIMIT_BYTES >> 20} MiB, so no script")
    try:
        listed = TypeAdapter(list[str | ScriptedReply]).validate_python(yaml.safe_load(content))
    except (yaml.YAMLError, RecursionError, UnicodeError) as error:
        raise ConfigurationError(f"{path}: neither YAML nor JSON") from error
    except ValidationError as error:
        wrong = error.errors()[0]
        where = f"reply {wrong['loc'][0] + 1}: " if wrong["loc"] and isinstance(wrong["loc"][0], int) else ""
        raise ConfigurationError(
            f"{path}: {where}expected a list of texts, or of mappings with 'text'"
        ) from error
    except ValueError as error:  # a date that is none
        raise ConfigurationError(f"{path}: neither YAML nor JSON") from error
    return tuple(ScriptedReply(text=one) if isinstance(one, str) else one for one in listed)


def serve(_builder: "Builder", name: str) -> ScriptedBackend:
    """The script in the file ``name``, for ``Builder.build``."""
    return ScriptedBackend(read_script(Path(name)), model=f"scripted:{Path(name).name}")
