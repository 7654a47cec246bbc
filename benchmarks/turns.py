"""What a trajectory shows about a model's turns; of one that is cut off or of an older form, less."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPLY = "reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTurn:
    """The tokens of a repair's first prompt, and of all prompts of its first turn together."""

    first_prompt_tokens: int
    prompt_tokens: int


def first_turn(path: Path) -> FirstTurn | None:
    """What the first turn of the trajectory at ``path`` asked for; None where no model was asked."""
    replies = [event for event in events(path) if event.get("kind") == REPLY]
    if not replies:
        return None
    turn = replies[0].get("turn")
    tokens = [_count(reply.get("prompt_tokens")) for reply in replies if reply.get("turn") == turn]
    return FirstTurn(first_prompt_tokens=tokens[0], prompt_tokens=sum(tokens))


def events(path: Path) -> Iterator[Mapping[str, Any]]:
    """The events of the trajectory at ``path``, as far as they can be read; none where there is no file."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            yield event


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
