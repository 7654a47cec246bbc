"""The structured patch: the JSON that a model answers in, its published schema, and its meaning.

The models describe the strict shape only; what else is tolerated in a reply is
:mod:`bot.patch.reply_json`'s business. Line numbers are 1-based, ranges include both ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.paths import existing_path, plain_path
from bot.patch.text import MAX_EDITS, NumberedText, Sources, is_encodable, unix_newlines


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Replace(_Strict):
    """Put lines in the place of a range of lines."""

    op: Literal["replace"]
    path: str = Field(description="File to change, as the sources name it.")
    start: int = Field(description="First line to replace, counted from 1.")
    end: int = Field(description="Last line to replace, included.")
    lines: list[str] = Field(description="The new lines, with their indentation, without line ends.")


class Insert(_Strict):
    """Add lines behind a line; a file that does not exist is created with ``after`` 0."""

    op: Literal["insert"]
    path: str = Field(description="File to change, as the sources name it, or a new file.")
    after: int = Field(description="Line to insert behind; 0 for the top of the file.")
    lines: list[str] = Field(description="The new lines, with their indentation, without line ends.")


class Delete(_Strict):
    """Remove a range of lines."""

    op: Literal["delete"]
    path: str = Field(description="File to change, as the sources name it.")
    start: int = Field(description="First line to delete, counted from 1.")
    end: int = Field(description="Last line to delete, included.")


class Substitute(_Strict):
    """Replace a text that occurs exactly once in the file."""

    op: Literal["substitute"]
    path: str = Field(description="File to change, as the sources name it.")
    find: str = Field(description="Text that occurs exactly once in the file.")
    replace: str = Field(description="Text to put in its place.")


Edit = Annotated[Replace | Insert | Delete | Substitute, Field(discriminator="op")]


class StructuredPatch(_Strict):
    """A patch as edits of the original files: line numbers and texts are those before any edit."""

    explanation: str = Field(description="Why the tests fail, and why these edits mend it.")
    edits: list[Edit] = Field(description="Edits that do not overlap.")


def _openai_strict(node: object) -> object:
    """Rewrite pydantic's ``oneOf`` with a discriminator, which strict mode refuses, as ``anyOf``."""
    if isinstance(node, list):
        return [_openai_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        "anyOf" if key == "oneOf" else key: _openai_strict(value)
        for key, value in node.items()
        if key != "discriminator"
    }


SCHEMA: Mapping[str, Any] = cast("dict[str, Any]", _openai_strict(StructuredPatch.model_json_schema()))
"""JSON schema of :class:`StructuredPatch`, fit for a strict ``response_format``."""


def to_patch(structured: StructuredPatch, sources: Sources) -> Patch:
    """The meaning of ``structured`` for ``sources``.

    Raises:
        PatchError: an unknown path, a line out of range, a ``find`` text that does not occur exactly
            once, overlapping edits, or text that is not valid Unicode.
    """
    if len(structured.edits) > MAX_EDITS:
        raise PatchError(f"{len(structured.edits)} edits are too many, at most {MAX_EDITS} are read")
    edits: list[SpanEdit] = []
    for number, edit in enumerate(structured.edits, 1):
        try:
            edits.append(_span(edit, sources))
        except PatchError as error:
            raise PatchError(f"edit {number}: {error}") from error
    patch = Patch(edits=tuple(edits))
    apply(patch, sources)
    return patch


def substitution(source: NumberedText, find: str, replace: str) -> SpanEdit:
    """Replace the one occurrence of ``find`` in ``source``.

    When the exact text is absent, one that differs only in trailing whitespace or newline style serves.

    Raises:
        PatchError: ``find`` is blank, absent, or occurs more than once.
    """
    if not find.strip():
        raise PatchError(f"the text to find in {source.path!r} is blank")
    count = source.text.count(find)
    if count == 1:
        start = source.text.index(find)
        end = start + len(find)
    elif count == 0:
        start, end = _loose_match(source, find)
    else:
        raise PatchError(f"the text to find occurs {count} times in {source.path!r}: give more context")
    text = unix_newlines(replace).replace("\n", source.newline)
    if end == len(source.text) and find.endswith("\n") and not source.text.endswith("\n"):
        text = text.removesuffix(source.newline)
    return SpanEdit(path=source.path, start=start, end=end, text=text)


def _span(edit: Replace | Insert | Delete | Substitute, sources: Sources) -> SpanEdit:
    if isinstance(edit, Insert) and edit.after == 0 and existing_path(edit.path, sources) is None:
        path = plain_path(edit.path)
        return _checked(NumberedText(path, sources.get(path, "")).insert(0, edit.lines))
    path = _known(edit.path, sources)
    source = NumberedText(path, sources[path])
    match edit:
        case Replace():
            _check_range(source, edit.start, edit.end)
            span = source.replace(edit.start, edit.end, edit.lines)
        case Delete():
            _check_range(source, edit.start, edit.end)
            span = source.replace(edit.start, edit.end, [])
        case Insert():
            if not 0 <= edit.after <= len(source):
                raise PatchError(f"cannot insert after line {edit.after}: {path!r} has {len(source)} lines")
            span = source.insert(edit.after, edit.lines)
        case Substitute():
            span = substitution(source, edit.find, edit.replace)
    return _checked(span)


def _known(path: str, sources: Sources) -> str:
    known = existing_path(path, sources)
    if known is None:
        raise PatchError(f"unknown path {path!r}")
    return known


def _check_range(source: NumberedText, start: int, end: int) -> None:
    if not 1 <= start <= end <= len(source):
        raise PatchError(f"lines {start}-{end} are out of range: {source.path!r} has {len(source)} lines")


def _checked(span: SpanEdit) -> SpanEdit:
    if not is_encodable(span.text):
        raise PatchError(f"the new text for {span.path!r} is not valid Unicode")
    return span


def _loose_match(source: NumberedText, find: str) -> tuple[int, int]:
    lines = unix_newlines(find).split("\n")
    pattern = r"[ \t]*\r?\n".join(re.escape(line.rstrip()) for line in lines)
    if unix_newlines(find).endswith("\n"):
        pattern = pattern.removesuffix(r"\r?\n") + r"(?:\r?\n|\Z)"
    elif find != find.rstrip():
        # without this, "x = 1 " would match the start of "x = 10"
        pattern += r"[ \t]*(?=\r?\n|\Z)"
    found = [match.span() for match in re.finditer(pattern, source.text)]
    if len(found) != 1:
        raise PatchError(
            f"the text to find occurs {len(found)} times in {source.path!r}: give more context"
            if found
            else f"the text to find does not occur in {source.path!r}"
        )
    return found[0]
