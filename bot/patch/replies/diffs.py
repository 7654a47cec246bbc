"""Unified diffs in a reply, whose hunks are found by their content rather than by their numbers.

A hunk goes where its old lines stand, the stated number deciding only between several such places; context
that does not fit is dropped from its ends, as patch(1) does. Deletions and renames of files are refused,
since a patch cannot express them.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

from bot.domain import Patch, SpanEdit
from bot.errors import InexpressibleChange, PatchError
from bot.patch.replies.diff_text import DEV_NULL, UNNAMED, canonical
from bot.patch.replies.match import Located, fitted, holders, locate
from bot.patch.replies.paths import diff_path, plain_path
from bot.patch.text import MAX_EDITS, NumberedSource, Sources, one_line

# Context that does not fit is left out, so many lines from each end; each trial looks through the file.
MAX_TRIMMED, MAX_TRIMMABLE = 8, 500

_ESCAPE = re.compile(rb'\\([abtnvfr"\\]|[0-3][0-7]{2})')
_ESCAPED = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}


def read_diff(reply: str, sources: Sources) -> Patch | None:
    """The patch that the diff in ``reply`` describes; None when there is no diff.

    Raises:
        PatchError: the diff is malformed, deletes or renames a file, or a hunk has no clear place.
    """
    text = canonical(reply)
    if not text:
        return None
    try:
        files = PatchSet(text)
    except (UnidiffParseError, ValueError, AssertionError) as error:
        raise PatchError(f"the diff cannot be read: {one_line(str(error))}") from error
    if sum(1 + len(file) for file in files) > 2 * MAX_EDITS:
        raise PatchError(f"the diff has too many hunks, at most {MAX_EDITS} are read")
    return Patch(edits=tuple(edit for file in files for edit in _file_edits(file, sources)))


def _unquoted(name: str) -> str:
    name = name.strip(" \r")
    if len(name) < 2 or not (name[0] == name[-1] == '"'):
        return name
    raw = name[1:-1].encode("utf-8", "surrogatepass")
    raw = _ESCAPE.sub(lambda escape: bytes([_ESCAPED.get(escape[1]) or int(escape[1], 8)]), raw)
    return raw.decode("utf-8", "surrogateescape")


def _file_edits(file: PatchedFile, sources: Sources) -> Iterator[SpanEdit]:
    old, new = _unquoted(file.source_file), _unquoted(file.target_file)
    if new == DEV_NULL:
        raise InexpressibleChange(f"the diff deletes {old!r}: only changed and new files are accepted")
    path = _holder(file, sources) if new == UNNAMED else diff_path(new, sources, "b/")
    if old == DEV_NULL and path not in {new, new.removeprefix("b/")}:
        path = plain_path(new.removeprefix("b/"))  # a new file beside one of the same name
    if path not in sources and old != DEV_NULL and any(hunk.source for hunk in file):
        path = diff_path(old, sources, "a/")
        if path not in sources:
            raise PatchError(f"unknown path {path!r}")
    source = NumberedSource(path, sources.get(path, ""))
    if path not in sources:
        yield SpanEdit(path=path, start=0, end=0, replacement="")
    floor = 0
    for hunk in file:
        place, head, tail = _place(hunk, source, floor)
        floor = place.end
        if head or tail or not place.exact:
            lines = [_bare(line.value) for line in hunk.target_lines()]
            lines = fitted(lines[head : len(lines) - tail], place, source)
            yield source.replace(place.start + 1, place.end, lines)
            continue
        for edit in _hunk_edits(hunk, source, place.start):
            yield _with_stated_end(edit, hunk, source)


def _holder(file: PatchedFile, sources: Sources) -> str:
    """The one file that holds the old lines of a diff without a header."""
    hunks = [_old_lines(hunk) for hunk in file]
    wanted = max(hunks, key=len, default=[])
    if not any(line.strip() for line in wanted):
        raise PatchError("the diff names no file: begin it with --- a/path and +++ b/path")
    found = list(sources) if len(sources) == 1 else holders(wanted, sources)
    if len(found) != 1:
        raise PatchError(
            f"the diff names no file, and its old lines occur in {len(found)}: "
            "begin it with --- a/path and +++ b/path"
        )
    return found[0]


def _old_lines(hunk: Hunk) -> list[str]:
    return [_bare(line.value) for line in hunk.source_lines()]


def _bare(value: str) -> str:
    return value.removesuffix("\n").removesuffix("\r")


def _place(hunk: Hunk, source: NumberedSource, floor: int) -> tuple[Located, int, int]:
    """Where the hunk's old lines stand, without so many of the first and of the last of them."""
    wanted = _old_lines(hunk)
    stated = hunk.source_start
    if not any(line.strip() for line in wanted):
        return _blank_place(wanted, stated, source, floor), 0, 0
    try:
        return locate(source, wanted, near=stated - 1, floor=floor), 0, 0
    except PatchError as problem:
        for head, tail in _trims(hunk) if len(wanted) <= MAX_TRIMMABLE else ():
            part = wanted[head : len(wanted) - tail]
            if any(line.strip() for line in part):
                with suppress(PatchError):
                    return locate(source, part, near=stated - 1 + head, floor=floor), head, tail
        raise problem from None


def _blank_place(wanted: list[str], stated: int, source: NumberedSource, floor: int) -> Located:
    if not wanted and (len(source) == 0 or stated <= len(source)):
        at = min(stated, len(source))
        return Located(start=at, end=at, wanted=(), exact=True)
    found = [at for at in source.find(wanted) if at >= floor] if wanted else []
    if stated - 1 not in found and len(found) != 1:
        raise PatchError(f"a hunk for {source.path!r} quotes no line of the file: its place is not clear")
    at = stated - 1 if stated - 1 in found else found[0]
    return Located(start=at, end=at + len(wanted), wanted=tuple(wanted), exact=True)


def _trims(hunk: Hunk) -> Iterator[tuple[int, int]]:
    """How many unchanged lines to leave out at the beginning and at the end, fewest first."""
    types = [line.line_type for line in hunk if line.line_type != "\\"]
    changed = [at for at, kind in enumerate(types) if kind != " "]
    if not changed:
        return
    head, tail = changed[0], len(types) - 1 - changed[-1]
    # where nothing is removed, a line beside the place is needed
    least = 0 if "-" in types[changed[0] : changed[-1] + 1] or " " in types[head : len(types) - tail] else 1
    for cut in range(1, min(max(head, tail), MAX_TRIMMED) + 1):
        left, right = min(cut, head), min(cut, tail)
        if head - left + tail - right >= least:
            yield left, right
    if least and head and tail:
        yield head - 1, tail
        yield head, tail - 1


def _with_stated_end(edit: SpanEdit, hunk: Hunk, source: NumberedSource) -> SpanEdit:
    """``edit`` with or without a final newline, where the hunk says which one the file ends with."""
    marked = [line.line_type for line, after in pairwise(hunk) if after.line_type == "\\"]
    if not marked or edit.end != len(source.text):
        return edit
    if marked[-1] == "+":
        return replace(edit, replacement=edit.replacement.removesuffix("\n").removesuffix("\r"))
    if marked[-1] == "-" and [line.line_type for line in hunk if line.line_type != "\\"][-1] == "+":
        # only the old end lacked a newline: the new one has it, even behind empty lines
        return replace(edit, replacement=edit.replacement + source.newline)
    return edit


def _hunk_edits(hunk: Hunk, source: NumberedSource, at: int) -> Iterator[SpanEdit]:
    removed = 0
    added: list[str] = []
    for line in [*hunk, None]:
        if line is not None and line.line_type == "-":
            removed += 1
        elif line is not None and line.line_type == "+":
            added.append(_bare(line.value))
        elif line is None or line.line_type == " ":
            if removed:
                yield source.replace(at + 1, at + removed, added)
            elif added:
                yield source.insert(at, added)
            at += removed + (line is not None)
            removed, added = 0, []
