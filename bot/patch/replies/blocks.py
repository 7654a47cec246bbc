"""SEARCH/REPLACE blocks in a reply, and the variants of their markers.

The path stands on the line before the block (a fence's opening may come between) or behind the marker; a
block without one belongs to the only file that holds its text. An empty SEARCH part creates a file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.replies.match import fitted, holders, locate
from bot.patch.replies.paths import meant_path, new_path_in_line, path_in_line
from bot.patch.replies.substitution import substitution
from bot.patch.text import MAX_EDITS, NumberedSource, Sources

# Looking for a text in every file takes its time.
MAX_UNPLACED = 20

_SEARCH = re.compile(
    r"(?:<{3,}|\*{3,}|-{3,}|#{2,})? ?\[?(?:SEARCH|ORIGINAL|FIND|HEAD|OLD)\b\]?[^a-z=<>]*(?P<path>.*)"
)
_MARKED = re.compile(r"<{3,} ?(?:[\w./-]+)?")
_DIVIDER = re.compile(r"={3,}[=> ]*|-{5,}|(?:={3,}|#{2,})? ?\[?(?:REPLACE|REPLACEMENT|WITH|NEW)\]?:? ?=*")
_REPLACE = re.compile(r">{3,}.*|={3,} ?END.*|\[?/REPLACE\]?")
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
    unplaced = 0
    for number, block in enumerate(_blocks(reply)):
        if number >= MAX_EDITS:
            raise PatchError(f"more than {MAX_EDITS} blocks are too many")
        path = path_in_line(block.label, sources) or new_path_in_line(block.label) or path
        unplaced += path is None
        if unplaced > MAX_UNPLACED:
            raise PatchError(f"more than {MAX_UNPLACED} blocks name no file: name the path before each")
        edit = _edit(block, path, sources)
        if edit not in edits:  # said twice, meant once
            edits.append(edit)
    return Patch(edits=tuple(edits)) if edits else None


def _blocks(reply: str) -> Iterator[_Block]:
    lines = reply.replace("\r\n", "\n").split("\n")
    at, label = 0, ""
    while at < len(lines):
        line = lines[at]
        at += 1
        opening = _opening(line.strip())
        if opening is None or not _has_divider(lines, at):
            label = line if line.strip() and not _FENCE.fullmatch(line) else label
            continue
        search, at, _ = _part(lines, at, _DIVIDER)
        replace, at, closed = _part(lines, at, _REPLACE)
        if not closed:
            replace = _unclosed(replace)
        yield _Block(label=opening or label, search=search, replace=replace)
        label = ""


def _opening(line: str) -> str | None:
    """The path behind a marker, or an empty text; None where the line is no marker."""
    if (match := _SEARCH.fullmatch(line)) is not None:
        return match["path"].strip()
    return "" if _MARKED.fullmatch(line) else None


def _has_divider(lines: list[str], at: int) -> bool:
    """Whether the divider comes, rather than another opening: prose names the markers, too."""
    bare = (line.strip() for line in lines[at : at + 2_000])
    first = next((line for line in bare if _DIVIDER.fullmatch(line) or _SEARCH.fullmatch(line)), "")
    return _DIVIDER.fullmatch(first) is not None


def _part(lines: list[str], at: int, end: re.Pattern[str]) -> tuple[list[str], int, bool]:
    start = at
    while at < len(lines):
        if end.fullmatch(lines[at].strip()):
            return lines[start:at], at + 1, True
        if end is _REPLACE and _SEARCH.fullmatch(lines[at].strip()) and lines[at].startswith("<"):
            break
        at += 1
    return lines[start:at], at, False


def _unclosed(replace: list[str]) -> list[str]:
    """A part whose marker is missing ends with its fence.

    Raises:
        PatchError: there is no fence's end either, so that the reply may have been cut off.
    """
    for at, line in enumerate(replace):
        if _FENCE.fullmatch(line):
            return replace[:at]
    raise PatchError("a SEARCH/REPLACE block is not closed: end it with >>>>>>> REPLACE")


def _edit(block: _Block, path: str | None, sources: Sources) -> SpanEdit:
    search, replace = _bare(block.search), _bare(block.replace)
    if not any(line.strip() for line in search):
        return _creation(replace, path, sources)
    known = path if path in sources else meant_path(path, sources) if path else None
    known = known or _holder(search, sources)
    source = NumberedSource(known, sources[known])
    if (span := _within_line(source, search, replace)) is not None:
        return span
    place = locate(source, search)
    return source.replace(place.start + 1, place.end, fitted(replace, place, source))


def _within_line(source: NumberedSource, search: list[str], replace: list[str]) -> SpanEdit | None:
    """The edit of a block that quotes a part of a line; None where it is about whole lines."""
    if len(search) > 1 or source.find(search) or not source.text.count(search[0].strip()):
        return None
    if any(line.strip() == search[0].strip() for line in source.bare_lines()):
        return None
    return substitution(source, search[0].strip(), "\n".join(replace).strip())


def _bare(lines: list[str]) -> list[str]:
    """A block's part without the fences that some put around its code."""
    inner = list(lines)
    while (
        inner and (not inner[0].strip() or _FENCE.fullmatch(inner[0])) and any(map(_FENCE.fullmatch, inner))
    ):
        inner.pop(0)
    while inner and _FENCE.fullmatch(inner[-1]):
        inner.pop()
    return inner


def _holder(search: list[str], sources: Sources) -> str:
    found = list(sources) if len(sources) == 1 else holders(search, sources)
    if len(found) != 1:
        raise PatchError(f"the SEARCH text occurs in {len(found)} files: name the path before the block")
    return found[0]


def _creation(replace: list[str], path: str | None, sources: Sources) -> SpanEdit:
    if path is None:
        raise PatchError("a block with an empty SEARCH part needs a path before it")
    if sources.get(path, "").strip():
        raise PatchError(f"the SEARCH part is empty, but {path!r} is not: quote the lines to replace")
    source = NumberedSource(path, sources.get(path, ""))
    return source.insert(len(source), replace)
