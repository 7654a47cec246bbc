"""What a server can do for a model, found out by asking: a wish that it refuses is not made again.

Nothing here talks to a server. ``lesser`` decides what to leave out after a refusal; ``Abilities`` is what
is left.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from bot.backends.dialects import named_wishes
from bot.backends.failures import Refused

# Refusals that may be of a wish. With the others of these, the wish has to be named.
_SUSPECT_STATUSES = frozenset({400, 415, 422, 501})
_NAMING_STATUSES = _SUSPECT_STATUSES | {404, 405, 500}
# When the server does not say what it minds: the likeliest first.
_GUESSES = ("response_format", "tools", "stream_options", "seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What to ask for; the defaults are what a server is believed to do until it refuses.

    ``shape`` is how a reply's JSON schema is held, ``length`` the name of the limit on a reply's tokens.
    """

    shape: Literal["json_schema", "json_object", "none"] = "json_schema"
    tools: bool = True
    seed: bool = True
    usage_in_stream: bool = True
    temperature: bool = True
    length: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"


def lesser(abilities: Abilities, body: Mapping[str, Any], refusal: Refused) -> Abilities | None:
    """``abilities`` without what ``refusal`` of ``body`` is about; None where no wish can be to blame."""
    if refusal.status not in _NAMING_STATUSES:
        return None
    guesses = _GUESSES if refusal.status in _SUSPECT_STATUSES else ()
    found = (_without(abilities, body, wish) for wish in (*named_wishes(refusal.words), *guesses))
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
    if wish == "tools":
        return replace(abilities, tools=False)
    if wish == "stream_options":
        return replace(abilities, usage_in_stream=False)
    return replace(abilities, seed=False) if wish == "seed" else replace(abilities, temperature=False)
