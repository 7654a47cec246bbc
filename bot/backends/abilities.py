"""What a server can do for a model, found out by asking: a wish that it refuses is not made again.

Nothing here talks to a server. ``lesser`` decides what to leave out after a refusal; ``Abilities`` is what
is left. Each server words its refusals in its own way: the rows are signs in lower case, with whose they are.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from bot.backends.failures import Refused

# Refusals that may be of a wish. With the others of these, the wish has to be named.
_SUSPECT_STATUSES = frozenset({400, 415, 422, 501})
_NAMING_STATUSES = _SUSPECT_STATUSES | {404, 405, 500}
# When the server does not say what it minds: the likeliest first.
_GUESSES = ("response_format", "tools", "stream_options", "seed")
_OVERFLOW_SIGNS = (
    r"context[_ ]length",  # OpenAI, vLLM, Ollama, OpenRouter
    r"context[_ ]size",  # llama.cpp: exceed_context_size_error
    r"context window",  # what stands before Anthropic's and Mistral's models
    r"too many tokens",
    r"tokens_limit_reached|request body too large",  # GitHub Models, with status 413
    r"inputs? tokens? \+ .?max_new_tokens",  # text-generation-inference
    r"max_new_tokens.{0,40}must be <=",
    r"(?:prompt|input|request)(?: is)? too (?:long|large)",
    r"input length .{0,60}exceeds",  # Ollama
    r"maximum (?:input|prompt|sequence) length",
    r"(?:max_model_len|max_seq_len|n_ctx)\b.{0,80}(?:exceed|longer|greater)",
    r"longer than the maximum model length",  # vLLM
    r"reduce the length of the (?:input|messages|prompt)",
)
_OVERFLOW = re.compile("|".join(_OVERFLOW_SIGNS))
_OVERFLOW_STATUSES = frozenset({400, 413, 422, 500})
CONTENT_TOO_LARGE = 413

# What may be wished for beyond text, and the words by which a server says that it is to blame, the likeliest
# first.
WISHES = {
    "max_completion_tokens": re.compile(r"max_completion_tokens"),
    "stream_options": re.compile(r"stream_options|include_usage"),
    "response_format": re.compile(
        r"response_?format|json_?(?:schema|object)|grammar|structured|guided|\bschema\b"
    ),
    "tools": re.compile(r"\btools?\b|tool_|function call|--jinja"),
    "seed": re.compile(r"\bseed\b"),
    "temperature": re.compile(r"\btemperature\b"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What to ask for; the defaults are what a server is believed to do until it refuses.

    ``shape`` is how a reply's JSON schema is held, ``length`` the name of the limit on a reply's tokens,
    ``infill`` whether it has llama.cpp's ``/infill``.
    """

    shape: Literal["json_schema", "json_object", "none"] = "json_schema"
    tools: bool = True
    seed: bool = True
    usage_in_stream: bool = True
    temperature: bool = True
    length: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    infill: bool = True


def lesser(abilities: Abilities, body: Mapping[str, Any], refusal: Refused) -> Abilities | None:
    """``abilities`` without what ``refusal`` of ``body`` is about; None where no wish can be to blame."""
    if refusal.status not in _NAMING_STATUSES:
        return None
    guesses = _GUESSES if refusal.status in _SUSPECT_STATUSES else ()
    named = [wish for wish, pattern in WISHES.items() if pattern.search(refusal.words.lower())]
    found = (_without(abilities, body, wish) for wish in (*named, *guesses))
    return next(filter(None, found), None)


def _without(abilities: Abilities, body: Mapping[str, Any], wish: str) -> Abilities | None:
    """One step down from ``wish``; None where ``body`` does not hold it."""
    if wish == "max_completion_tokens":
        # The refused name is mentioned beside the wanted one.
        return replace(abilities, length="max_completion_tokens") if "max_tokens" in body else None
    if wish not in body:
        return None
    if wish == "response_format":
        return replace(abilities, shape="json_object" if abilities.shape == "json_schema" else "none")
    field = "usage_in_stream" if wish == "stream_options" else wish
    return replace(abilities, **{field: False})  # type: ignore[arg-type]  # by its name


def is_overflow(status: int, words: str) -> bool:
    """Whether the refusal says that prompt and reply do not fit the model's context."""
    return status == CONTENT_TOO_LARGE or (
        status in _OVERFLOW_STATUSES and _OVERFLOW.search(words.lower()) is not None
    )
