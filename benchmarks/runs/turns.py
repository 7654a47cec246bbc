"""What a trajectory shows about a model's first turn; of one that is cut off, less."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any


def first_turn(path: Path) -> Mapping[str, int] | None:
    """The tokens of the first prompt of the trajectory at ``path``, and of all prompts of its first turn.

    None where no model was asked.
    """
    replies = [event for event in _events(path) if event.get("kind") == "reply"]
    if not replies:
        return None
    tokens = [
        int(reply.get("prompt_tokens", 0)) for reply in replies if reply.get("turn") == replies[0].get("turn")
    ]
    return {"first_prompt_tokens": tokens[0], "prompt_tokens": sum(tokens)}


def _events(path: Path) -> Iterator[Mapping[str, Any]]:
    """The events as far as they can be read; none where there is no file."""
    if path.exists():
        for line in path.read_bytes().splitlines():
            with suppress(ValueError):  # cut off
                yield json.loads(line)
