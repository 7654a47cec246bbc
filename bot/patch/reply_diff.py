"""Unified diffs in a reply, whose hunks are found by their content rather than by their numbers.

Models count badly: hunk lengths are recounted before unidiff parses them, and a hunk goes where its old
lines stand, the stated number deciding only between several such places. Deletions and renames of files
are refused, since a patch cannot express them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.paths import diff_path
from bot.patch.text import MAX_EDITS, NumberedText, Sources, one_line

# How far from its stated line a hunk may lie when its old lines occur more than once.
NEARBY_LINES = 25

_GIT_HEADER = re.compile(r'diff --git (?P<old>"(?:[^"\\]|\\.)*"|\S+) (?P<new>"(?:[^"\\]|\\.)*"|\S+)\s*')
_HUNK_HEADER = re.compile(r"@@+(?: -([0-9]{1,9})[0-9]*(?:,[0-9]+)? \+[0-9]+(?:,[0-9]+)? @@+.*|.*)")
_ESCAPE = re.compile(r'\\([abtnvfr"\\]|[0-3][0-7]{2})')
_ESCAPED = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
# A hunk header without numbers; no real file is that long.
_NOWHERE = 999_999_999
_DEV_NULL = "/dev/null"


def read_diff(reply: str, sources: Sources) -> Patch | None:
    """The patch that the diff in ``reply`` describes; None when there is no diff.

    Raises:
        PatchError: the diff is malformed, deletes or renames a file, or a hunk has no clear place.
    """
    canonical = "".join(_canonical(reply.split("\n")))
    if not canonical:
        return None
    try:
        files = PatchSet(canonical)
    except (UnidiffParseError, ValueError, AssertionError) as error:
        raise PatchError(f"the diff cannot be read: {one_line(str(error))}") from error
    if sum(1 + len(file) for file in files) > 2 * MAX_EDITS:
        raise PatchError(f"the diff has too many hunks, at most {MAX_EDITS} are read")
    return Patch(edits=tuple(edit for file in files for edit in _file_edits(file, sources)))


def _canonical(lines: list[str]) -> Iterator[str]:
    """The diff within ``lines``: headers and hunks only, with lengths that are right."""
    at, named = 0, False
    pending: str | None = None
    while at < len(lines):
        line = lines[at].removesuffix("\r")
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if git := _GIT_HEADER.fullmatch(line):
            pending, named = f"--- {git['old']}\n+++ {git['new']}\n", False
        elif pending and line.startswith("new file mode "):
            # an empty new file has no hunk: one without lines stands for it
            yield _created(pending) if not _has_hunk(lines, at + 1) else ""
        elif line.startswith(("deleted file mode ", "rename to ", "rename from ")) and pending:
            raise PatchError("the diff deletes or renames a file: only changed and new files are accepted")
        elif line.startswith("--- ") and following.startswith("+++ "):
            yield f"{line}\n{following.removesuffix(chr(13))}\n"
            pending, named, at = None, True, at + 1
        elif line.startswith("@@") and (pending or named):
            yield pending or ""
            pending, named = None, True
            body = _body(lines, at + 1)
            yield _recounted(line, body)
            at += len(body)
        at += 1


def _has_hunk(lines: list[str], at: int) -> bool:
    for line in lines[at:]:
        if line.startswith("@@"):
            return True
        if line.startswith("diff --git "):
            return False
    return False


def _created(header: str) -> str:
    return f"--- {_DEV_NULL}\n{header.splitlines()[1]}\n"


def _body(lines: list[str], at: int) -> list[str]:
    end = at
    while end < len(lines):
        line = lines[end]
        after = [*lines[end + 1 : end + 3], "", ""]
        # "--- a" may also be a removed line "-- a": only a header has a hunk behind it
        if line.startswith("--- ") and after[0].startswith("+++ ") and after[1].startswith("@@"):
            break
        if line.strip("\r") and line[0] not in " +-\\":
            break
        end += 1
    while end > at and not lines[end - 1].strip("\r"):
        end -= 1  # blank lines behind a hunk belong to the prose
    return lines[at:end]


def _recounted(header: str, body: list[str]) -> str:
    marked = [line if line.strip("\r") else " " + line for line in body]
    removed = sum(line[0] in " -" for line in marked)
    added = sum(line[0] in " +" for line in marked)
    match = _HUNK_HEADER.fullmatch(header)
    start = match[1] if match and match[1] else str(_NOWHERE)
    return "".join(f"{line}\n" for line in [f"@@ -{start},{removed} +{start},{added} @@", *marked])


def _unquoted(name: str) -> str:
    name = name.strip(" \r")
    if len(name) < 2 or not (name[0] == name[-1] == '"'):
        return name
    raw = bytearray()
    position = 0
    inner = name[1:-1]
    for escape in _ESCAPE.finditer(inner):
        raw += inner[position : escape.start()].encode("utf-8", "surrogatepass")
        raw.append(_ESCAPED.get(escape[1]) or int(escape[1], 8))
        position = escape.end()
    raw += inner[position:].encode("utf-8", "surrogatepass")
    return raw.decode("utf-8", "surrogateescape")


def _file_edits(file: PatchedFile, sources: Sources) -> Iterator[SpanEdit]:
    old, new = _unquoted(file.source_file), _unquoted(file.target_file)
    if new == _DEV_NULL:
        raise PatchError(f"the diff deletes {old!r}: only changed and new files are accepted")
    path = diff_path(new, sources, "b/")
    if path not in sources and old != _DEV_NULL and any(hunk.source for hunk in file):
        path = diff_path(old, sources, "a/")
        if path not in sources:
            raise PatchError(f"unknown path {path!r}")
    source = NumberedText(path, sources.get(path, ""))
    if path not in sources:
        yield SpanEdit(path=path, start=0, end=0, text="")
    floor = 0
    for hunk in file:
        at = _place(hunk, source, floor)
        floor = at + len(hunk.source)
        for edit in _hunk_edits(hunk, source, at):
            yield _with_stated_end(edit, hunk, source)


def _bare(value: str) -> str:
    return value.removesuffix("\n").removesuffix("\r")


def _place(hunk: Hunk, source: NumberedText, floor: int) -> int:
    """The 0-based line where the hunk's old lines stand."""
    wanted = [_bare(line.value) for line in hunk.source_lines()]
    stated = hunk.source_start
    if not wanted:
        if len(source) == 0:
            return 0
        if stated <= len(source):
            return stated
        raise PatchError(f"a hunk for {source.path!r} quotes no line of the file: its place is not clear")
    found = [at for at in source.find(wanted) if at >= floor]
    if stated - 1 in found:
        return stated - 1
    near = [at for at in found if abs(at - (stated - 1)) <= NEARBY_LINES]
    for places in (near, found):
        if len(places) == 1:
            return places[0]
    problem = f"fit {len(found)} places" if found else "do not occur"
    raise PatchError(
        f"the old lines of a hunk {problem} in {source.path!r}, the first being {wanted[0][:80]!r}"
    )


def _with_stated_end(edit: SpanEdit, hunk: Hunk, source: NumberedText) -> SpanEdit:
    """``edit`` with or without a final newline, where the hunk says which one the file ends with."""
    marked = [line.line_type for line, after in pairwise(hunk) if after.line_type == "\\"]
    if not marked or edit.end != len(source.text):
        return edit
    if marked[-1] == "+":
        return replace(edit, text=edit.text.removesuffix("\n").removesuffix("\r"))
    ends_added = [line.line_type for line in hunk if line.line_type != "\\"][-1] == "+"
    # only the old end lacked a newline: the new one has it, even behind empty lines
    return replace(edit, text=edit.text + source.newline) if marked[-1] == "-" and ends_added else edit


def _hunk_edits(hunk: Hunk, source: NumberedText, at: int) -> Iterator[SpanEdit]:
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
