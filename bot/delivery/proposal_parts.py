"""What a proposal is made of: limits, forms, and edits with the files that they were made for."""

import base64
import binascii
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bot.domain import Patch, SpanEdit
from bot.errors import DeliveryError
from bot.patch.text import decode, encode

MAX_BYTES = 2_000_000
MAX_FILES, MAX_EDITS, MAX_TESTS, MAX_LINES, MAX_NOTES = 50, 200, 50, 20, 5
MAX_WITNESSES = 5
NAME, TEXT, LONG_TEXT, CONTENT = 500, 1_000, 4_000, 700_000

Sha = Annotated[str, StringConstraints(pattern=r"\A([0-9a-f]{40}|[0-9a-f]{64})\z")]
# No part is as long as the shortest name of a commit, which GitHub would make a link.
Version = Annotated[
    str, StringConstraints(pattern=r"\A[0-9]{1,4}(\.[0-9]{1,4}){1,3}((a|b|rc|\.post|\.dev)[0-9]{1,4}){0,3}\z")
]
Name = Annotated[str, StringConstraints(max_length=NAME)]
Text = Annotated[str, StringConstraints(max_length=TEXT)]
LongText = Annotated[str, StringConstraints(max_length=LONG_TEXT)]
Path = Annotated[str, StringConstraints(min_length=1, max_length=1024)]
Count = Annotated[int, Field(ge=0, le=2**53)]
Amount = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]


class Strict(BaseModel):
    """Data of a fixed form: nothing more, nothing else."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Original(Strict):
    """A file before the patch; ``sha256`` is None for one that the patch creates."""

    path: Path
    sha256: Annotated[str, StringConstraints(pattern=r"\A[0-9a-f]{64}\z")] | None


class Edit(Strict):
    """``SpanEdit`` with its text as base64 of the bytes."""

    path: Path
    start: Count
    end: Count
    text: Annotated[str, StringConstraints(max_length=CONTENT, pattern=r"\A[A-Za-z0-9+/]*={0,2}\z")]


class NewExpectations(Strict):
    """What outdated tests would assert: literals of tests, and no code. Never part of a repair."""

    originals: Annotated[tuple[Original, ...], Field(min_length=1, max_length=MAX_FILES)]
    edits: Annotated[tuple[Edit, ...], Field(min_length=1, max_length=MAX_EDITS)]
    diff: Annotated[str, StringConstraints(min_length=1, max_length=CONTENT)]


def patch_of(edits: tuple[Edit, ...]) -> Patch:
    """``edits`` as a patch.

    Raises:
        DeliveryError: a text is no base64.
    """
    return Patch(
        edits=tuple(
            SpanEdit(path=edit.path, start=edit.start, end=edit.end, replacement=_decoded(edit.text))
            for edit in edits
        )
    )


def encoded(text: str) -> str:
    """A source text as an ``Edit`` carries it."""
    return base64.b64encode(encode(text)).decode("ascii")


def _decoded(text: str) -> str:
    try:
        return decode(base64.b64decode(text, validate=True))
    except binascii.Error as error:
        raise DeliveryError("the proposal is refused: the text of an edit is no base64") from error
