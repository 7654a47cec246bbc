"""Code fences in a model's reply, read line by line.

A fence that is never closed runs to the end: servers often stop at the closing marker itself.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

_OPENING = re.compile(r"^\s{0,12}(`{3,}|~{3,})\s*([^`]*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """One fenced block: its info string, its body, and the line of prose right before it."""

    info: str
    body: str
    before: str


@lru_cache(maxsize=2)  # each rung of the ladder asks
def fences(reply: str) -> tuple[Fence, ...]:
    """The fenced blocks of ``reply``, in order."""
    found: list[Fence] = []
    lines = reply.replace("\r\n", "\n").split("\n")
    before = ""
    at = 0
    while at < len(lines):
        opening = _OPENING.match(lines[at])
        if opening is None:
            before = lines[at] if lines[at].strip() else before
            at += 1
            continue
        marker, info = opening[1], opening[2].strip()
        end = at + 1
        while end < len(lines) and not _closes(lines[end], marker):
            end += 1
        found.append(Fence(info=info, body="\n".join(lines[at + 1 : end]), before=before))
        before = ""
        at = end + 1
    return tuple(found)


def prose(reply: str) -> str:
    """What ``reply`` says outside of its fences, up to the first of them."""
    lines = reply.replace("\r\n", "\n").split("\n")
    return "\n".join(takewhile(lambda line: not _OPENING.match(line), lines)).strip()


def _closes(line: str, marker: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(marker) and bare == bare[0] * len(bare) and bare[0] == marker[0]
