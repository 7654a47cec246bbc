"""The structured patch in a reply: bare, fenced or within prose, and with the slips that models make.

Tolerated because the meaning stays clear: trailing commas, raw newlines in strings, an edit that is
not in a list, a list of edits alone, a missing ``op`` or ``explanation``, null fields, ``lines``
as one string. It never guesses a path, a line or a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from pydantic import ValidationError

from bot.errors import PatchError
from bot.patch.fences import fences
from bot.patch.structured import StructuredPatch
from bot.patch.text import one_line

# Each unbalanced brace costs a scan of the whole reply.
_MAX_SCANS = 16

_STRING_OR_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*[}\]])', re.DOTALL)
_OP_BY_FIELDS = {
    frozenset({"path", "start", "end", "lines"}): "replace",
    frozenset({"path", "after", "lines"}): "insert",
    frozenset({"path", "start", "end"}): "delete",
    frozenset({"path", "find", "replace"}): "substitute",
}


def read_json(reply: str) -> StructuredPatch | None:
    """The first structured patch in ``reply``; None when there is no JSON that looks like one.

    Raises:
        PatchError: there is one, and it does not follow the schema.
    """
    for candidate in _candidates(reply):
        value = _loads(candidate)
        if (shaped := _shaped(value)) is None:
            continue
        try:
            return StructuredPatch.model_validate(shaped)
        except (ValidationError, RecursionError) as error:
            raise PatchError(f"the JSON does not follow the schema: {_first_problem(error)}") from error
    return None


def _candidates(reply: str) -> Iterator[str]:
    yield reply.strip()
    for fence in fences(reply):
        if fence.info.lower().split(" ")[0] in {"", "json", "json5", "jsonc"}:
            yield fence.body.strip()
    scans = at = 0
    while scans < _MAX_SCANS and (at := _next_opening(reply, at)) >= 0:
        end = _balanced_end(reply, at)
        if end is None:
            scans += 1
            at += 1
        else:
            yield reply[at:end]
            at = end


def _next_opening(reply: str, at: int) -> int:
    match = re.compile(r"[{\[]\s*[\"{]").search(reply, at)
    return match.start() if match else -1


def _balanced_end(text: str, start: int) -> int | None:
    depth = 0
    for token in re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL).finditer(text, start):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
            if depth == 0:
                return token.end()
    return None


def _loads(text: str) -> object:
    if text[:1] not in {"{", "["}:
        return None
    for candidate in (text, _STRING_OR_TRAILING_COMMA.sub(lambda match: match[1] or "", text)):
        try:
            value: object = json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
        return value
    return None


def _shaped(value: object) -> dict[str, object] | None:
    """``value`` in the shape of the schema, or None when it is some other JSON."""
    if isinstance(value, dict) and "edits" in value:
        edits = value["edits"]
        if isinstance(edits, dict):
            edits = [edits]
        if not isinstance(edits, list):
            return {**value}
        return {"explanation": value.get("explanation") or "", **_without(value), "edits": _edits(edits)}
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, list) and value and all(_looks_like_edit(item) for item in value):
        return {"explanation": "", "edits": _edits(value)}
    return None


def _without(value: dict[str, object]) -> dict[str, object]:
    return {key: item for key, item in value.items() if key not in {"explanation", "edits"}}


def _edits(edits: list[object]) -> list[object]:
    return [_edit(edit) if isinstance(edit, dict) else edit for edit in edits]


def _edit(edit: dict[str, object]) -> dict[str, object]:
    present = {key: item for key, item in edit.items() if item is not None}
    if isinstance(present.get("lines"), str):
        present["lines"] = [present["lines"]]
    if "op" not in present and (op := _OP_BY_FIELDS.get(frozenset(present))):
        present["op"] = op
    return present


def _looks_like_edit(value: object) -> bool:
    return isinstance(value, dict) and "path" in value and ("op" in value or "op" in _edit(value))


def _first_problem(error: ValidationError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    return one_line(f"{place}: {problem['msg']}")
