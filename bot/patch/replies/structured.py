"""The structured patch: the JSON that a model answers in, its published schema, and its meaning.

The models describe the strict shape only; what else is tolerated in a reply is
:mod:`bot.patch.replies.edits_in_json`'s business. Line numbers are 1-based, ranges include both ends.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.replies.paths import existing_path, meant_path, plain_path
from bot.patch.replies.substitution import substitution
from bot.patch.text import MAX_EDITS, NumberedSource, Sources, is_encodable


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


class DeleteLines(_Strict):
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


Edit = Annotated[Replace | Insert | DeleteLines | Substitute, Field(discriminator="op")]


class StructuredPatch(_Strict):
    """A patch as edits of the original files: line numbers and texts are those before any edit."""

    explanation: str = Field(description="Why the tests fail, and why these edits fix it.")
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
    numbered: dict[str, NumberedSource] = {}
    for number, edit in enumerate(structured.edits, 1):
        try:
            edits.append(_span(edit, sources, numbered))
        except PatchError as error:
            raise PatchError(f"edit {number}: {error}") from error
        if not is_encodable(edits[-1].replacement):
            raise PatchError(f"edit {number}: the new text for {edits[-1].path!r} is not valid Unicode")
    patch = Patch(edits=tuple(edits))
    apply(patch, sources)
    return patch


def _span(edit: Edit, sources: Sources, numbered: dict[str, NumberedSource]) -> SpanEdit:
    if isinstance(edit, Insert) and edit.after == 0 and existing_path(edit.path, sources) is None:
        path = plain_path(edit.path)
        return NumberedSource(path, sources.get(path, "")).insert(0, edit.lines)
    path = _known(edit, sources)
    source = numbered.setdefault(path, numbered.get(path) or NumberedSource(path, sources[path]))
    match edit:
        case Replace() | DeleteLines():
            start, end = edit.start, edit.end
            if not 1 <= start <= end <= len(source):
                raise PatchError(f"lines {start}-{end} are out of range: {path!r} has {len(source)} lines")
            return source.replace(start, end, edit.lines if isinstance(edit, Replace) else [])
        case Insert():
            if not 0 <= edit.after <= len(source):
                raise PatchError(f"cannot insert after line {edit.after}: {path!r} has {len(source)} lines")
            return source.insert(edit.after, edit.lines)
        case Substitute():
            return substitution(source, edit.find, edit.replace)


def _known(edit: Edit, sources: Sources) -> str:
    if (known := meant_path(edit.path, sources)) is not None:
        return known
    if isinstance(edit, Substitute) and edit.find.strip():
        # the text itself may say which file is meant
        holders = [path for path, text in sources.items() if edit.find in text]
        if len(holders) == 1:
            return holders[0]
    raise PatchError(f"unknown path {edit.path[:200]!r}")
