"""Keep the lines of a log that say why a job failed when its tests do not: networks, disks, installers.

A line is kept with the topic it was found under, and judged elsewhere. What is looked for stands in
``bot.causes.log_rules``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.causes.log_rules import KEPT_LINES, Topic
from bot.cilog.clean import TextBlock, searchable
from bot.cilog.model import LogEvidence

MAX_TEXT = 500
"""Characters of a line that are kept."""

MAX_SEARCHED = 4_000
"""Characters of a line in which a pattern is looked for."""

MAX_EACH = 60
"""Lines of one topic that are kept, half of them the first ones and half the last."""

# Few characters of a log are one of these, and nearly every literal has one: the search is for the rest of
# the literal from there on. Chosen by how many literals a character serves and how seldom it stands in logs.
_RARE = "YNHFUVRJCKGEq*TBIzMOP(AfkSDLXWQZ[!:hx"
_LEAST = 8


def _handle(literal: str) -> str:
    """The part of a literal to search for: one that begins with a rare character, else all of it."""
    body = literal[: 1 - _LEAST] if literal.islower() else literal[:-5]
    at = next((body.index(character) for character in _RARE if character in body), 0)
    return literal[at:]


def _tree(words: Iterable[str]) -> str:
    """A pattern for any of the words, which distinguishes them by one character after another."""
    by_first: dict[str, list[str]] = {}
    for word in sorted(words):
        by_first.setdefault(word[0], []).append(word[1:])
    return "|".join(
        re.escape(first)
        + ("" if "" in rests else re.escape(rests[0]) if len(rests) == 1 else f"(?:{_tree(rests)})")
        for first, rests in by_first.items()
    )


_RULES = tuple((line.topic, _handle(line.literal), re.compile(line.pattern)) for line in KEPT_LINES)
# A handle may be the beginning of another one, and is what is found then.
_BY_HANDLE = {
    handle: tuple((topic, pattern) for topic, longer, pattern in _RULES if longer.startswith(handle))
    for _, handle, _ in _RULES
}
_SEARCH = re.compile(_tree(handle for handle in _BY_HANDLE if handle[0] in _RARE))
_COMMON = tuple(sorted(handle for handle in _BY_HANDLE if handle[0] not in _RARE))


@dataclass(slots=True)
class EvidenceLines:
    """Collects the lines of evidence from the blocks it is shown."""

    _found: dict[Topic, list[LogEvidence]] = field(default_factory=dict)

    def read(self, block: TextBlock, indices: Sequence[int]) -> None:
        """Look at those lines of a block."""
        free: Sequence[int] | range = indices
        if len(indices) > len(block.lines) // 2:
            # To search the whole block is cheaper than to put most of it together again.
            text, free = block.text, range(len(block.lines))
        else:
            text = searchable("\n".join([block.lines[index] for index in indices]))
        wanted = set(indices)
        number, last, end = 0, 0, -1
        tried: set[tuple[int, str]] = set()
        for at, handle in sorted(_hits(text)):
            if at < end:
                continue
            number += text.count("\n", last, at)
            last = at
            if (number, handle) in tried:
                continue
            tried.add((number, handle))
            index = free[number]
            line = block.lines[index][:MAX_SEARCHED].strip()
            if index not in wanted or self._take(line, handle, block.first + index):
                end = text.find("\n", at)
                end = len(text) if end == -1 else end

    def _take(self, line: str, handle: str, log_line: int) -> bool:
        for topic, pattern in _BY_HANDLE[handle]:
            if pattern.search(line):
                kept = self._found.setdefault(topic, [])
                if len(kept) >= MAX_EACH:
                    del kept[MAX_EACH // 2]
                kept.append(LogEvidence(topic=topic, log_line=log_line, text=line[:MAX_TEXT]))
                return True
        return False

    @property
    def lines(self) -> tuple[LogEvidence, ...]:
        """What was kept, in the log's order."""
        found = (one for kept in self._found.values() for one in kept)
        return tuple(sorted(found, key=lambda one: one.log_line))


def _hits(text: str) -> Iterator[tuple[int, str]]:
    """Where a handle stands, and which."""
    found = _SEARCH.search(text)
    while found:
        yield found.start(), found.group()
        found = _SEARCH.search(text, found.start() + 1)
    for handle in _COMMON:
        at = text.find(handle)
        while at != -1:
            yield at, handle
            at = text.find(handle, at + 1)
