"""SEARCH/REPLACE blocks in a reply.

The path stands on the line before the block (a fence's opening may come between); a block without one
belongs to the only file that holds its text. An empty SEARCH part creates a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.paths import new_path_in_line, path_in_line
from bot.patch.structured import substitution
from bot.patch.text import MAX_EDITS, NumberedText, Sources

_SEARCH = re.compile(r"<{5,9} ?SEARCH\b.*")
_DIVIDER = re.compile(r"={5,9}\s*")
_REPLACE = re.compile(r">{5,9} ?REPLACE\b.*")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\S*\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    label: str
    search: list[str]
    replace: list[str]


def read_blocks(reply: str, sources: Sources) -> Patch | None:
    """The patch that the reply's blocks describe; None when it has no block.

    Raises:
        PatchError: a block is not closed, its file is not clear, or its text does not occur exactly once.
    """
    edits: list[SpanEdit] = []
    path: str | None = None
    for block in _blocks(reply):
        if len(edits) >= MAX_EDITS:
            raise PatchError(f"more than {MAX_EDITS} blocks are too many")
        path = path_in_line(block.label, sources) or new_path_in_line(block.label) or path
        edits.append(_edit(block, path, sources))
    return Patch(edits=tuple(edits)) if edits else None


def _blocks(reply: str) -> Iterator[_Block]:
    lines = iter(reply.replace("\r\n", "\n").split("\n"))
    label = ""
    for line in lines:
        if not _SEARCH.fullmatch(line.strip()):
            label = line if line.strip() and not _FENCE.fullmatch(line) else label
            continue
        search = _until(lines, _DIVIDER)
        yield _Block(label=label, search=search, replace=_until(lines, _REPLACE))
        label = ""


def _until(lines: Iterator[str], end: re.Pattern[str]) -> list[str]:
    part: list[str] = []
    for line in lines:
        if end.fullmatch(line.strip()):
            return part
        part.append(line)
    raise PatchError("a SEARCH/REPLACE block is not closed")


def _edit(block: _Block, path: str | None, sources: Sources) -> SpanEdit:
    if not any(line.strip() for line in block.search):
        return _creation(block, path, sources)
    if path is None or path not in sources:
        holders = [name for name in sorted(sources) if NumberedText(name, sources[name]).find(block.search)]
        if len(holders) != 1:
            raise PatchError(
                f"the SEARCH text occurs in {len(holders)} files: name the path before the block"
            )
        path = holders[0]
    source = NumberedText(path, sources[path])
    places = source.find(block.search)
    if len(places) == 1:
        return source.replace(places[0] + 1, places[0] + len(block.search), block.replace)
    if len(places) > 1:
        raise PatchError(f"the SEARCH text occurs {len(places)} times in {path!r}: give more lines")
    return substitution(source, "\n".join(block.search), "\n".join(block.replace))


def _creation(block: _Block, path: str | None, sources: Sources) -> SpanEdit:
    if path is None:
        raise PatchError("a block with an empty SEARCH part needs a path before it")
    if sources.get(path, "").strip():
        raise PatchError(f"the SEARCH part is empty, but {path!r} is not: quote the lines to replace")
    source = NumberedText(path, sources.get(path, ""))
    return source.insert(len(source), block.replace)
